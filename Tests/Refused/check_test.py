#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The check of refused code finds code that compiles, or is refused for another reason or in another place."""

import tempfile
import unittest
from pathlib import Path

import check


class Failures(unittest.TestCase):
    def failures(self, source, *said):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "page.swift")
            file.write_text(source)
            return list(check.failures(file, "".join(f"/x/page.swift:{line}:5: {text}\n" for line, text in said)))

    def test_are_found_where_a_sentence_is_missing_or_elsewhere(self):
        source = "// expected error: no a\nlet a = b\n  // expected error: no c\n  // expected warning: try d\n  let c = d\n"
        right = [(2, "error: no a here"), (5, "error: no c"), (5, "warning: try d")]
        self.assertEqual(self.failures(source, *right), [])
        for wrong in [[], [(5, "error: no a")], [(2, "warning: no a")], [(2, "error: no b")]]:
            self.assertEqual(len(self.failures(source, *wrong, *right[1:])), 1, wrong)
        self.assertEqual(len(self.failures(source, *right[:2])), 1)
        self.assertEqual(self.failures("let a = 1\n"), ["page.swift: names no expected error"])


if __name__ == "__main__":
    unittest.main()
