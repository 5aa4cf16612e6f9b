# SPDX-License-Identifier: MIT
"""The check of the cookbook's code finds the differences that are planted for it."""

import html
import re
from unittest import mock

from planted import Planted

import show_code

PAGE = """<section aria-labelledby="lists">
  <h2 id="lists">Lists</h2>
  <article class="sample" id="row">
    <h3><a href="#row">A row</a></h3>
    <p>It has a <code>name</code>, as <a href="#row">a row</a> has.</p>
    <figure class="code" data-of="live"></figure>
    <div class="live">
      <p data-vm-text="name"></p>
      <div>
        last
      </div>
    </div>
    <figure class="code" data-of="Public/page.js" data-from="const name"></figure>
  </article>
</section>
"""
SCRIPT = """// A note.
const first = 1;

  const name = "boat & crew";
  first < 2;

const last = 3;
"""


class ShowCodeTest(Planted):
    def setUp(self) -> None:
        super().setUp()
        root = self.root
        self.page, self.guide, self.script = root / "Public" / "cookbook.html", root / "Documentation" / "COOKBOOK.md", root / "Public" / "page.js"
        for path, text in ((self.page, PAGE), (self.guide, ""), (self.script, SCRIPT)):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        patched = mock.patch.multiple(show_code, ROOT=root, PAGE=self.page, GUIDE=self.guide)
        patched.start()
        self.addCleanup(patched.stop)

    def shown(self) -> list[str]:
        codes = re.findall(r"<code>(<span.*?)</code>", self.page.read_text(), re.DOTALL)
        return [html.unescape(re.sub(r"</?span[^>]*>", "", code)) for code in codes]

    def expect_fault(self, *parts: str) -> None:
        with self.assertRaises(SystemExit) as ended:
            show_code.main(["--check"])
        for part in parts:
            self.assertIn(part, str(ended.exception))

    def test_the_live_part_and_the_paragraph_of_a_file_are_shown_letter_by_letter(self) -> None:
        show_code.main([])
        self.assertEqual(self.shown(), ['<p data-vm-text="name"></p>\n<div>\n  last\n</div>', 'const name = "boat & crew";\nfirst < 2;'])

    def test_a_whole_file_is_shown_without_its_licence(self) -> None:
        self.script.write_text("// SPDX-License-Identifier: MIT\n" + SCRIPT)
        self.page.write_text(PAGE.replace(' data-from="const name"', ""))
        show_code.main([])
        self.assertEqual(self.shown()[1], SCRIPT.strip())
        self.assertIn('<pre tabindex="0" id="page-js">', self.page.read_text())

    def test_the_guide_has_the_prose_and_the_code(self) -> None:
        show_code.main([])
        for part in ("## Lists\n\n### A row\n\nIt has a `name`, as [a row](#row) has.\n\n```html\n<p ", '```javascript\nconst name = "boat & crew";\nfirst < 2;\n```\n'):
            self.assertIn(part, self.guide.read_text())

    def test_a_page_that_was_written_has_no_fault(self) -> None:
        show_code.main([])
        show_code.main(["--check"])

    def test_a_live_part_that_was_changed_is_a_fault(self) -> None:
        show_code.main([])
        self.page.write_text(self.page.read_text().replace("        last", "        changed"))
        self.expect_fault("Public/cookbook.html does not show the code that runs")

    def test_a_file_that_was_changed_is_a_fault(self) -> None:
        show_code.main([])
        self.script.write_text(SCRIPT.replace("first < 2", "first < 3"))
        self.expect_fault("Public/cookbook.html does not show the code that runs")

    def test_a_guide_that_was_changed_is_a_fault(self) -> None:
        show_code.main([])
        self.guide.write_text(self.guide.read_text() + "More.\n")
        self.expect_fault("Documentation/COOKBOOK.md does not show the code that runs")

    def test_a_paragraph_that_is_not_there_is_a_fault(self) -> None:
        self.script.write_text(SCRIPT.replace("const name", "const other"))
        self.expect_fault("shows 'const name' of Public/page.js, which has no such line")
