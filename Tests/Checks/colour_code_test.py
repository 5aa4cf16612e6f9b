# SPDX-License-Identifier: MIT
"""The check of the colours on pages finds the differences that are planted for it, and the colours change no text."""

import html
import re
from unittest import mock

from planted import Planted

import colour_code

LIVE = '<p data-vm-text="name">A &amp; B</p>'
PROGRAM = '# "A name" is no string.\nname = "A & B"  # <b>\nif name: print(name)\n'
PAGE = f"""<figure class="code" data-of="live"><figcaption>HTML</figcaption><pre tabindex="0"><code></code></pre></figure>
<div class="live">
  {LIVE}
</div>
<figure class="code"><figcaption>Python, in page.py</figcaption><pre id="page-py"><code>{html.escape(PROGRAM, quote=False)}</code></pre></figure>
"""


class ColourCodeTest(Planted):
    def setUp(self) -> None:
        super().setUp()
        self.page = self.root / "Public" / "page.html"
        self.write("Public/page.html", PAGE)
        patched = mock.patch.multiple(colour_code, ROOT=self.root, PAGES=["page.html"])
        patched.start()
        self.addCleanup(patched.stop)

    def codes(self) -> list[str]:
        return re.findall(r"<code>(.*?)</code>", self.page.read_text(), re.DOTALL)

    def expect_fault(self) -> None:
        with self.assertRaises(SystemExit) as ended:
            colour_code.main(["--check"])
        self.assertIn("Public/page.html does not show its code in colours", str(ended.exception))

    def test_the_text_of_code_is_the_same_with_colours(self) -> None:
        colour_code.main([])
        texts = [html.unescape(re.sub(r"</?span[^>]*>", "", code)) for code in self.codes()]
        self.assertEqual(texts, [LIVE, PROGRAM])

    def test_a_note_a_string_and_a_word_of_the_language_have_their_colours(self) -> None:
        colour_code.main([])
        lines = self.codes()[1].split("\n")
        self.assertEqual(lines[0], '<span class="note"># "A name" is no string.</span>')
        self.assertEqual(lines[1], 'name = <span class="string">"A &amp; B"</span>  <span class="note"># &lt;b&gt;</span>')
        self.assertEqual(lines[2], '<span class="tag">if</span> name: print(name)')

    def test_a_second_run_changes_nothing(self) -> None:
        colour_code.main([])
        before = self.page.read_text()
        colour_code.main([])
        self.assertEqual(self.page.read_text(), before)
        colour_code.main(["--check"])

    def test_code_without_colours_is_found(self) -> None:
        self.expect_fault()

    def test_code_that_differs_from_the_live_part_is_found(self) -> None:
        colour_code.main([])
        self.page.write_text(self.page.read_text().replace(LIVE, LIVE.replace("name", "title")))
        self.expect_fault()
