#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the hops of an action: the calls that a reader has to follow from the socket to the answer.

Callgrind runs the debug server, in which nothing is inlined, for a hundred actions of the login demo. A hop is a call
from a function of one file of Sources to one of another file that carries at least 1 % of an action's instructions,
so that a getter is none. It is looked for below the loop's reading of a socket and the pool's work alone, as timers run
when they like. Functions that the compiler has made, and those of libraries, are passed through. The debug
information says which file a function is of.

Usage: count_hops.py [--way] [--renew] SERVER
The counts are compared with the line of Documentation/ARCHITECTURE.md that quotes them, and the status is 1 if one grew. The
comparison leaves out calls of less than 1.1 %, as instructions vary a little with time. --way prints the hops, those
with the most instructions first. --renew writes the line.
"""

import argparse
import collections
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "Documentation" / "ARCHITECTURE.md"
QUOTED = re.compile(r"\*\*(\d+) hops between (\d+) files; (\d+) files of `Sources` take part\.\*\*")
# The functions below which the work for requests is done.
BEGINNINGS = re.compile(r"^(EventLoop\.runEngine|WorkerPool\.work)\b")
WARM, COUNTED = 20, 100

sys.path.insert(0, str(ROOT / "Benchmarks" / "Server"))


class Profile:
    """The calls of a callgrind file: how often each function called another, and the instructions of those calls."""

    def __init__(self, lines: list[str]) -> None:
        self.calls: collections.Counter[tuple[str, str]] = collections.Counter()
        self.carried: collections.Counter[tuple[str, str]] = collections.Counter()
        names: dict[str, str] = {}

        def named(text: str) -> str:
            number, name = re.match(r"\((\d+)\)(?: (.*))?$", text).groups()
            if name is not None:
                # A function that calls itself is told apart by a number, which says nothing here.
                names[number] = re.sub(r"'\d+$", "", name)
            return names[number]

        function = callee = ""
        calls = 0
        for line in lines:
            key, _, value = line.partition("=")
            if key == "fn":
                function = named(value)
            elif key == "cfn":
                callee = named(value)
            elif key == "calls":
                calls = int(value.split()[0])
            elif re.match(r"[-+*\d]", line):
                cost = int(line.split()[1])
                if calls:
                    self.calls[function, callee] += calls
                    self.carried[function, callee] += cost
                    calls = 0

    def of_one(self, count: int) -> "Profile":
        """The calls that each of `count` actions makes, and the instructions of one.

        A thread of the pool that is still at work takes the next action in the same call. So a function that is called
        less often than there are actions makes its calls each time that it is called."""
        entered: collections.Counter[str] = collections.Counter()
        for (_, callee), calls in self.calls.items():
            entered[callee] += calls
        each = Profile([])
        for call, calls in self.calls.items():
            if calls >= 0.9 * min(count, entered[call[0]]):
                each.calls[call] = calls
                each.carried[call] = self.carried[call] / count
        return each


def calls_of(profile: Profile, files: dict[str, str], names: dict[str, str], share: float) -> dict[tuple[str, str], float]:
    """The calls below the beginnings from one function of Sources to another, each with its share of an action's
    instructions. `files` has the functions that are of Sources."""
    beginnings = [function for function in files if BEGINNINGS.match(names[function])]
    if len({names[function].split("(")[0] for function in beginnings}) != 2:
        raise ValueError(f"the profile has not both functions of '{BEGINNINGS.pattern}': {beginnings}")
    total = sum(cost for (caller, _), cost in profile.carried.items() if caller in beginnings)
    below = collections.defaultdict(set)
    for (caller, callee), cost in profile.carried.items():
        if cost >= share * total:
            below[caller].add(callee)

    def next_ones(function: str, passed: set[str]) -> set[str]:
        found = set()
        for callee in below[function] - passed:
            passed.add(callee)
            found |= {callee} if callee in files else next_ones(callee, passed)
        return found

    costs: collections.Counter[str] = collections.Counter()
    for (_, callee), cost in profile.carried.items():
        costs[callee] = max(costs[callee], cost)
    calls = {}
    todo, seen = list(beginnings), set(beginnings)
    while todo:
        function = todo.pop()
        for callee in next_ones(function, {function}):
            calls[function, callee] = costs[callee] / total
            if callee not in seen:
                seen.add(callee)
                todo.append(callee)
    return calls


def hops_of(profile: Profile, files: dict[str, str], names: dict[str, str], share: float) -> dict[tuple[str, str], float]:
    """The hops, each with its share of an action's instructions."""
    return {call: cost for call, cost in calls_of(profile, files, names, share).items() if files[call[0]] != files[call[1]]}


def files_of(server: str, functions: set[str]) -> dict[str, str]:
    """The file of each function of Sources, from Sources on."""
    addresses = {}
    for line in subprocess.run(["nm", "--defined-only", server], capture_output=True, text=True, check=True).stdout.splitlines():
        address, kind, *name = line.split()
        if kind in "tTwW" and name[0] in functions:
            addresses[name[0]] = address
    symbolizer = Path(os.path.realpath(subprocess.run(["which", "swift"], capture_output=True, text=True, check=True).stdout.strip())).parent / "llvm-symbolizer"
    places = subprocess.run(
        [symbolizer, f"--obj={server}", "--functions=none", "--no-inlines"], input="\n".join("0x" + each for each in addresses.values()),
        capture_output=True, text=True, check=True).stdout.strip().split("\n\n")
    places = {name: place.splitlines()[0] for name, place in zip(addresses, places, strict=True)}
    return {name: place.split("/Sources/")[1].split(":")[0] for name, place in places.items() if "/Sources/" in place}


def readable(functions: set[str]) -> dict[str, str]:
    ordered = sorted(functions)
    lines = subprocess.run(["swift", "demangle", "--simplified", "--compact"], input="\n".join(ordered), capture_output=True, text=True, check=True).stdout
    return dict(zip(ordered, lines.splitlines(), strict=True))


def profile_of(server: str) -> Profile:
    """The profile of COUNTED actions, without the server's start and the first actions."""
    import instructions

    with tempfile.TemporaryDirectory() as folder:
        # valgrind cannot read the debug information that Swift 6.3 writes.
        program, counts = Path(folder) / "server", Path(folder) / "counts"
        subprocess.run(["strip", "-g", "-o", program, server], check=True)
        process = subprocess.Popen(
            ["valgrind", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={counts}", program, "serve", "--port", "0", "--users", "",
             "--loops", "1", "--actions-per-second", "0", "--action-time", "0", "--openings-per-minute", "0"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT, env={**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"})

        def control(order: str) -> None:
            subprocess.run(["callgrind_control", order, str(process.pid)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        try:
            line = process.stdout.readline().strip()
            started = re.search(r":(\d+)/$", line)
            if not started:
                sys.exit(f"the server did not start under valgrind: expected its URL, found '{line}'; try '{server} serve --port 0'")
            port = int(started.group(1))
            instructions.drive(port, "action", WARM)
            control("--zero")
            instructions.drive(port, "action", COUNTED)
            control("--dump")
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(300)
        return Profile(Path(f"{counts}.1").read_text().splitlines())


def judge(page: str, hops: int, between: int, taking_part: int) -> str | None:
    """The fault of the counts, or nothing."""
    quoted = QUOTED.search(page)
    if not quoted:
        return f"{PAGE.name} quotes no count: expected a line '{QUOTED.pattern}'"
    found = (hops, between, taking_part)
    if any(count > int(most) for count, most in zip(found, quoted.groups(), strict=True)):
        return (f"{hops} hops between {between} files, with {taking_part} files taking part, more than {PAGE.name} quotes: "
                f"{' and '.join(quoted.groups())}; '{Path(__file__).name} --way SERVER' prints them")
    return None


def files_between(hops: Iterable[tuple[str, str]], files: dict[str, str]) -> int:
    return len({files[function] for hop in hops for function in hop})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--way", action="store_true")
    parser.add_argument("--renew", action="store_true")
    parser.add_argument("server")
    options = parser.parse_args()
    each = profile_of(options.server).of_one(COUNTED)
    functions = {function for call in each.calls for function in call}
    files, names = files_of(options.server, functions), readable(functions)
    hops = hops_of(each, files, names, 0.01)
    # Timers take no part: they act more often where an action takes longer.
    taking_part = files_between(calls_of(each, files, names, 0), files)
    line = f"**{len(hops)} hops between {files_between(hops, files)} files; {taking_part} files of `Sources` take part.**"
    if options.way:
        for (caller, callee), share in sorted(hops.items(), key=lambda hop: -hop[1]):
            print(f"{share:6.1%}  {files[caller]}: {names[caller]} -> {files[callee]}: {names[callee]}")
    print(line)
    page = PAGE.read_text()
    if options.renew:
        PAGE.write_text(QUOTED.sub(line, page))
    else:
        sure = hops_of(each, files, names, 0.011)
        if fault := judge(page, len(sure), files_between(sure, files), taking_part):
            sys.exit(fault)


if __name__ == "__main__":
    main()
