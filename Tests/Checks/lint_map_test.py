# SPDX-License-Identifier: MIT
"""The check of the floors finds the uses that are planted for it."""

from planted import Planted

from lint_map import faults_of, heading


class LintMapTest(Planted):
    def setUp(self) -> None:
        super().setUp()
        self.write("House/Cellar/Jar.swift", "struct Jar {\n  var lid = 0\n}\nextension Int {\n  var jars: Int { self }\n}\n")
        self.write("House/Attic/Shelf.swift", "")
        self.list()

    def write(self, name: str, text: str) -> None:
        super().write(f"Sources/{name}", text)

    def list(self, *climbing: str, floors: str | None = "House: Attic < Cellar", count: int | None = None) -> None:
        path = self.root / "Scripts" / "floors.txt"
        path.parent.mkdir(exist_ok=True)
        lines = [heading(len(climbing) if count is None else count), *([floors] if floors else []), *climbing]
        path.write_text("\n".join(lines) + "\n")

    def expect(self, *parts: str) -> None:
        faults = faults_of(self.root)
        self.assertEqual(len(faults), len(parts), faults)
        for fault, part in zip(faults, parts):
            self.assertIn(part, fault)

    def test_a_type_of_an_upper_floor_climbs(self) -> None:
        self.write("House/Attic/Shelf.swift", "struct Shelf { var jar: Jar }\n")
        self.expect("'House: Attic uses Cellar' climbs, and Scripts/floors.txt does not list it: see Sources/House/Attic/Shelf.swift:1: Jar")

    def test_a_type_of_a_lower_floor_is_free(self) -> None:
        self.write("House/Attic/Shelf.swift", "struct Shelf { var jar: Jar }\n")
        self.list(floors="House: Cellar < Attic")
        self.expect()

    def test_an_extension_of_a_type_of_an_upper_floor_climbs(self) -> None:
        self.write("House/Attic/Jar+shelf.swift", "extension Jar {}\n")
        self.expect("'House: Attic uses Cellar'")

    def test_a_member_that_only_an_upper_floor_adds_climbs(self) -> None:
        self.write("House/Attic/Shelf.swift", "func count() -> Int { 3.jars }\n")
        self.expect("'House: Attic uses Cellar'")

    def test_a_member_whose_name_several_declare_says_nothing(self) -> None:
        self.write("House/Attic/Shelf.swift", "struct Shelf { var jars = 3 }\nfunc count(_ shelf: Shelf) -> Int { shelf.jars }\n")
        self.expect()

    def test_words_of_comments_and_strings_say_nothing(self) -> None:
        self.write("House/Attic/Shelf.swift", '// A Jar.\n/* Jar */\nlet text = "Jar"\n')
        self.expect()

    def test_an_interpolation_says_something(self) -> None:
        self.write("House/Attic/Shelf.swift", 'let text = "a \\(Jar().lid)"\n')
        self.expect("'House: Attic uses Cellar'")

    def test_a_nested_type_belongs_to_its_own_type(self) -> None:
        self.write("House/Cellar/Jar.swift", "struct Jar {\n  struct Lid {}\n}\n")
        self.write("House/Attic/Shelf.swift", "struct Shelf {\n  struct Lid {}\n  var lid = Lid()\n}\n")
        self.expect()

    def test_a_member_whose_name_another_target_declares_says_nothing(self) -> None:
        self.write("Garden/Jars.swift", "extension Double {\n  var jars: Int { 0 }\n}\n")
        self.write("House/Attic/Shelf.swift", "func count() -> Int { 3.0.jars }\n")
        self.expect()

    def test_each_name_of_a_list_of_cases_says_nothing(self) -> None:
        self.write("House/Attic/Shelf.swift", "enum Goods { case apples, jars }\nlet goods = Goods.jars\n")
        self.expect()

    def test_another_target_is_no_folder(self) -> None:
        self.write("Garden/Attic/Shelf.swift", "struct Shelf { var jar: Jar }\n")
        self.expect()

    def test_a_listed_use_with_a_reason_is_allowed(self) -> None:
        self.write("House/Attic/Shelf.swift", "struct Shelf { var jar: Jar }\n")
        self.list("House: Attic uses Cellar: a jar is put on a shelf")
        self.expect()

    def test_a_listed_use_needs_a_reason(self) -> None:
        self.write("House/Attic/Shelf.swift", "struct Shelf { var jar: Jar }\n")
        self.list("House: Attic uses Cellar")
        self.expect("has no reason")

    def test_a_listed_use_that_no_file_needs_has_to_go(self) -> None:
        self.list("House: Attic uses Cellar: a jar is put on a shelf")
        self.expect("no file needs it any more")

    def test_the_count_of_the_list_is_right(self) -> None:
        self.list(count=1)
        self.expect("the first line of Scripts/floors.txt is to be '# 0 uses climb")

    def test_a_folder_without_a_floor_is_found(self) -> None:
        self.list(floors="House: Attic")
        self.expect("expected the folders that there are, each once: ['Attic', 'Cellar']")

    def test_a_target_with_several_folders_needs_floors(self) -> None:
        self.list(floors=None)
        self.expect("the floors of 'House' in Scripts/floors.txt are []")

    def test_an_eighteenth_target_is_one_too_many(self) -> None:
        for number in range(17):
            self.write(f"Target{number}/File.swift", "")
        self.expect("Sources has 18 targets of Swift, expected at most 17")
