#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Attacks on a server, one after the other, each beside a client that is no attacker (Documentation/SECURITY.md).

For each: that client has twenty rounds at least. All its requests are answered as they should be, each write before the
read after it, and its connection breaks once a trap at most. The server's memory stays below its bound, and afterwards
comes back to within a fifth of its size before, or 4 MiB where a fifth is less (but for an attack on the store, as its
`gives_back` says). Where an attack has a bound for it, the
server's processor time for one of its requests is at most so many times that for one of the client's before the attack.
The times of that client's answers and gaps are figures: they depend on the machine, so no limit holds for them here.

Usage: Tests/Abuse/abuse.py [--built DIRECTORY] [--seconds N] [ATTACK…]"""

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

import attacks
from beside import Beside
from servers import MIB, PATIENCE, ROOT, Server

# The bytes by which memory may always differ. Before the attack few threads have run. Afterwards the allocator has
# an arena of 128 KiB or more for each of up to eight threads a core, and does not give it back. The pool's 64
# threads have stacks as well. All that takes some MiB, however little is kept, which is more than a fifth of a
# server with less than 20 MiB.
SLACK = 4 * MIB
# The memory of the server itself, beside that of its sessions.
OWN = 64 * MIB
BUDGET = 64 * MIB
# The memory of all connections that may be open at once, of some 25 KiB each (Decisions/0020).
CONNECTIONS = 9_900 * 25 * 1024


@dataclass
class Attack:
    run: Callable[[Server, attacks.Span], attacks.Done]
    #: The command of the server, by the directories of the programs and of its files.
    command: Callable[[Path, Path], list[str]]
    #: The model of the client beside, and the value that it writes.
    beside: tuple[str, str] = ("login", "username")
    #: The most memory that the server may have.
    memory: int = OWN
    #: Whether its memory is to come back. Sessions that leave for the store are made beside things that stay, and the
    #: allocator gives back whole pages only, so most of what they had stays for the next ones.
    gives_back: bool = True
    #: The most processor time for a request of the attack, in requests of the client beside.
    cost: float | None = None
    is_tls: bool = False
    reads_log: bool = True


def _demos(*options: str) -> Callable[[Path, Path], list[str]]:
    return lambda built, _: [str(built / "euripus"), "serve", "--port", "0", "--public", str(ROOT / "Public"), *options]


def _abused(*arguments: int | str) -> Callable[[Path, Path], list[str]]:
    return lambda built, _: [str(built / "AbusedServer"), *map(str, arguments)]


def _with_file(built: Path, directory: Path) -> list[str]:
    with open(directory / "big.bin", "wb") as file:
        file.truncate(16 * MIB)
    return [str(built / "euripus"), "serve", "--port", "0", "--public", str(directory)]


def _stored(built: Path, directory: Path) -> list[str]:
    return _demos(
        "--store", str(directory / "sessions.db"), "--max-store", str(attacks.FULL_STORE), "--max-memory", str(BUDGET),
        "--idle", "20", "--openings-per-minute", "0")(built, directory)


def _trapping(built: Path, directory: Path) -> list[str]:
    patience = str(PATIENCE)
    return [str(built / "TrappingServer"), str(directory), "20", "0", patience, patience, str(directory / "sessions.db")]


def _tls(built: Path, directory: Path) -> list[str]:
    key, certificate = str(directory / "key.pem"), str(directory / "cert.pem")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1", "-subj",
         "/CN=localhost", "-keyout", key, "-out", certificate],
        check=True, stderr=subprocess.DEVNULL)
    return _demos("--tls-cert", certificate, "--tls-key", key)(built, directory)


SLOW = _demos("--max-connections-per-address", "2000")
GROWING, TRAP = ("growing", ""), ("trap", "note")
ATTACKS = {
    "slow-actions": Attack(attacks.slow_actions, _abused(), GROWING),
    "list-work": Attack(attacks.list_work, _demos(), cost=20),
    "big-states": Attack(attacks.big_states, _abused(BUDGET), GROWING, memory=BUDGET + OWN),
    "big-secrets": Attack(attacks.big_secrets, _abused(BUDGET), GROWING, memory=BUDGET + OWN),
    "full-table": Attack(attacks.full_table, _demos("--max-sessions", "1000", "--idle", "20")),
    "full-store": Attack(attacks.full_store, _stored, memory=BUDGET + OWN, gives_back=False),
    "tls-hellos": Attack(attacks.tls_hellos, _tls, is_tls=True),
    "big-files": Attack(attacks.big_files, _with_file),
    "slow-heads": Attack(attacks.slow_heads, SLOW, cost=5),
    "slow-bodies": Attack(attacks.slow_bodies, SLOW, cost=5),
    "stalled-uploads": Attack(attacks.stalled_uploads, _abused("untimed"), GROWING, cost=20),
    # Ten thousand small rows leave whole pages in use. A second run of the same takes no more.
    "many-slots": Attack(attacks.many_slots, _abused(), GROWING, cost=20, gives_back=False),
    "many-addresses": Attack(attacks.many_addresses, _demos("--max-connections", "9900"), memory=OWN + CONNECTIONS),
    "stalled-log": Attack(
        attacks.stalled_log, _demos("--log-requests", "yes", "--log-level", "debug"), reads_log=False, cost=5),
    "traps": Attack(attacks.traps, _trapping, TRAP),
    "new-traps": Attack(attacks.new_traps, _trapping, TRAP),
}


def _after(server: Server, most: float) -> int:
    """The bytes of memory once they are so few; the server gives memory back by and by."""
    end = time.monotonic() + PATIENCE
    while server.resident > most and time.monotonic() < end:
        time.sleep(0.1)
    return server.resident


def judge(name: str, attack: Attack, built: Path, seconds: float) -> list[str]:
    """Runs an attack, and gives the broken promises."""
    wrong: list[str] = []
    with (tempfile.TemporaryDirectory() as directory,
          Server(attack.command(built, Path(directory)), attack.reads_log) as server):
        fresh = server.cpu
        beside = Beside(server.port, *attack.beside, is_tls=attack.is_tls)
        begun, before, done = server.cpu, server.resident, attacks.Done("it failed")
        calm = (begun - fresh) / beside.calm
        try:
            done = attack.run(server, attacks.Span(seconds, beside))
        except attacks.Failed as failure:
            wrong.append(str(failure))
        taken, most = server.cpu - begun, server.most_resident
        found = beside.end()
        returned = max(before * 1.2, before + SLACK) if attack.gives_back else attack.memory
        after = _after(server, returned)
    times, gaps = sorted(found["times"]) or [0.0], found["gaps"]
    cost = (taken - calm * len(times)) / max(1, done.requests) / max(calm, 1e-5)
    print(f"{name}: {done.report}; {len(times)} requests beside it: p50 {statistics.median(times):.1f}, "
          f"p99 {times[len(times) * 99 // 100]:.1f}, worst {times[-1]:.1f} ms, gaps {[round(gap) for gap in gaps]} ms; "
          f"processor {taken:.2f} s, {cost:.1f} requests beside it for each of the attack; "
          f"memory {before // MIB}, at most {most // MIB}, then {after // MIB} MiB", flush=True)
    if not beside.has_had_its_rounds:
        wrong.append(f"only {len(times)} requests beside it were answered")
    if found["wrong"]:
        wrong.append(f"requests beside it were not answered as they should be: {found['wrong']}")
    if len(gaps) > done.deaths:
        wrong.append(f"expected {done.deaths} gaps at most, there were {len(gaps)}")
    if attack.cost and cost > attack.cost:
        wrong.append(f"a request of it took as much processor time as {cost:.0f} beside it, expected {attack.cost} at most")
    if most > attack.memory:
        wrong.append(f"the server had {most // MIB} MiB of memory, expected {attack.memory // MIB} at most")
    if after > returned:
        wrong.append(f"the server had {after // MIB} MiB afterwards, and {before // MIB} MiB before")
    return [f"{name}: {each}" for each in wrong]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help=f"of {', '.join(ATTACKS)}; by default all")
    parser.add_argument("--built", type=Path, default=ROOT / ".build/release", help="the directory of the programs (.build/release)")
    parser.add_argument("--seconds", type=float, default=20, help="how long each attack takes at least (20)")
    options = parser.parse_args()
    if unknown := set(options.attacks) - set(ATTACKS):
        parser.error(f"no attack {', '.join(sorted(unknown))}; expected some of {', '.join(ATTACKS)}")
    # Each slow reader and each hello has a socket, here and in the server.
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 16_384)), hard))
    wrong: list[str] = []
    for name in options.attacks or ATTACKS:
        wrong += judge(name, ATTACKS[name], options.built, options.seconds)
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
