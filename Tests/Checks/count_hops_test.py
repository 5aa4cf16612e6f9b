# SPDX-License-Identifier: MIT
"""The count of hops follows the calls of a profile, and finds one that is planted."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Scripts"))

from count_hops import Profile, calls_of, files_between, hops_of, judge  # noqa: E402

FILES = {"loop": "A/EventLoop.swift", "pool": "A/WorkerPool.swift", "look": "A/EventLoop.swift", "route": "B/Route.swift", "answer": "C/Answer.swift"}
NAMES = {"loop": "EventLoop.runEngine(_:)", "pool": "WorkerPool.work(_:_:)", "look": "EventLoop.look()", "route": "Route.find()", "answer": "Answer.write()"}


def hops(*extra: str) -> set[tuple[str, str]]:
    """The hops of a hundred actions in which a loop calls a library, and that a route."""
    profile = Profile(["fn=(1) loop", "5 1000", "cfn=(2) MHD_run", "calls=100 0", "5 90000", "fn=(2)", "7 1000", "cfn=(3) route",
                       "calls=100 0", "7 80000", "fn=(3)", "9 99000", *extra])
    return set(hops_of(profile.of_one(100), FILES, NAMES, 0.01))


class CountHopsTest(unittest.TestCase):
    def test_a_call_through_a_library_is_a_hop(self) -> None:
        self.assertEqual(hops(), {("loop", "route")})

    def test_a_planted_call_of_another_file_is_one_more(self) -> None:
        self.assertEqual(hops("cfn=(4) answer", "calls=100 0", "9 5000"), {("loop", "route"), ("route", "answer")})

    def test_a_call_within_a_file_is_none(self) -> None:
        self.assertEqual(hops("fn=(1)", "cfn=(5) look", "calls=100 0", "5 50000"), {("loop", "route")})

    def test_a_call_that_carries_little_is_none(self) -> None:
        self.assertEqual(hops("cfn=(4) answer", "calls=100 0", "9 500"), {("loop", "route")})

    def test_a_call_that_not_every_action_makes_is_none(self) -> None:
        self.assertEqual(hops("cfn=(4) answer", "calls=50 0", "9 50000"), {("loop", "route")})

    def test_a_call_around_several_actions_is_a_hop(self) -> None:
        taken = ["fn=(7) pool", "2 10", "cfn=(8) answer", "calls=40 0", "2 50000", "fn=(8)", "3 10", "cfn=(3) route", "calls=100 0", "3 40000"]
        entered = ["fn=(9) thread", "1 10", "cfn=(7)", "calls=40 0", "1 50000"]
        self.assertEqual(hops(*taken, *entered), {("loop", "route"), ("pool", "answer"), ("answer", "route")})

    def test_files_take_part_below_the_beginnings_alone_however_little_they_do(self) -> None:
        lines = ["fn=(1) loop", "5 1000", "cfn=(2) route", "calls=100 0", "5 90000", "fn=(2)", "9 10", "cfn=(3) answer", "calls=100 0", "9 5",
                 "fn=(4) timer", "1 10", "cfn=(5) clock", "calls=100 0", "1 9000"]
        files = FILES | {"timer": "D/Timer.swift", "clock": "E/Clock.swift"}
        names = NAMES | {"timer": "Timer.act()", "clock": "Clock.now()"}
        self.assertEqual(files_between(calls_of(Profile(lines).of_one(100), files, names, 0), files), 3)

    def test_a_call_that_no_request_makes_is_none(self) -> None:
        self.assertEqual(hops("fn=(6) timer", "1 10", "cfn=(4) answer", "calls=100 0", "9 50000"), {("loop", "route")})

    def test_a_profile_without_the_beginnings_is_a_fault(self) -> None:
        with self.assertRaisesRegex(ValueError, "the profile has not both functions"):
            hops_of(Profile([]), {"look": FILES["look"]}, NAMES, 0.01)

    def test_a_count_above_the_quoted_one_is_a_fault(self) -> None:
        page = "**2 hops between 3 files; 4 files of `Sources` take part.**"
        self.assertIsNone(judge(page, 2, 3, 4))
        self.assertIn("3 hops between 3 files", judge(page, 3, 3, 4))
        self.assertIn("more than ARCHITECTURE.md quotes: 2 and 3 and 4", judge(page, 2, 4, 4))
        self.assertIn("5 files taking part", judge(page, 2, 3, 5))
        self.assertIn("quotes no count", judge("", 3, 3, 4))
