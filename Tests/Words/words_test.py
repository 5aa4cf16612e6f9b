#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tests of the checks themselves: small pages, which show that each check can fail."""

import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

import links  # noqa: E402
import stated  # noqa: E402
import words  # noqa: E402
from prose import paragraphs  # noqa: E402


class Prose(unittest.TestCase):
    def test_has_no_code_tables_headings_or_html(self):
        page = textwrap.dedent("""\
            # A title

            One sentence. `code();` two.
            And a line of it.

            ```sh
            $ none of this
            ```

            | a | table |
            |---|---|
            <img src="x.png" alt="none">

            - An item of a [list](x.md).
            - ``Symbol``
            <!-- none
            of this -->
            """)
        found = [(each.line, each.text) for each in paragraphs(page)]
        self.assertEqual(found, [(3, "One sentence. it two. And a line of it."), (14, "An item of a list.")])
        self.assertEqual(paragraphs(page)[0].sentences, ["One sentence.", "it two.", "And a line of it."])


class Lengths(unittest.TestCase):
    def test_refuse_a_sentence_that_is_too_long_in_the_pages_for_strangers(self):
        for name in ["README.md", "Documentation/PROTOCOL.md", "Documentation/CLIENT.md"]:
            self.assertEqual(list(words.lengths(name, "word " * 35 + ".")), [])
            found = list(words.lengths(name, "A list:\n\n- " + "word " * 35 + "\n  word.\n"))
            self.assertEqual(len(found), 1, found)
            self.assertTrue(found[0].startswith(f"{name}:3: a sentence of 36 words"), found)
            self.assertTrue((words.ROOT / name).exists())
        self.assertEqual(list(words.lengths("Decisions/0001-a.md", "word " * 36 + ".")), [])

    def test_refuse_a_readme_that_is_too_long(self):
        self.assertEqual(list(words.lengths("README.md", "a.\n\n" * 125)), [])
        self.assertIn("252 lines", next(words.lengths("README.md", "a.\n\n" * 126)))
        self.assertEqual(list(words.lengths("Documentation/PROTOCOL.md", "a.\n\n" * 126)), [])


class Ease(unittest.TestCase):
    def test_tells_a_hard_page_from_an_easy_one(self):
        easy = "The cat sat on the mat. It saw a dog and ran away.\n" * 10
        hard = "Notwithstanding considerable organisational complications, interoperability necessitates comprehensive standardisation.\n" * 20
        self.assertGreater(words.ease(easy), words.LEAST_EASE)
        self.assertLess(words.ease(hard), words.LEAST_EASE)
        self.assertIsNone(words.ease("Too short to say."))


class Spelling(unittest.TestCase):
    def test_names_the_word_and_its_line_and_passes_over_code(self):
        page = "A colour.\n\nThis is a mistaek in `haxx` of someName, at https://exampel.org/x.\n\n```\nnonne\n```\n"
        found = list(words.misspelled({"P.md": page}))
        self.assertEqual(len(found), 1, found)
        self.assertTrue(found[0].startswith("P.md:3: 'mistaek'"), found)

    def test_has_a_list_that_is_sorted_and_holds_no_word_twice(self):
        listed = words.DICTIONARY.read_text().splitlines()[1:]
        self.assertEqual(listed, sorted(set(listed)))


class Links(unittest.TestCase):
    def failures(self, page):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "There.md").write_text("# A `title`, and more\n\n## Same\n\n## Same\n")
            (root / "Page.md").write_text(page)
            return list(links.failures(root / "Page.md", root))

    def test_that_lead_somewhere_pass(self):
        self.assertEqual(self.failures("[a](There.md) [b](There.md#a-title-and-more) [c](There.md#same-1) <doc:There>\n"), [])
        self.assertEqual(self.failures("# Here\n\n[a](#here) [b](https://example.org) `[c](None.md)`\n\n```\n[d](None.md)\n```\n"), [])

    def test_that_lead_nowhere_are_named(self):
        self.assertEqual(self.failures("\n[a](None.md)\n"), ["Page.md:2: 'None.md' leads to no file"])
        self.assertIn("expected one of: a-title-and-more, same, same-1", self.failures("[a](There.md#other)\n")[0])
        self.assertIn("leads to no heading", self.failures("[`a`](#other)\n")[0])
        self.assertIn("leads to no file", self.failures('<img src="none.png">\n')[0])
        self.assertIn("no article 'None'", self.failures("<doc:None>\n")[0])

    def test_to_a_source_are_its_name_alone_and_one_that_is_not_there_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "Page.md"
            page.write_text("`A.swift`, `A+b.swift`\n\n`Gone+b.swift`, `nginx.conf`\n")
            found = list(links.missing_sources(page, page.parent, {"A.swift", "A+b.swift"}))
        self.assertEqual(found, ["Page.md:3: there is no source 'Gone+b.swift'"])


class Figures(unittest.TestCase):
    def failures(self, page, before="", after=""):
        text = (words.ROOT / page).read_text()
        self.assertIn(before, text)
        return list(stated.failures({page: text.replace(before, after)}, stated.statements(*stated.sources())))

    def test_that_differ_from_their_source_are_named(self):
        for page, before, after in [
            ("CHANGELOG.md", "goals of performance", "goals of beauty"), ("README.md", "0.77 of the throughput", "0.97 of the throughput"),
            ("README.md", "goals were missed", "goals are missed"), ("Benchmarks/README.md", "with an actor 24,012", "with an actor 80,313"),
        ]:
            self.assertEqual(self.failures(page), [])
            self.assertEqual(len(self.failures(page, before, after)), 1, before)

    def test_follow_the_run_and_its_goals(self):
        run, view = stated.sources()
        missed = stated.missed(run["metrics"])
        run["metrics"]["session_kib"] = 9
        self.assertEqual(set(stated.missed(run["metrics"])) - set(missed), {"session_kib"})
        self.assertIn(f"{stated.NUMBERS[len(missed) + 1]} goals were missed.", stated.statements(run, view)["README.md"])

    def test_are_rounded_as_people_do(self):
        for value, digits, text in [(90_147, 1, "90,000"), (114_053, 3, "114,000"), (0.0786, 1, "0.08"), (11.95, 3, "12.0"), (37, 2, "37")]:
            self.assertEqual(stated.near(value, digits), text)


if __name__ == "__main__":
    unittest.main()
