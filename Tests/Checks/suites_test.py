# SPDX-License-Identifier: MIT
"""The workflow and CONTRIBUTING.md name the suites that the Makefile has, and run-suites.sh reports them as they went."""

import re
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MAKEFILE = (ROOT / "Makefile").read_text().replace("\\\n", " ")


def goals(variable: str) -> list[str]:
    return re.search(rf"^{variable} = (.*)$", MAKEFILE, re.MULTILINE).group(1).split()


class SuitesTest(unittest.TestCase):
    def test_the_workflow_has_a_job_for_each_other_suite(self) -> None:
        workflow = (ROOT / ".github/workflows/test.yml").read_text()
        self.assertEqual(re.search(r"suite: \[(.*)\]", workflow).group(1).split(", "), goals("OTHER_SUITES"))

    def test_contributing_says_what_each_suite_is_for(self) -> None:
        page = (ROOT / "CONTRIBUTING.md").read_text()
        missing = [goal for goal in goals("SUITES") + goals("OTHER_SUITES") if f"`make {goal}`" not in page]
        self.assertEqual(missing, [])

    def test_the_lists_of_swift_tests_name_targets(self) -> None:
        package = (ROOT / "Package.swift").read_text()
        tests = set(re.findall(r'\.testTarget\(\s*name: "(\w+)"', package))
        programs = set(re.findall(r'\.executableTarget\(\s*name: "(\w+)"', package))
        listed = [*goals("STORE_TESTS"), *goals("PROCESS_TESTS"), *goals("DOCUMENT_TESTS")]
        self.assertEqual([name for name in listed if name not in tests], [])
        self.assertEqual(len(listed), len(set(listed)))
        self.assertEqual([name for name in goals("TESTED_PROGRAMS") if name not in programs], [])

    def test_a_run_goes_on_after_a_failure_and_ends_with_one(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            scripts = Path(folder) / "Scripts"
            scripts.mkdir()
            (scripts / "run-suites.sh").write_text((ROOT / "Scripts/run-suites.sh").read_text())
            (Path(folder) / "Makefile").write_text("good:\n\t@true\nbad:\n\t@false\n")
            run = subprocess.run(["bash", scripts / "run-suites.sh", "good", "bad", "good"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 1)
        lines = run.stdout.splitlines()
        self.assertEqual(lines[-1], "2 passed, 1 failed")
        self.assertRegex(lines[-4], r"^bad +0 s  FAILED: 'make bad' runs it alone$")
        self.assertRegex(lines[-3], r"^good +0 s  passed$")

    def test_ci_ends_with_the_counts_after_a_failure(self) -> None:
        for suites, last in [("good bad", "1 passed, 1 failed"), ("", "0 passed, 1 failed")]:
            with tempfile.TemporaryDirectory() as folder:
                for script in ["Scripts/run-suites.sh", ".ci/run"]:
                    (Path(folder) / script).parent.mkdir()
                    (Path(folder) / script).write_text((ROOT / script).read_text())
                recipe = f"bash Scripts/run-suites.sh {suites}" if suites else "false"
                (Path(folder) / "Makefile").write_text(f"good:\n\t@true\nbad:\n\t@false\ntest:\n\t@{recipe}\n")
                run = subprocess.run(["bash", Path(folder) / ".ci/run"], capture_output=True, text=True)
            self.assertEqual(run.returncode, 1)
            self.assertEqual(run.stdout.splitlines()[-1], last)
