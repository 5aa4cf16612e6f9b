# SPDX-License-Identifier: MIT
"""The comparison of instructions finds a count that grew."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Scripts"))

from compare_counts import verdict  # noqa: E402


class CompareCountsTest(unittest.TestCase):
    def test_a_count_that_grew_by_more_than_its_tolerance_fails(self) -> None:
        self.assertEqual(
            verdict("action 1000 100000 105100 5", "abc"),
            ("action, 1000 times: 105100 instructions, 100000 at abc: +5.10 %, more than 5 %: FAILED", False))

    def test_a_count_within_its_tolerance_passes(self) -> None:
        self.assertTrue(verdict("action 1000 100000 105000 5", "abc")[1])

    def test_a_program_that_counted_nothing_fails(self) -> None:
        for before, now in [(100, 0), (0, 100), (100, -5)]:
            self.assertFalse(verdict(f"action 1000 {before} {now} 5", "abc")[1])

    def test_a_count_that_shrank_passes(self) -> None:
        self.assertTrue(verdict("action 1000 100000 50000 5", "abc")[1])
