# SPDX-License-Identifier: MIT
"""The packages that `euripus new` makes are in Swift as they are in Templates, and a difference is found."""

import subprocess

from planted import Planted


class EmbedTemplatesTest(Planted):
    script = "embed-templates.py"

    def setUp(self) -> None:
        super().setUp()
        subprocess.run(["git", "init", "-q", self.root], check=True)
        self.write("Templates/App/.gitignore", ".build/\n")
        self.write("Templates/App/Package.swift", 'let name = #"a "quoted" name"#  // \\(name) \\#(name) """# end\n')
        self.write("Templates/Counter/Package.swift", "\n")
        self.write("Public/euripus.js", "export {}\n")
        self.write("Public/euripus-page.css", "h1{}\n")
        self.write("Public/euripus-wire.css", "p{}\n")
        self.app = self.root / "Sources/EuripusTools/New/Embedded/NewFile+app.swift"
        self.assertEqual(self.run_script(), "")

    def test_a_file_is_a_literal_that_no_text_in_it_ends(self) -> None:
        self.assertIn('##"""\nlet name', self.app.read_text().replace("###", "##"))
        self.assertEqual(self.run_script("--check"), "")

    def test_a_template_that_was_changed_since_is_found(self) -> None:
        self.write("Templates/App/Package.swift", "let other = 1\n")
        self.assertIn("NewFile+app.swift in Sources/EuripusTools/New/Embedded is not what Templates", self.run_script("--check"))
        self.assertEqual(self.run_script(), "")
        self.assertIn("let other", self.app.read_text())

    def test_a_file_of_the_client_that_was_changed_since_is_found(self) -> None:
        self.write("Public/euripus.js", "export { other }\n")
        self.assertIn("NewFile+client.swift", self.run_script("--check"))

    def test_files_that_a_build_left_in_a_template_are_no_part_of_it(self) -> None:
        self.write("Templates/App/.build/debug.yaml", "built\n")
        self.assertEqual(self.run_script("--check"), "")

    def test_a_script_keeps_its_right_to_be_run(self) -> None:
        self.write("Templates/App/story.sh", "true\n")
        (self.root / "Templates/App/story.sh").chmod(0o755)
        self.run_script()
        self.assertIn('"story.sh", isExecutable: true', self.app.read_text())
