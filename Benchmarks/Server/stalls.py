# SPDX-License-Identifier: MIT
"""Stalls: sessions whose actions block a thread for 3 s each, over and over, and beside them one client that
asks for what has nothing to do with these: the list of view models, an action of another session, and the frame
of a poll that waits there."""

import statistics
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from figures import Failure, Figure, Measured, metric
from growing import GrowingServer
from plan import Plan
from serving import Client

BLOCKED, BLOCK_MS = 32, 3_000


def measure(plan: Plan) -> Measured:
    measured = Measured("Stalls", __doc__)
    seconds = plan.amount(15.0, 4.0)
    for blocked in (0, BLOCKED):
        with GrowingServer() as server:
            found = _beside(server, blocked, seconds)
        case = f"beside {blocked} sessions that block"
        for what, times in found.items():
            ordered = sorted(times)
            p99 = ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]
            figures = {"requests": len(times), "p50 ms": statistics.median(times), "p99 ms": p99, "max ms": ordered[-1]}
            measured.cases[f"{what}, {case}"] = {unit: Figure([value]) for unit, value in figures.items()}
            plan.tell(f"{what}, {case}: p50 {figures['p50 ms']:.2f}, p99 {p99:.2f}, max {ordered[-1]:.2f} ms")
            if blocked:
                metric(measured, f"stalled_{what.split()[-1].strip('/')}_p99_ms", p99)
    return measured


def _beside(server: GrowingServer, blocked: int, seconds: float) -> dict[str, list[float]]:
    stops = threading.Event()
    with ThreadPoolExecutor(max(1, blocked)) as pool:
        blocks = [pool.submit(_block, server.port, stops) for _ in range(blocked)]
        try:
            # By then each of these sessions has an action at work.
            time.sleep(1 if blocked else 0)
            found = _ask(server.port, seconds)
        finally:
            stops.set()
    # A thread that failed raises here.
    if blocks and min(block.result() for block in blocks) < seconds / (BLOCK_MS / 1e3):
        raise Failure(f"expected each of {blocked} sessions to block all the time")
    return found


def _block(port: int, stops: threading.Event) -> int:
    """Blocks a session until `stops` is set. Returns the number of blocks."""
    client = Client(port)
    session = client.open("blocking")
    count = 0
    while not stops.is_set():
        client.ask("POST", f"{session.url}/actions/block", session.cookie, str(BLOCK_MS))
        count += 1
    client.close()
    return count


def _ask(port: int, seconds: float) -> dict[str, list[float]]:
    acting, polling = Client(port), Client(port)
    session = acting.open("observed")
    version = session.version
    found: dict[str, list[float]] = {"GET /models": [], "an action": [], "a frame": []}
    end = time.monotonic() + seconds
    number = 0
    while time.monotonic() < end:
        number += 1
        begun = time.monotonic()
        acting.ask("GET", "/models")
        found["GET /models"].append((time.monotonic() - begun) * 1e3)
        polling.send("GET", f"{session.url}/changes?since={version}", session.cookie, fields="Prefer: wait=50\r\n")
        # So that the poll waits when the action comes.
        time.sleep(0.002)
        begun = time.monotonic()
        head, _ = acting.ask("POST", f"{session.url}/actions/change", session.cookie, f'"text {number}"')
        found["an action"].append((time.monotonic() - begun) * 1e3)
        polling.receive()
        found["a frame"].append((time.monotonic() - begun) * 1e3)
        version = head.split('ETag: "')[1].split('"')[0]
    acting.close()
    polling.close()
    return found
