# SPDX-License-Identifier: MIT
"""Puts a server under load with `client/load.c`, and returns its findings with the server's processor time."""

import json
import subprocess
from pathlib import Path

from figures import Failure
from serving import ROOT, Process, Session, machine_cpu_seconds, request

HERE = Path(__file__).resolve().parent
BUILT = ROOT / ".build/bench"
LOAD = BUILT / "load"
BARE = BUILT / "bare"
# Letters, so that it is never taken for a number, and 8 signs that client/talk.c overwrites with digits. Each
# name is a new one and a valid one, so each action changes the state in the same way.
NAME = '"user########"'


def build() -> None:
    """Compiles the programs in C."""
    BUILT.mkdir(parents=True, exist_ok=True)
    for program, sources, libraries in ((LOAD, HERE.glob("client/*.c"), []),
                                        (BARE, [HERE / "bare.c"], ["-lmicrohttpd", "-lpthread"])):
        subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, *sources, *libraries], check=True)


def action(port: int, session: Session, path: str = "usernameDidChange", body: str = NAME) -> bytes:
    return request(port, "POST", f"{session.url}/actions/{path}", session.cookie, body)


def poll(port: int, session: Session, version: str | None = None) -> bytes:
    """The bytes of a poll that waits longer than any measurement here lasts."""
    target = f"{session.url}/changes?since={version or session.version}"
    return request(port, "GET", target, session.cookie, fields="Prefer: wait=55\r\n")


def stream(port: int, session: Session, version: str | None = None) -> bytes:
    target = f"{session.url}/changes?since={version or session.version}"
    return request(port, "GET", target, session.cookie, fields="Accept: text/event-stream\r\n")


def actions(server: Process, requests: Path, connections: int, seconds: float) -> dict[str, float]:
    before, machine = server.cpu_seconds, machine_cpu_seconds()
    found = _run("actions", server.port, requests, connections, seconds, timeout=seconds + 30)
    spent, machine = server.cpu_seconds - before, machine_cpu_seconds() - machine
    count = found["count"]
    if not count:
        raise Failure(f"no action was answered within {seconds} s")
    # The processor time of other programs, as a share of one processor: it tells how quiet the machine was.
    others = max(0.0, machine - spent - found["client_cpu_us"] / 1e6) / found["seconds"]
    return {"requests/s": count / found["seconds"], "server us CPU": spent / count * 1e6, "p50 us": found["p50_us"],
            "p99 us": found["p99_us"], "client us CPU": found["client_cpu_us"] / count,
            "answer bytes": found["answer_bytes"], "others % CPU": others * 100}


def frames(server: Process, requests: Path, way: str, count: int) -> dict[str, float]:
    before = server.cpu_seconds
    found = _run("frames", server.port, requests, way, count, timeout=30 + count * 0.02)
    return {"p50 ms": found["p50_us"] / 1e3, "p99 ms": found["p99_us"] / 1e3, "max ms": found["max_us"] / 1e3,
            "server us CPU": (server.cpu_seconds - before) / count * 1e6}


def burst(server: Process, requests: Path, polls: Path) -> dict[str, float]:
    found = _run("burst", server.port, requests, polls, timeout=60)
    return {"first half ms": found["p50_us"] / 1e3, "last ms": found["max_us"] / 1e3}


def write(path: Path, requests: list[bytes]) -> Path:
    path.write_bytes(b"".join(b"%d\n%s" % (len(each), each) for each in requests))
    return path


def _run(*arguments: object, timeout: float) -> dict[str, float]:
    try:
        done = subprocess.run([LOAD, *map(str, arguments)], capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired as error:
        raise Failure(f"load {arguments[0]} has not ended within {timeout:.0f} s") from error
    if done.returncode:
        raise Failure(done.stderr.strip() or f"load ended with status {done.returncode}")
    return json.loads(done.stdout)
