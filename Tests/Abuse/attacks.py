# SPDX-License-Identifier: MIT
"""The attacks. Each takes a server and its span, and gives its deeds. It goes on after its seconds until it has met its
limit and the client beside it has had its rounds, so a slow machine makes it longer and nothing else. If the server breaks
another promise, the attack raises `Failed`."""

import http.client
import itertools
import json
import os
import selectors
import socket
import subprocess
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Callable

from beside import Beside
from servers import MIB, PATIENCE, Client, Server, connected

# The bytes that a store may have which is filled.
FULL_STORE = 4 * MIB


class Failed(Exception):
    """A promise that the server did not keep."""


@dataclass
class Done:
    report: str
    requests: int = 0
    #: The times that the server died.
    deaths: int = 0


class Answers(Counter):
    """The numbers of answers by their status, from several threads."""

    _lock = threading.Lock()

    def note(self, status: int) -> None:
        with self._lock:
            self[status] += 1

    def done(self, note: str = "") -> Done:
        return Done(f"answers {dict(self)}{note}", self.total())


def _give_way() -> None:
    """Lets the server and the client beside have the processor first. A real attacker has a machine of its own,
    but here it shares theirs."""
    os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)


def at_once(count: int, body) -> list:
    """Calls `body` with each number at the same time. If one of them raises an error, this raises it."""
    with ThreadPoolExecutor(count, initializer=_give_way) as pool:
        return list(pool.map(body, range(count)))


class Span:
    """How long an attack goes on: for some seconds, and until the client beside it has had its rounds."""

    def __init__(self, seconds: float, beside: Beside) -> None:
        self._end, self._beside = time.monotonic() + seconds, beside

    def is_over(self, is_met: Callable[[], bool]) -> bool:
        """Whether the attack has met its limit as well. It fails if it never does."""
        now = time.monotonic()
        if now < self._end:
            return False
        if self._beside.has_had_its_rounds and is_met():
            return True
        if now > self._end + PATIENCE:
            raise Failed("the client beside the attack is not answered" if is_met() else "the attack met no limit")
        return False

    def until(self, body, is_met: Callable[[], bool] = lambda: True) -> int:
        """Calls `body` over and over until the attack is over, and gives the number of calls."""
        count = 0
        while not self.is_over(is_met):
            body()
            count += 1
        return count


def slow_actions(server: Server, span: Span) -> Done:
    """Two clients, of ten sessions each, whose actions each keep a processor busy for a second."""
    def attack(number: int) -> None:
        client = clients[number % 2]
        with locks[number % 2]:
            url = client.open("busy")
        own = Client(server.port)
        own.cookie = client.cookie

        def once() -> None:
            status, _ = own.ask("POST", f"{url}/actions/spin", 1_000)
            answers.note(status)
            # A refusal costs the attacker this much.
            if status == 429:
                time.sleep(0.02)

        span.until(once, lambda: answers[429] > 0)

    clients, locks, answers = [Client(server.port) for _ in range(2)], [threading.Lock() for _ in range(2)], Answers()
    begun = time.monotonic()
    at_once(20, attack)
    # A client may have ten actions at once before they have proved to be slow. Then it has a fifth of the time.
    most = 2 * (10 + (time.monotonic() - begun) / 5)
    if answers[200] > most:
        raise Failed(f"expected {most:.0f} actions of a second at most to be done, got {answers}")
    return answers.done()


def list_work(server: Server, span: Span) -> Done:
    """Four clients that reverse a list of two hundred rows as often as they can."""
    def attack(_: int) -> None:
        client = Client(server.port)
        url = client.open("reference")
        for number in range(200):
            answers.note(client.ask("PUT", f"{url}/state/word", f"w{number}")[0])
            status, _ = client.ask("POST", f"{url}/actions/add")
            answers.note(status)
            if status == 429:
                time.sleep(1)

        def once() -> None:
            status, _ = client.ask("POST", f"{url}/actions/reverse")
            answers.note(status)
            if status == 429:
                time.sleep(0.02)

        span.until(once)

    answers = Answers()
    at_once(4, attack)
    return answers.done()


def big_states(server: Server, span: Span) -> Done:
    """Clients from ten addresses that open sessions, and make the state of each as long as it may be."""
    return _grown(server, span, lambda client, url, _: client.ask("POST", f"{url}/actions/grow", 1_000)[0])


def big_secrets(server: Server, span: Span) -> Done:
    """Clients from ten addresses that open sessions, and fill each with secrets, which no state shows."""
    def once(client: Client, url: str, row: int) -> int:
        status, _ = client.ask("POST", f"{url}/actions/grow", 1)
        return client.ask("PUT", f"{url}/state/rows/items/{row}/secret", "x" * 60_000)[0] if status == 200 else status

    return _grown(server, span, once)


def _grown(server: Server, span: Span, step: Callable[[Client, str, int], int]) -> Done:
    """Clients from ten addresses that open sessions. In each they take a step, by its number, until one is refused."""
    def attack(number: int) -> None:
        def grow() -> None:
            client = Client(server.port, f"127.0.1.{number + 1}")
            for _ in range(20):
                url = client.open("growing")
                steps = itertools.count()
                while url:
                    status = step(client, url, next(steps))
                    answers.note(status)
                    if status == 429:
                        time.sleep(0.2)
                    elif status != 200:
                        break
                    if span.is_over(is_met):
                        return
                if not url:
                    answers.note(0)
                    time.sleep(0.2)
                    break
            client.close()

        span.until(grow, is_met)

    def is_met() -> bool:
        return answers[503] > 0

    answers = Answers()
    at_once(10, attack)
    return answers.done(", of which 0 stands for refused openings")


def full_table(server: Server, span: Span) -> Done:
    """Clients from sixty addresses that open sessions and never use them; one that has a session opens the next."""
    own, answers = Client(server.port, "127.0.3.1"), Answers()
    own.open("login")

    def attack(number: int) -> None:
        def once() -> None:
            client = Client(server.port, f"127.0.2.{number + 1}")
            answers.note(client.ask("POST", "/sessions/login")[0])
            client.close()
            time.sleep(0.05)

        span.until(once, lambda: answers[429] > 0)

    at_once(60, attack)
    if not own.open("login"):
        raise Failed("expected a client that has a session to open the next one, though the table is full")
    if set(answers) - {201, 429}:
        raise Failed(f"expected openings or refusals, got {answers}")
    return answers.done(f", {int(server.metric('euripus_sessions{'))} sessions at the end")


def full_store(server: Server, span: Span) -> Done:
    """Clients from one address that each open a session and change it, so that the store has to keep it. When they are
    refused, newcomers of another address come, until one is let in while the first address is refused.

    Each waits 20 ms between two. What is let in within the second between two looks at the store is above its limit, and
    the server gives back a 64th of the limit a second; so a faster attack only makes the wait for that longer."""
    def stored() -> float:
        return server.metric("euripus_store_bytes")

    def opened(client: Client) -> str | None:
        status, answer = client.ask("POST", "/sessions/login")
        if status == 503 and b'"limit":"max-store"' not in answer:
            raise Failed(f"expected an opening that is refused to name max-store, got {answer[:200].decode()}")
        answers.note(status)
        return json.loads(answer)["url"] if status == 201 else None

    def attack() -> None:
        client = Client(server.port, "127.0.5.1")
        if url := opened(client):
            answers.note(client.ask("PUT", f"{url}/state/username", "x")[0])
        client.close()
        # The attack's pace: nothing is judged by it.
        time.sleep(0.02)

    def come() -> None:
        while not let_in:
            if time.monotonic() > end:
                raise Failed("the attack met no limit" if not answers[503] else
                             "expected a newcomer of another address to be let in, though one network fills the store")
            time.sleep(0.1)
            if not answers[503]:
                continue
            newcomer = Client(server.port, "127.0.6.1")
            if url := opened(newcomer):
                status, _ = newcomer.ask("PUT", f"{url}/state/username", "new")
                # An opening from the first address that is refused now is refused for its network alone.
                if status == 200 and opened(Client(server.port, "127.0.5.1")) is None:
                    let_in.append((newcomer, url))

    answers, end = Answers(), time.monotonic() + PATIENCE
    # The newcomer that was let in, and its session.
    let_in: list[tuple[Client, str]] = []
    at_once(5, lambda number: span.until(attack, lambda: bool(let_in)) if number else come())
    if set(answers) - {200, 201, 503}:
        raise Failed(f"expected openings, changes or refusals, got {answers}")
    # The server looks at the store once a second, so the sum may pass the limit until then.
    end = time.monotonic() + PATIENCE
    while stored() > FULL_STORE:
        if time.monotonic() > end:
            raise Failed(f"expected {FULL_STORE} bytes in the store at most, got {stored():.0f}")
        time.sleep(0.1)
    newcomer, url = let_in[0]
    status, answer = newcomer.ask("GET", url)
    if status != 200 or json.loads(answer)["state"]["username"] != "new":
        raise Failed(f"expected the newcomer's session as it was, got {status} {answer[:200].decode()}")
    return answers.done(f", {stored() / MIB:.1f} MiB in the store at the end")


def tls_hellos(server: Server, span: Span) -> Done:
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

    counts = at_once(4, lambda number: span.until(dear if number % 2 else lambda: begun(number + 1)))
    for own in held:
        own.close()
    return Done(f"{counts[0] + counts[2]} hellos begun, {counts[1] + counts[3]} that ask for ffdhe8192", sum(counts))


def big_files(server: Server, span: Span) -> Done:
    """Sixty clients that ask for a file of 16 MiB, and take next to nothing of it."""
    sockets = [connected(server.port) for _ in range(60)]
    for own in sockets:
        own.sendall(b"GET /big.bin HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % server.port)

    def once() -> None:
        for own in sockets:
            try:
                own.recv(2_048, socket.MSG_DONTWAIT)
            except OSError:
                pass
        time.sleep(0.2)

    span.until(once)
    for own in sockets:
        own.close()
    return Done("60 slow readers", 60)


def slow_heads(server: Server, _: Span) -> Done:
    return _slow_requests(server, b"GET /healthz HTTP/1.1\r\n", b"X-Slow: 1\r\n", "head-time")


def slow_bodies(server: Server, _: Span) -> Done:
    head = b"PUT /sessions/login/x/state/username HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 8192\r\n\r\n"
    return _slow_requests(server, head % server.port, b"x", "body-time")


def stalled_uploads(server: Server, _: Span) -> Done:
    """A hundred files, ten in each of ten sessions, of which the first bytes come and no more, until the server has let go of
    each. What has come of them is kept."""
    count, sent, asked, end = 100, 10_000, 0, time.monotonic() + PATIENCE
    client = Client(server.port)
    urls = [client.open("hoarding") for _ in range(10)]
    targets = [f"{urls[number % 10]}/uploads/files/{number}" for number in range(count)]
    with selectors.DefaultSelector() as left:
        for target in targets:
            own = connected(server.port)
            head = (f"PUT {target} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nCookie: {client.cookie}\r\n"
                    "Content-Type: application/octet-stream\r\nContent-Length: 1000000\r\n\r\n")
            own.sendall(head.encode() + b"x" * sent)
            left.register(own, selectors.EVENT_READ)
        while left.get_map():
            if time.monotonic() > end:
                raise Failed(f"{len(left.get_map())} of {count} stalled files are left")
            # A session that nobody asks ends, and its files with it.
            for url in urls:
                client.ask("GET", url)
            asked += len(urls)
            for each, _ in left.select(1):
                if not _received(each.fileobj):
                    left.unregister(each.fileobj)
                    each.fileobj.close()
    state = [json.loads(client.ask("GET", f"{url}/state/files/files")[1])["items"] for url in urls]
    kept = [row["received"] for rows in state for row in rows.values()]
    if kept != [sent] * count:
        raise Failed(f"expected {count} files with {sent} bytes, got {kept}")
    # Those that keep the sessions alive are requests too: how many there are is a matter of when the files are let go.
    return Done(f"{count} stalled files let go, and kept", count + asked)


def many_slots(server: Server, span: Span) -> Done:
    """A client that declares as many files as it may, a thousand in each of ten sessions, and sends none of them."""
    client, answers = Client(server.port), Answers()
    urls = [client.open("hoarding") for _ in range(10)]
    declared = {"Content-Type": "text/plain", "Upload-Complete": "?0", "Upload-Length": "100"}

    def attack(number: int) -> None:
        own, mine = Client(server.port), Counter()
        own.cookie = client.cookie

        def once() -> None:
            key = f"{urls[number]}/uploads/files/{mine[201]}"
            status, _ = own.ask("PUT", key, body=b"", more=declared)
            mine[status] += 1
            answers.note(status)
            # It may do a hundred things a second in a session.
            if status == 429:
                time.sleep(0.02)

        span.until(once, lambda: mine[409] > 0)

    at_once(10, attack)
    if answers[201] != 10_000 or set(answers) - {201, 409, 429}:
        raise Failed(f"expected 10,000 files and refusals, got {answers}")
    return answers.done()


def _slow_requests(server: Server, beginning: bytes, more: bytes, limit: str) -> Done:
    """A thousand clients that send a few bytes of a request each second, until the server has let go of each."""
    count, end = 1_000, time.monotonic() + PATIENCE
    with selectors.DefaultSelector() as left:
        for _ in range(count):
            own = connected(server.port)
            own.sendall(beginning)
            left.register(own, selectors.EVENT_READ)
        turn = time.monotonic()
        while left.get_map():
            if time.monotonic() > end:
                raise Failed(f"{len(left.get_map())} of {count} slow connections are left")
            if time.monotonic() > turn:
                turn += 1
                for each in list(left.get_map().values()):
                    _try_to_send(each.fileobj, more)
            for each, _ in left.select(0.1):
                # An answer comes before the end.
                if not _received(each.fileobj):
                    left.unregister(each.fileobj)
                    each.fileobj.close()
    counted = int(server.metric(f'euripus_limit_refusals_total{{limit="{limit}"}}'))
    if counted != count:
        raise Failed(f"expected {count} connections closed by {limit}, counted {counted}")
    return Done(f"{count} slow clients let go", count)


def many_addresses(server: Server, span: Span) -> Done:
    """Thirty-nine addresses hold as many connections as an address may, idle after an answer, more than the server has
    places in all. Each opens those anew that the server closes. Newcomers open sessions meanwhile."""
    addresses, each_may = 39, 256
    opened, closed, newcomers = Answers(), Answers(), itertools.count(1)

    def is_met() -> bool:
        return server.metric("euripus_connections_crowded_out_total") > 0

    def hold(number: int) -> None:
        source = f"127.0.1.{number + 1}"
        with selectors.DefaultSelector() as held:

            def fill() -> None:
                for key, _ in held.select(0.1):
                    if not _received(key.fileobj):
                        held.unregister(key.fileobj)
                        key.fileobj.close()
                        closed.note(number)
                while len(held.get_map()) < each_may:
                    own = connected(server.port, source)
                    _try_to_send(own, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    held.register(own, selectors.EVENT_READ)
                    opened.note(number)

            span.until(fill, is_met)
            for key in list(held.get_map().values()):
                key.fileobj.close()

    def come(_: int) -> None:
        def once() -> None:
            newcomer = Client(server.port, f"127.0.2.{next(newcomers) % 250 + 1}")
            if not newcomer.open("login"):
                raise Failed("a newcomer was not let in")
            newcomer.close()
            # The newcomers' pace: nothing is judged by it.
            time.sleep(0.1)

        span.until(once, is_met)

    at_once(addresses + 1, lambda number: hold(number) if number < addresses else come(number))
    return Done(f"{opened.total()} connections, {closed.total()} closed, {next(newcomers) - 1} newcomers let in", opened.total())


def _try_to_send(own: socket.socket, data: bytes) -> None:
    try:
        own.send(data)
    except OSError:
        # The server has let go of it, which reading finds.
        pass


def _received(own: socket.socket) -> bytes:
    try:
        return own.recv(4_096)
    except OSError:
        return b""


def stalled_log(server: Server, span: Span) -> Done:
    """Requests that each write a line into a log that nobody reads."""
    def attack(_: int) -> int:
        client = Client(server.port)
        return span.until(lambda: client.ask("GET", "/models"), lambda: server.metric("euripus_log_lines_lost_total") > 0)

    count = sum(at_once(4, attack))
    return Done(f"{count} requests, {int(server.metric('euripus_log_lines_lost_total'))} lines lost", count)


# The same action with the same value in several spellings (a space, an escape in the path and in the value, a batch),
# and with other values.
SPELLINGS = [
    ("/actions/fatal", b'"x"'), ("/actions/fatal", b' "x"'), ("/actions/f%61tal", b'"x"'), ("/actions/fatal", b'"\\u0078"'),
    ("/actions", b'{"do":"/fatal","value":"x"}'), ("/actions", b'[{"set":"/note","value":"a"},{"do":"/fatal","value":"x"}]'),
    ("/actions/fatal", b'"y"'), ("/actions/fatal", b'"z"'),
    ("/actions/outOfRange", b"7"), ("/actions/outOfRange", b"8"),
]


def traps(server: Server, span: Span) -> Done:
    """One client that makes the server trap in every spelling, over and over."""
    client, counts = Client(server.port), Counter()
    url = client.open("trap")

    def once() -> None:
        for path, body in SPELLINGS:
            _trap(client, url + path, body, counts)

    span.until(once)
    # The third trap of a client refuses all its works; the first one refuses a work.
    return _judged(counts, 3)


def new_traps(server: Server, span: Span) -> Done:
    """New clients, each of which makes the server trap once, as a client does that drops its cookie each time."""
    counts = Counter()

    def once() -> None:
        client = Client(server.port)
        _trap(client, client.open("trap") + "/actions/fatal", b'"%d"' % counts.total(), counts)
        client.close()
        # The pace stays within the sessions that one address may open.
        time.sleep(0.1)

    span.until(once, lambda: counts["refusals"] > 0)
    # The five deaths of an action, over all clients.
    return _judged(counts, 5)


def _trap(client: Client, target: str, body: bytes, counts: Counter) -> None:
    """Asks for an action that the server dies of, or has to refuse because it would. Any other answer shows that the
    attack does not attack."""
    try:
        status, answer = client.ask("POST", target, body=body)
    except (OSError, http.client.HTTPException):
        counts["deaths"] += 1
        client.close()
        return
    if status != 500 or b"/problems/poisoned" not in answer:
        raise Failed(f"expected 'poisoned' of {target} {body.decode()}, got {status} {answer[:200].decode()}")
    counts["refusals"] += 1


def _judged(counts: Counter, most: int) -> Done:
    deaths = counts["deaths"]
    if not 1 <= deaths <= most:
        raise Failed(f"expected one to {most} deaths of a trap, whatever its spelling, counted {deaths}")
    return Done(f"{deaths} deaths, {counts['refusals']} refusals", counts.total(), deaths)
