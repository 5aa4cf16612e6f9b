# SPDX-License-Identifier: MIT
"""The figures of measurements: numbers of several rounds, their medians and their ratios."""

import statistics
from collections.abc import Callable
from dataclasses import dataclass, field


class Failure(Exception):
    """The error that ends a measurement. It says what happened, what was expected and what came."""


@dataclass
class Figure:
    """One quantity, measured once a round."""

    rounds: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        return statistics.median(self.rounds)

    def json(self) -> dict:
        return {"median": tidy(self.median), "least": tidy(min(self.rounds)), "greatest": tidy(max(self.rounds)),
                "rounds": [tidy(each) for each in self.rounds]}


Cases = dict[str, dict[str, Figure]]
"""The figures of each case, by names that say their unit."""


@dataclass
class Measured:
    """The findings of one measurement."""

    title: str
    about: str
    cases: Cases = field(default_factory=dict)
    metrics: dict[str, float] = field(default_factory=dict)
    plots: dict[str, str] = field(default_factory=dict)
    """SVG by the name of its file."""
    failures: list[str] = field(default_factory=list)


def in_turn(
    cases: dict[str, Callable[[], dict[str, float]]], rounds: int, measured: Measured, tell: Callable[[str], None]
) -> None:
    """Measures each case once a round (A B A B), so that a slow spell of the machine slows all of them. A case
    that fails is told and noted as a failure, and left out of later rounds."""
    failed = set()
    for number in range(rounds):
        for name, measure in cases.items():
            if name in failed:
                continue
            try:
                found = measure()
            # An error of any kind concerns this case alone.
            except Exception as error:
                failed.add(name)
                measured.failures.append(f"{measured.title}, {name}, round {number + 1}: {error}")
                tell(f"{name} FAILED: {error}")
                continue
            for unit, value in found.items():
                measured.cases.setdefault(name, {}).setdefault(unit, Figure()).rounds.append(value)
            tell(f"round {number + 1} of {rounds}: {name}: " + ", ".join(f"{tidy(v):,} {k}" for k, v in found.items()))


def ratio(cases: Cases, one: str, other: str, unit: str) -> float | None:
    """The median of the ratios of two cases, each ratio within one round. None where one of the cases has failed."""
    pairs = list(zip(_rounds(cases, one, unit), _rounds(cases, other, unit)))
    return tidy(statistics.median(a / b for a, b in pairs)) if pairs else None


def metric(measured: Measured, name: str, value: float | None) -> None:
    """Notes a metric, if it could be measured."""
    if value is not None:
        measured.metrics[name] = tidy(value)


def median(cases: Cases, name: str, unit: str) -> float | None:
    rounds = _rounds(cases, name, unit)
    return statistics.median(rounds) if rounds else None


def tidy(value: float) -> float:
    """A number with four significant digits, or as a whole number from 1,000 on: more digits are noise."""
    if value == 0 or abs(value) >= 1_000:
        return int(round(value))
    short = float(f"{value:.4g}")
    return int(short) if short == int(short) else short


def _rounds(cases: Cases, name: str, unit: str) -> list[float]:
    return cases[name][unit].rounds if name in cases and unit in cases[name] else []
