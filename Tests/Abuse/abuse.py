#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Attacks on a server, one after the other, each beside a client that is no attacker (Documentation/SECURITY.md).

For each: the 99th percentile of that client's requests is at most 50 ms throughout, and no request of it fails, but
for one gap of at most 200 ms a trap. The server's memory stays below its bound, and afterwards comes back to within a
fifth of its size before, or 4 MiB where a fifth is less.

Usage: Tests/Abuse/abuse.py [--seconds N] [ATTACK…]"""

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

import attacks
from servers import BUILT, MIB, Beside, Server, abused, demos

P99_MS, GAP_MS = 50, 200
# Seconds within which the server gives memory back.
AFTER = 30
# The bytes by which memory may always differ. Before the attack few threads have run. Afterwards the allocator has
# an arena of 128 KiB or more for each of up to eight threads a core, and does not give it back. The pool's 64
# threads have stacks as well. All that takes some MiB, however little is kept, which is more than a fifth of a
# server with less than 20 MiB.
SLACK = 4 * MIB
# The memory of the server itself, beside that of its sessions.
OWN = 64 * MIB
BUDGET = 64 * MIB


@dataclass
class Attack:
    run: Callable[[Server, float], str]
    start: Callable[[Path], Server]
    #: The model, the value and the text of the client beside.
    beside: tuple[str, str, str] = ("login", "username", '"beside"')
    #: The most memory that the server may have.
    memory: int = OWN
    #: Gaps that the client beside may see.
    gaps: int = 0
    is_tls: bool = False
    #: The seconds for which sessions stay that no client uses.
    idle: float = 0


def _with_file(directory: Path) -> Server:
    with open(directory / "big.bin", "wb") as file:
        file.truncate(16 * MIB)
    return Server([str(BUILT / "euripus"), "serve", "--port", "0", "--public", str(directory)], r":(\d+)/$")


def _trapping(directory: Path) -> Server:
    return Server([str(BUILT / "TrappingServer"), str(directory), "20", "0", "5", "20", str(directory / "sessions.db")], r" (\d+)$")


def _tls(directory: Path) -> Server:
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1", "-subj",
         "/CN=localhost", "-keyout", str(directory / "key.pem"), "-out", str(directory / "cert.pem")],
        check=True, stderr=subprocess.DEVNULL)
    return demos("--tls-cert", str(directory / "cert.pem"), "--tls-key", str(directory / "key.pem"))


ATTACKS = {
    "slow-actions": Attack(attacks.slow_actions, lambda _: abused(), ("growing", "", ""), idle=6),
    "list-work": Attack(attacks.list_work, lambda _: demos()),
    "big-states": Attack(attacks.big_states, lambda _: abused(BUDGET), ("growing", "", ""), memory=BUDGET + OWN, idle=6),
    "full-table": Attack(attacks.full_table, lambda _: demos("--max-sessions", "1000", "--idle", "20"), idle=21),
    "tls-hellos": Attack(attacks.tls_hellos, _tls, is_tls=True),
    "big-files": Attack(attacks.big_files, _with_file),
    "stalled-log": Attack(
        attacks.stalled_log, lambda _: demos("--log-requests", "yes", "--log-level", "debug", reads_log=False)),
    "traps": Attack(attacks.traps, _trapping, ("trap", "note", '"beside"'), gaps=3),
    "new-traps": Attack(attacks.new_traps, _trapping, ("trap", "note", '"beside"'), gaps=3),
}


def _watched(server: Server, attack: Attack, seconds: float) -> tuple[str, int]:
    """The attack's report, and the most memory that the server had meanwhile."""
    most, is_over = server.resident, threading.Event()

    def watch() -> None:
        nonlocal most
        while not is_over.wait(0.05):
            most = max(most, server.resident)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        return attack.run(server, time.monotonic() + seconds), most
    finally:
        is_over.set()
        watcher.join()


def _after(server: Server, idle: float, before: int) -> int:
    """The bytes of memory once unused sessions have gone. The server gives memory back by and by, so it has AFTER
    seconds."""
    time.sleep(idle)
    end = time.monotonic() + AFTER
    while server.resident > before * 1.2 and time.monotonic() < end:
        time.sleep(0.1)
    return server.resident


def judge(name: str, attack: Attack, seconds: float) -> list[str]:
    """Runs an attack, and gives the broken promises."""
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as directory, attack.start(Path(directory)) as server:
        beside = Beside(server.port, *attack.beside, is_tls=attack.is_tls)
        time.sleep(1)
        before = most = server.resident
        done = ""
        try:
            done, most = _watched(server, attack, seconds)
        except attacks.Failed as failure:
            wrong.append(str(failure))
        found = beside.end()
        after = _after(server, attack.idle, before)
    times = sorted(found["times"])
    p99 = times[len(times) * 99 // 100]
    print(f"{name}: {done}; {len(times)} requests beside it: p50 {statistics.median(times):.1f}, p99 {p99:.1f}, worst {times[-1]:.1f} ms, "
          f"gaps {[round(gap) for gap in found['gaps']]} ms; memory {before // MIB}, at most {most // MIB}, then {after // MIB} MiB", flush=True)
    if p99 > P99_MS:
        wrong.append(f"the 99th percentile of a request beside it was {p99:.1f} ms, expected {P99_MS} at most")
    if len(found["gaps"]) > attack.gaps or any(gap > GAP_MS for gap in found["gaps"]):
        wrong.append(f"expected {attack.gaps} gaps of {GAP_MS} ms at most, there were {found['gaps']}")
    if found["refused"]:
        wrong.append(f"requests beside it were refused: {found['refused']}")
    if most > attack.memory:
        wrong.append(f"the server had {most // MIB} MiB of memory, expected {attack.memory // MIB} at most")
    if after > max(before * 1.2, before + SLACK):
        wrong.append(f"the server had {after // MIB} MiB afterwards, and {before // MIB} MiB before")
    return [f"{name}: {each}" for each in wrong]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help=f"of {', '.join(ATTACKS)}; by default all")
    parser.add_argument("--seconds", type=float, default=20, help="how long each attack takes (20)")
    options = parser.parse_args()
    if unknown := set(options.attacks) - set(ATTACKS):
        parser.error(f"no attack {', '.join(sorted(unknown))}; expected some of {', '.join(ATTACKS)}")
    # Each slow reader and each hello has a socket, here and in the server.
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 8_192)), hard))
    wrong: list[str] = []
    for name in options.attacks or ATTACKS:
        wrong += judge(name, ATTACKS[name], options.seconds)
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
