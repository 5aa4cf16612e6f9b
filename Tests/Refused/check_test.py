#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The check of refused code finds code that compiles, or is refused for another reason or in another place."""

import tempfile
import unittest
from pathlib import Path

import check


class Failures(unittest.TestCase):
    def failures(self, source, *said, expansion=""):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "page.swift")
            file.write_text(source)
            output = "".join(f"/x/page.swift:{line}:5: {text}\n" for line, text in said)
            return list(check.failures(file, f"{output}macro expansion #isolation:{expansion}\n"))

    def test_are_found_where_a_sentence_is_missing_or_elsewhere(self):
        source = "// expected error: no a\nlet a = b\n  // expected error: no c\n  // expected warning: try d\n  let c = d\n"
        right = [(2, "error: no a here"), (5, "error: no c"), (5, "warning: try d")]
        self.assertEqual(self.failures(source, *right), [])
        for wrong in [[], [(5, "error: no a")], [(2, "warning: no a")], [(2, "error: no b")]]:
            self.assertEqual(len(self.failures(source, *wrong, *right[1:])), 1, wrong)
        self.assertEqual(len(self.failures(source, *right[:2])), 1)
        self.assertEqual(self.failures("let a = 1\n"), ["page.swift: names no expected error"])

    def test_know_the_line_from_which_a_macro_comes(self):
        source = "// expected error: no nil\nlet a = b\n"
        said = "1:1: error: no nil\n`- /x/page.swift:{}:5: note: expanded code originates here"
        for line, count in [(2, 0), (1, 1)]:
            self.assertEqual(len(self.failures(source, expansion=said.format(line))), count)


if __name__ == "__main__":
    unittest.main()
