# SPDX-License-Identifier: MIT
"""Start: from the call of exec to the first answer over HTTP, beside the other servers; and, if asked for, from
a fresh clone."""

import shutil
import subprocess
import time
from functools import partial

import load
import peers
from figures import Failure, Measured, in_turn, median, metric
from plan import Plan
from serving import ROOT, Client, Session

UNIT = "ms"


def measure(plan: Plan) -> Measured:
    measured = Measured("Start", __doc__)
    cases = {"Euripus": partial(_euripus, plan)}
    for name, begin in peers.PEERS.items():
        cases[name] = partial(_peer, plan, begin)
    in_turn(cases, plan.amount(15, 3), measured, lambda _: None)
    metric(measured, "start_ms", median(measured.cases, "Euripus", UNIT))
    if plan.clone:
        in_turn({"from a fresh clone": partial(_clone, plan)}, 1, measured, plan.tell)
    return measured


def _euripus(plan: Plan) -> dict[str, float]:
    begun = time.monotonic()
    with plan.serve() as server:
        Client(server.port).open("login")
        return {UNIT: (time.monotonic() - begun) * 1e3}


def _peer(plan: Plan, begin: object) -> dict[str, float]:
    begun = time.monotonic()
    with begin(600, plan.folder / "nginx") as server:
        post = load.action(server.port, Session("/sessions/login/x", "", "", None))
        client = Client(server.port)
        client.socket.sendall(post)
        status, _, _ = client.receive()
        if status != 200:
            raise Failure(f"expected 200, got {status}")
        return {UNIT: (time.monotonic() - begun) * 1e3}


def _clone(plan: Plan) -> dict[str, float]:
    """The time of git clone, make build and the first answer. Packages that SwiftPM has fetched before are in
    its cache."""
    copy = plan.folder / "clone"
    begun = time.monotonic()
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(copy)], check=True, timeout=120)
    built = subprocess.run(["make", "--no-print-directory", "build"], cwd=copy, capture_output=True, text=True, timeout=1_800)
    if built.returncode:
        raise Failure(f"make build in a fresh clone: {built.stderr[-500:]}")
    try:
        with Plan(str(copy / ".build/release/euripus"), plan.folder, True, False, plan.tell).serve() as server:
            Client(server.port).open("login")
            return {"s": time.monotonic() - begun}
    finally:
        shutil.rmtree(copy, ignore_errors=True)
