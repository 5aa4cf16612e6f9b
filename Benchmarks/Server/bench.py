#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the server beside its bounds and its alternatives, all in one run. Writes the results to
Benchmarks/results: server.json, server.md and the plots. `make bench` builds the programs first.

With --quick or --only the results go to .build/bench/results: they are of less, and must not take the place of the whole.
"""

import argparse
import dataclasses
import resource
import shlex
import sys
import tempfile
import time
import traceback
from pathlib import Path

sys.dont_write_bytecode = True

import action  # noqa: E402
import durability  # noqa: E402
import forward  # noqa: E402
import growth  # noqa: E402
import load  # noqa: E402
import memory  # noqa: E402
import nodes  # noqa: E402
import report  # noqa: E402
import rooms  # noqa: E402
import stalls  # noqa: E402
import start  # noqa: E402
import tables  # noqa: E402
import uploads  # noqa: E402
import wire  # noqa: E402
from figures import Measured  # noqa: E402
from plan import Plan  # noqa: E402
from serving import ROOT, SERVER  # noqa: E402

MEASUREMENTS = {"action": action.measure, "forward": forward.measure, "memory": memory.measure, "wire": wire.measure,
                "growth": growth.measure, "stalls": stalls.measure, "start": start.measure, "durability": durability.measure,
                "nodes": nodes.measure, "rooms": rooms.measure, "tables": tables.measure, "uploads": uploads.measure}


def main() -> int:
    parser = argparse.ArgumentParser(prog="make bench ARGS=…", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="everything with small counts, to see that it works: about a minute")
    parser.add_argument("--only", action="append", choices=MEASUREMENTS, default=[], help="may be given several times")
    parser.add_argument("--rounds", type=int, help="how often each case is measured, in turn")
    parser.add_argument("--clone", action="store_true", help="also from a fresh clone to the first answer: it builds all")
    parser.add_argument("--server", default=SERVER, help="the program that is measured")
    parser.add_argument("--output", type=Path, help="where the results are written")
    options = parser.parse_args()
    output = options.output or ROOT / (
        ".build/bench/results" if options.quick or options.only else "Benchmarks/results")
    # This process and the server each hold an end of 8,000 polls.
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))

    begun = time.monotonic()
    load.build()
    done: dict[str, Measured] = {}
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        plan = Plan(options.server, Path(folder), quick=options.quick, clone=options.clone, tell=_tell)
        if options.rounds:
            plan = dataclasses.replace(plan, rounds=options.rounds)
        for name in options.only or MEASUREMENTS:
            _tell(f"=== {name}")
            done[name] = _measured(name, plan)
    command = shlex.join(["make", "bench"] + ([f"ARGS={shlex.join(sys.argv[1:])}"] if sys.argv[1:] else []))
    report.write(output, done, command, time.monotonic() - begun)
    failures = [failure for measured in done.values() for failure in measured.failures]
    for failure in failures:
        print(f"FAILED {failure}", file=sys.stderr)
    return 1 if failures else 0


def _measured(name: str, plan: Plan) -> Measured:
    try:
        return MEASUREMENTS[name](plan)
    # No error of one measurement may lose the findings of the others.
    except Exception as error:
        traceback.print_exc()
        return Measured(name, "", failures=[f"{name}: {error}"])


def _tell(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
