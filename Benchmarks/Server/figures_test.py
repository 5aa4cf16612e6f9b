# SPDX-License-Identifier: MIT
"""The figures that are made of the numbers of several rounds."""

import unittest
from itertools import count

from figures import Failure, Figure, Measured, in_turn, median, metric, ratio, tidy


class FiguresTests(unittest.TestCase):
    def test_cases_take_turns(self) -> None:
        order: list[str] = []

        def case(name: str):
            return lambda: (order.append(name), {"ms": float(len(order))})[1]

        measured = Measured("Turns", "")
        in_turn({"a": case("a"), "b": case("b")}, 3, measured, lambda _: None)
        self.assertEqual(order, ["a", "b"] * 3)
        self.assertEqual(measured.cases["b"]["ms"].rounds, [2, 4, 6])

    def test_a_case_that_fails_is_said_and_does_not_stop_the_others(self) -> None:
        numbers = count(1)

        def failing() -> dict[str, float]:
            if next(numbers) == 2:
                raise Failure("expected an answer, got none")
            return {"ms": 1}

        measured = Measured("Turns", "")
        in_turn({"a": failing, "b": lambda: {"ms": 2.0}}, 3, measured, lambda _: None)
        self.assertEqual(measured.failures, ["Turns, a, round 2: expected an answer, got none"])
        self.assertEqual(measured.cases["a"]["ms"].rounds, [1])
        self.assertEqual(measured.cases["b"]["ms"].rounds, [2, 2, 2])

    def test_a_ratio_is_the_median_of_the_rounds_ratios(self) -> None:
        # The machine is half as fast in the second round, for both.
        cases = {"a": {"ms": Figure([10, 20, 12])}, "b": {"ms": Figure([20, 40, 20])}}
        self.assertEqual(ratio(cases, "a", "b", "ms"), 0.5)

    def test_a_case_that_failed_has_no_metric(self) -> None:
        measured = Measured("", "", {"a": {"ms": Figure([1])}})
        metric(measured, "missing", ratio(measured.cases, "a", "b", "ms"))
        metric(measured, "absent", median(measured.cases, "b", "ms"))
        metric(measured, "there", median(measured.cases, "a", "ms"))
        self.assertEqual(measured.metrics, {"there": 1})

    def test_numbers_have_four_digits(self) -> None:
        self.assertEqual([tidy(each) for each in (0, 0.123456, 12.0, 99.996, 123_456.7)], [0, 0.1235, 12, 100, 123_457])
        self.assertEqual(Figure([3, 1, 2]).json(), {"median": 2, "least": 1, "greatest": 3, "rounds": [3, 1, 2]})
