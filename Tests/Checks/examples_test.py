# SPDX-License-Identifier: MIT
"""The README of each example copies the files of the client that its pages load."""

import fnmatch
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def needed(example: Path) -> set[str]:
    """The files of the client that the pages name, and those that the client loads for their attributes."""
    pages = "".join(page.read_text() for page in (example / "Public").glob("*.html"))
    directives = {f"euripus-{name}.js" for name in re.findall(r"\bdata-vm-(\w+)", pages)}
    named = set(re.findall(r'"/(euripus[\w.-]*)"', pages))
    return named | {file for file in directives if (ROOT / "Public" / file).exists()}


class ExamplesTest(unittest.TestCase):
    def test_the_help_desk_needs_files_for_its_attributes(self) -> None:
        self.assertEqual(needed(ROOT / "Examples/HelpDesk"), {"euripus.js", "euripus-conflict.js", "euripus-upload.js"})

    def test_a_readme_copies_what_its_pages_need(self) -> None:
        readmes = [readme for readme in (ROOT / "Examples").glob("*/README.md") if (readme.parent / "Public").is_dir()]
        self.assertGreater(len(readmes), 1)
        for readme in readmes:
            copied = re.findall(r"\.\./\.\./Public/(\S+)", re.search(r"^cp (.*) Public/$", readme.read_text(), re.MULTILINE)[1])
            lacking = [file for file in needed(readme.parent) if not any(fnmatch.fnmatch(file, name) for name in copied)]
            self.assertEqual(lacking, [], readme)
