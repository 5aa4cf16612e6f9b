# SPDX-License-Identifier: MIT
"""The attacks. Each takes a server and the time of its end, and gives a line that reports on it. If the server breaks
another promise, the attack raises `Failed`."""

import http.client
import json
import os
import socket
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from servers import MIB, Client, Server, connected, until


class Failed(Exception):
    """A promise that the server did not keep."""


def _give_way() -> None:
    """Lets the server and the client beside have the processor first. A real attacker has a machine of its own,
    but here it shares theirs."""
    os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)


def at_once(count: int, body) -> list:
    """Calls `body` with each number at the same time. If one of them raises an error, this raises it."""
    with ThreadPoolExecutor(count, initializer=_give_way) as pool:
        return list(pool.map(body, range(count)))


def _statuses(client: Client, method: str, target: str, body: object, end: float) -> dict[int, int]:
    statuses: dict[int, int] = {}

    def once() -> None:
        status, fields, _ = client.ask(method, target, body)
        statuses[status] = statuses.get(status, 0) + 1
        # A refusal costs the attacker this much.
        if status == 429:
            time.sleep(0.02)

    until(end, once)
    return statuses


def _sum(all_statuses: list[dict[int, int]]) -> dict[int, int]:
    total: dict[int, int] = {}
    for statuses in all_statuses:
        for status, count in statuses.items():
            total[status] = total.get(status, 0) + count
    return total


def slow_actions(server: Server, end: float) -> str:
    """Two clients, of ten sessions each, whose actions each keep a processor busy for a second."""
    def attack(number: int) -> dict[int, int]:
        client = clients[number % 2]
        with locks[number % 2]:
            url = client.open("busy")
        own = Client(server.port)
        own.cookie = client.cookie
        return _statuses(own, "POST", f"{url}/actions/spin", 1_000, end)

    clients, locks = [Client(server.port) for _ in range(2)], [threading.Lock() for _ in range(2)]
    statuses = _sum(at_once(20, attack))
    if not statuses.get(429):
        raise Failed(f"expected actions beyond the client's time to be refused, got {statuses}")
    return f"answers {statuses}"


def list_work(server: Server, end: float) -> str:
    """Four clients that reverse a list of two hundred rows as often as they can."""
    def attack(_: int) -> dict[int, int]:
        client = Client(server.port)
        url = client.open("reference")
        for number in range(200):
            client.ask("PUT", f"{url}/state/word", f"w{number}")
            if client.ask("POST", f"{url}/actions/add")[0] == 429:
                time.sleep(1)
        return _statuses(client, "POST", f"{url}/actions/reverse", None, end)

    return f"answers {_sum(at_once(4, attack))}"


def big_states(server: Server, end: float) -> str:
    """Clients from ten addresses that open sessions, and make the state of each as long as it may be."""
    def attack(number: int) -> dict[int, int]:
        statuses: dict[int, int] = {}

        def grow() -> None:
            client = Client(server.port, f"127.0.1.{number + 1}")
            for _ in range(20):
                url = client.open("growing")
                while url and time.monotonic() < end:
                    status, _, _ = client.ask("POST", f"{url}/actions/grow", 1_000)
                    statuses[status] = statuses.get(status, 0) + 1
                    if status == 429:
                        time.sleep(0.2)
                    elif status != 200:
                        break
                if not url:
                    statuses[0] = statuses.get(0, 0) + 1
                    time.sleep(0.2)
                    break
            client.close()

        until(end, grow)
        return statuses

    statuses = _sum(at_once(10, attack))
    if not statuses.get(503):
        raise Failed(f"expected growth beyond the budget to be refused, got {statuses}")
    return f"answers {statuses}, of which 0 stands for refused openings"


def full_table(server: Server, end: float) -> str:
    """Clients from sixty addresses that open sessions and never use them; one that has a session opens the next."""
    own = Client(server.port, "127.0.3.1")
    own.open("login")

    def attack(number: int) -> dict[int, int]:
        statuses: dict[int, int] = {}

        def once() -> None:
            client = Client(server.port, f"127.0.2.{number + 1}")
            status, _, _ = client.ask("POST", "/sessions/login")
            statuses[status] = statuses.get(status, 0) + 1
            client.close()
            time.sleep(0.05)

        until(end, once)
        return statuses

    statuses = _sum(at_once(60, attack))
    if not own.open("login"):
        raise Failed("expected a client that has a session to open the next one, though the table is full")
    if set(statuses) - {201, 429}:
        raise Failed(f"expected openings or refusals, got {statuses}")
    return f"answers {statuses}, {int(server.metric('euripus_sessions{'))} sessions at the end"


def tls_hellos(server: Server, end: float) -> str:
    """Handshakes that are begun and left, and hellos that ask for the dearest key exchange."""
    held: list[socket.socket] = []

    def dear() -> None:
        subprocess.run(
            ["openssl", "s_client", "-connect", f"127.0.0.1:{server.port}", "-groups", "ffdhe8192"], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)

    def begun(number: int) -> None:
        time.sleep(0.005)
        try:
            own = connected(server.port, f"127.0.4.{number}")
            # The beginning of a hello, whose end never comes.
            own.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
            held.append(own)
        except OSError:
            # The server refuses the connection.
            time.sleep(0.01)

    counts = at_once(4, lambda number: until(end, dear if number % 2 else lambda: begun(number + 1)))
    for own in held:
        own.close()
    return f"{counts[0] + counts[2]} hellos begun, {counts[1] + counts[3]} that ask for ffdhe8192"


def big_files(server: Server, end: float) -> str:
    """Sixty clients that ask for a file of 16 MiB, and take next to nothing of it."""
    sockets = []
    for number in range(60):
        own = connected(server.port)
        own.sendall(b"GET /big.bin HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % server.port)
        sockets.append(own)
    while time.monotonic() < end:
        for own in sockets:
            try:
                own.recv(2_048, socket.MSG_DONTWAIT)
            except OSError:
                pass
        time.sleep(0.2)
    for own in sockets:
        own.close()
    return "60 slow readers"


def stalled_log(server: Server, end: float) -> str:
    """Requests that each write a line into a log that nobody reads."""
    def attack(_: int) -> int:
        client = Client(server.port)
        return until(end, lambda: client.ask("GET", "/models"))

    count = sum(at_once(4, attack))
    lost = server.metric("euripus_log_lines_lost_total")
    if not lost:
        raise Failed("expected lines of the log to be lost and counted")
    return f"{count} requests, {int(lost)} lines lost"


# The same action with the same value in several spellings (a space, an escape in the path and in the value, a batch),
# and with other values.
SPELLINGS = [
    ("/actions/fatal", b'"x"'), ("/actions/fatal", b' "x"'), ("/actions/f%61tal", b'"x"'), ("/actions/fatal", b'"\\u0078"'),
    ("/actions", b'{"do":"/fatal","value":"x"}'), ("/actions", b'[{"set":"/note","value":"a"},{"do":"/fatal","value":"x"}]'),
    ("/actions/fatal", b'"y"'), ("/actions/fatal", b'"z"'),
    ("/actions/outOfRange", b"7"), ("/actions/outOfRange", b"8"),
]


def traps(server: Server, end: float) -> str:
    """One client that makes the server trap in every spelling, over and over."""
    client = Client(server.port)
    url = client.open("trap")
    counts = {"deaths": 0, "refusals": 0}

    def once() -> None:
        for path, body in SPELLINGS:
            _trap(client, url + path, body, counts)
            if time.monotonic() > end:
                return

    until(end, once)
    return _judged(counts)


def new_traps(server: Server, end: float) -> str:
    """New clients, each of which makes the server trap once, as a client does that drops its cookie each time."""
    counts, number = {"deaths": 0, "refusals": 0}, 0

    def once() -> None:
        nonlocal number
        number += 1
        client = Client(server.port)
        _trap(client, client.open("trap") + "/actions/fatal", b'"%d"' % number, counts)
        client.close()
        # The pace stays within the sessions that one address may open.
        time.sleep(0.1)

    until(end, once)
    if not counts["refusals"]:
        raise Failed("expected the action to be refused at last")
    return _judged(counts)


def _trap(client: Client, target: str, body: bytes, counts: dict[str, int]) -> None:
    """Asks for an action that the server dies of, or has to refuse because it would. Any other answer shows that the
    attack does not attack."""
    try:
        client.connection.request("POST", target, body, {"Cookie": client.cookie, "Content-Type": "application/json"})
        response = client.connection.getresponse()
        answer = response.read()
    except (OSError, http.client.HTTPException):
        counts["deaths"] += 1
        client.close()
        time.sleep(0.3)
        return
    if response.status != 500 or b"/problems/poisoned" not in answer:
        raise Failed(f"expected 'poisoned' of {target} {body.decode()}, got {response.status} {answer[:200].decode()}")
    counts["refusals"] += 1


def _judged(counts: dict[str, int]) -> str:
    if not 1 <= counts["deaths"] <= 3:
        raise Failed(f"expected one to three deaths of a trap, whatever its spelling, counted {counts['deaths']}")
    return f"{counts['deaths']} deaths, {counts['refusals']} refusals"
