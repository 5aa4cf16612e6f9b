# SPDX-License-Identifier: MIT
"""The check of words finds the names of tests that are riddles."""

import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "Scripts" / "lint-words.sh"


class LintWordsTest(unittest.TestCase):
    def run_on(self, name: str, text: str) -> subprocess.CompletedProcess:
        # A folder whose name begins with a dot would be passed over.
        with tempfile.TemporaryDirectory(prefix="words") as folder:
            (Path(folder) / name).write_text(text)
            return subprocess.run(["bash", SCRIPT, folder], capture_output=True, text=True)

    def test_a_riddle_as_the_name_of_a_test_is_refused(self) -> None:
        words = [("wh" + "at", "is kept"), ("wh" + "o", "asks"), ("wh" + "ose", "turn it is"), ("o" + "f", "two rows one is shown")]
        for word, rest in words:
            for name, text in [
                ("a.swift", f"  @Test func `{word} {rest}`() {{}}\n"), ("b.swift", f"@Suite struct `{word.capitalize()} {rest}` {{}}\n"),
                ("c.mjs", f"test('{word.capitalize()} {rest}', () => {{}});\n"), ("d.py", f"    def test_{word}_{rest.replace(' ', '_')}(self):\n"),
            ]:
                with self.subTest(text):
                    run = self.run_on(name, text)
                    self.assertEqual(run.returncode, 1, run.stdout)
                    self.assertIn(f"{name}:1: the name of a test is a sentence about the thing", run.stderr)

    def test_a_sentence_is_allowed(self) -> None:
        for name, text in [("a.swift", "  @Test func `a row offers what it can do`() {}\n"), ("d.py", "def test_office_hours():\n")]:
            self.assertEqual(self.run_on(name, text).returncode, 0)
