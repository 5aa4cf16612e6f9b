# SPDX-License-Identifier: MIT
"""The files for coding agents are made of the guides, and a guide that was changed since is found."""

import shutil

from planted import ROOT, Planted

GUIDE = "Sources/Euripus/Euripus.docc/Forms.md"


class WriteForAgentsTest(Planted):
    script = "write-for-agents.py"

    def setUp(self) -> None:
        super().setUp()
        for place in ["Sources/Euripus/Euripus.docc", "Documentation", "Skills"]:
            shutil.copytree(ROOT / place, self.root / place)
        shutil.copy(ROOT / "llms.txt", self.root)

    def replace(self, before: str, after: str) -> None:
        guide = self.root / GUIDE
        self.assertIn(before, guide.read_text())
        guide.write_text(guide.read_text().replace(before, after))

    def test_the_files_of_this_project_are_those_that_its_guides_make(self) -> None:
        self.assertEqual(self.run_script("--check"), "")

    def test_a_first_sentence_that_was_changed_since_is_found_and_written(self) -> None:
        self.replace("Let people type,", "Let everybody type,")
        self.assertIn("llms.txt is not what the guides have", self.run_script("--check"))
        self.run_script()
        self.assertEqual(self.run_script("--check"), "")
        for file in ["llms.txt", "Skills/euripus/SKILL.md"]:
            self.assertIn("Let everybody type,", (self.root / file).read_text())

    def test_a_row_that_was_changed_since_is_found(self) -> None:
        self.replace("| types a password |", "| types a secret |")
        self.assertIn("Skills/euripus/SKILL.md is not what the guides have", self.run_script("--check"))

    def test_a_guide_without_a_part_that_the_skill_has_is_found(self) -> None:
        self.replace("### Field or plain value?", "### Which one?")
        self.assertIn("Forms.md has no heading '### Field or plain value?'", self.run_script("--check"))

    def test_the_links_of_the_skill_lead_somewhere(self) -> None:
        folder = self.root / "Skills/euripus"
        links = [part.split(")")[0].split("#")[0] for part in (folder / "SKILL.md").read_text().split("](")[1:]]
        self.assertGreater(len(links), 25)
        self.assertEqual([link for link in links if not link.startswith("http") and not (folder / link).is_file()], [])
