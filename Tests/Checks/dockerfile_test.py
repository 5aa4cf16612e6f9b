# SPDX-License-Identifier: MIT
"""The image's build has the folder of each target. SwiftPM wants all of them, whatever product it builds."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGET = re.compile(r"\.(target|executableTarget|testTarget|systemLibrary)\(")


def folders() -> list[str]:
    """The folder of each target of Package.swift."""
    targets = (ROOT / "Package.swift").read_text().split("targets: [\n", 1)[1]
    found = []
    pieces = TARGET.split(targets)[1:]
    for kind, text in zip(pieces[::2], pieces[1::2]):
        name = re.search(r'name: "(\w+)"', text).group(1)
        path = re.search(r'\bpath: "([^"]+)"', text)
        found.append(path.group(1) if path else f"{'Tests' if kind == 'testTarget' else 'Sources'}/{name}")
    return found


def lacking(sources: list[str]) -> list[str]:
    return [folder for folder in folders() if not any(f"{folder}/".startswith(f"{source}/") for source in sources)]


class DockerfileTest(unittest.TestCase):
    def test_the_folders_of_targets_are_there(self) -> None:
        self.assertIn("Sources/ViewModels", folders())
        self.assertIn("Benchmarks/Store", folders())
        self.assertEqual([folder for folder in folders() if not (ROOT / folder).is_dir()], [])

    def test_the_dockerfile_copies_the_folder_of_each_target(self) -> None:
        build = (ROOT / "Dockerfile").read_text().split("\nFROM ")[1]
        self.assertEqual(lacking(re.findall(r"^COPY (\S+) \1$", build, re.MULTILINE)), [])

    def test_docker_is_given_the_folder_of_each_target(self) -> None:
        self.assertEqual(lacking(re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)), [])

    def test_operations_names_the_options_of_the_command(self) -> None:
        command = (ROOT / "Dockerfile").read_text().split("\nCMD ")[1]
        page = (ROOT / "Documentation/OPERATIONS.md").read_text()
        listed = re.search(r"that the image's\ncommand gives as options \(([^)]*)\)", page).group(1)
        self.assertEqual(re.findall(r"`([\w-]+)`", listed), re.findall(r'"--([\w-]+)"', command))
