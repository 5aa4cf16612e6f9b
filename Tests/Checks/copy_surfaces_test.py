# SPDX-License-Identifier: MIT
"""The copies of view models are cut out of the sources, and a copy that is not what the source has is found."""

from planted import Planted

CLASS = """/// A shelf.
public final class Shelf: ViewModel {
  @Observed var title = ""

  public static let surface = Surface<Shelf>(
    "shelf", .twoWay("title", \\.$title))
}
"""


class CopySurfacesTest(Planted):
    script = "copy-surfaces.py"

    def setUp(self) -> None:
        super().setUp()
        self.write("Demos/Shelf/Shelf.swift", f"// SPDX\nimport Euripus\n\n{CLASS}\nstruct Jar {{}}\n")
        self.write("Public/shelf.html", '<body data-vm-wire="/surfaces/shelf.txt">')
        self.copy = self.root / "Public" / "surfaces" / "shelf.txt"

    def test_a_copy_is_the_class_with_its_comment_and_the_name_of_its_file(self) -> None:
        self.assertEqual(self.run_script(), "")
        self.assertEqual(self.copy.read_text(), "// Demos/Shelf/Shelf.swift\n\n" + CLASS)
        self.assertEqual(self.run_script("--check"), "")

    def test_a_source_that_was_changed_since_is_found_and_the_copy_left_as_it_was(self) -> None:
        self.run_script()
        self.write("Demos/Shelf/Shelf.swift", CLASS.replace("title", "name"))
        self.assertIn("Public/surfaces is not what Demos has", self.run_script("--check"))
        self.assertIn("title", self.copy.read_text())

    def test_a_copy_that_no_page_names_is_found_and_taken_away(self) -> None:
        self.run_script()
        self.write("Public/surfaces/other.txt", "old")
        self.assertIn("Public/surfaces is not what Demos has", self.run_script("--check"))
        self.run_script()
        self.assertEqual([path.name for path in self.copy.parent.iterdir()], ["shelf.txt"])

    def test_a_page_that_names_a_view_model_of_no_class_is_found(self) -> None:
        self.write("Public/jar.html", '<body data-vm-wire="/surfaces/jar.txt">')
        self.assertIn("no class in Demos has the surface of jar", self.run_script("--check"))
