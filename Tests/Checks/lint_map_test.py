# SPDX-License-Identifier: MIT
"""The check of the map finds the arrows that are planted for it."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Scripts"))

from lint_map import faults_of, heading  # noqa: E402


class LintMapTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("House/Cellar/Jar.swift", "struct Jar {\n  var lid = 0\n}\nextension Int {\n  var jars: Int { self }\n}\n")
        self.allow()

    def write(self, name: str, text: str) -> None:
        path = self.root / "Sources" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def allow(self, *arrows: str, count: int | None = None) -> None:
        path = self.root / "Scripts" / "arrows.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join([heading(len(arrows) if count is None else count), *arrows]) + "\n")

    def expect(self, *parts: str) -> None:
        faults = faults_of(self.root)
        self.assertEqual(len(faults), len(parts), faults)
        for fault, part in zip(faults, parts):
            self.assertIn(part, fault)

    def test_a_type_of_another_folder_is_an_arrow(self) -> None:
        self.write("House/Attic/Shelf.swift", "struct Shelf { var jar: Jar }\n")
        self.expect("'House: Cellar < Attic' is an arrow that Scripts/arrows.txt does not list: the upper folder uses the lower "
                    "one at Sources/House/Attic/Shelf.swift:1: Jar")

    def test_an_extension_of_a_type_of_another_folder_is_an_arrow(self) -> None:
        self.write("House/Attic/Jar+shelf.swift", "extension Jar {}\n")
        self.expect("'House: Cellar < Attic'")

    def test_a_member_that_only_one_folder_adds_is_an_arrow(self) -> None:
        self.write("House/Attic/Shelf.swift", "func count() -> Int { 3.jars }\n")
        self.expect("'House: Cellar < Attic'")

    def test_a_member_whose_name_several_declare_says_nothing(self) -> None:
        self.write("House/Attic/Shelf.swift", "struct Shelf { var jars = 3 }\nfunc count(_ shelf: Shelf) -> Int { shelf.jars }\n")
        self.expect()

    def test_words_of_comments_and_strings_say_nothing(self) -> None:
        self.write("House/Attic/Shelf.swift", '// A Jar.\n/* Jar */\nlet text = "Jar"\n')
        self.expect()

    def test_an_interpolation_says_something(self) -> None:
        self.write("House/Attic/Shelf.swift", 'let text = "a \\(Jar().lid)"\n')
        self.expect("'House: Cellar < Attic'")

    def test_a_nested_type_belongs_to_its_own_type(self) -> None:
        self.write("House/Cellar/Jar.swift", "struct Jar {\n  struct Lid {}\n}\n")
        self.write("House/Attic/Shelf.swift", "struct Shelf {\n  struct Lid {}\n  var lid = Lid()\n}\n")
        self.expect()

    def test_another_target_is_no_folder(self) -> None:
        self.write("Garden/Attic/Shelf.swift", "struct Shelf { var jar: Jar }\n")
        self.expect()

    def test_a_listed_arrow_is_allowed(self) -> None:
        self.write("House/Attic/Shelf.swift", "struct Shelf { var jar: Jar }\n")
        self.allow("House: Cellar < Attic")
        self.expect()

    def test_a_listed_arrow_that_no_file_needs_has_to_go(self) -> None:
        self.allow("House: Cellar < Attic")
        self.expect("no file needs it any more")

    def test_the_count_of_the_list_is_right(self) -> None:
        self.allow(count=1)
        self.expect("the first line of Scripts/arrows.txt is to be '# 0 arrows")

    def test_a_sixteenth_target_is_one_too_many(self) -> None:
        for number in range(15):
            self.write(f"Target{number}/File.swift", "")
        self.expect("Sources has 16 targets of Swift, expected at most 15")


if __name__ == "__main__":
    unittest.main()
