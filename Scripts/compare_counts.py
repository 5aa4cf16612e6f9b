#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares counts of instructions, and fails if one grew by more than its tolerance, or if there is none.

Usage: compare_counts.py BASE, where BASE is a name for the commit that came before. Each line of the input is
CASE ITERATIONS BEFORE NOW TOLERANCE, the last in percent.
"""

import sys


def verdict(line: str, base: str) -> tuple[str, bool]:
    """The sentence for a line, and whether it is good."""
    name, iterations, before, now, tolerance = line.split()
    if int(before) <= 0 or int(now) <= 0:
        return f"{name}: {before} instructions at {base} and {now} now, so a program counted none: FAILED", False
    change = (int(now) / int(before) - 1) * 100
    is_good = int(now) * 100 <= int(before) * (100 + int(tolerance))
    return (f"{name}, {iterations} times: {now} instructions, {before} at {base}: {change:+.2f} %"
            + ("" if is_good else f", more than {tolerance} %: FAILED"), is_good)


def main() -> int:
    lines = sys.stdin.read().splitlines()
    if len(sys.argv) != 2 or not lines:
        print(__doc__, file=sys.stderr)
        return 2
    verdicts = [verdict(line, sys.argv[1]) for line in lines]
    for sentence, _ in verdicts:
        print(sentence)
    return 0 if all(is_good for _, is_good in verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
