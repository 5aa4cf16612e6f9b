# SPDX-License-Identifier: MIT
"""A folder in which a test of a check plants faults, with a copy of the check's script if it is run there."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Scripts"))


class Planted(unittest.TestCase):
    # The name of the script in the folder Scripts.
    script = ""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        if self.script:
            self.write(f"Scripts/{self.script}", (ROOT / "Scripts" / self.script).read_text())

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_script(self, *arguments: str) -> str:
        """The words of a refusal; empty where there is none."""
        command = [sys.executable, "-B", str(self.root / "Scripts" / self.script), *arguments]
        return subprocess.run(command, capture_output=True, text=True).stderr
