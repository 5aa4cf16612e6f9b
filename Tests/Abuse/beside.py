#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The client beside an attack: a process of its own, so that nothing of the attacker's slows it down.

Usage: beside.py PORT MODEL VALUE [tls]

Every few milliseconds it asks `/healthz`, writes a new text to VALUE of its session on MODEL if that is given, and reads
the session, which has to show that text. It prints `ready` after a hundred rounds, and `enough` after twenty more. When its
standard input ends, it prints one JSON object about the rounds since `ready`: the milliseconds of each answered request and
of each gap, and the answers that were not as they should be. A gap begins with a connection that breaks, and ends with an
answer."""

import http.client
import json
import select
import subprocess
import sys
import threading
import time

from servers import PATIENCE, Client

# Fewer than the hundred actions a second that a session may take.
PAUSE = 0.015
# The rounds before the attack, and those that an attack leaves it at least.
CALM, ENOUGH = 100, 20


class Beside:
    """The client, as the attacker's process has it."""

    def __init__(self, port: int, model: str, value: str, is_tls: bool) -> None:
        """Returns once the client has done its calm rounds."""
        self.process = subprocess.Popen(
            [sys.executable, __file__, str(port), model, value, *(["tls"] if is_tls else [])],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "ready\n":
            sys.exit("the client beside the attack cannot use the server")
        self.calm = CALM * (3 if value else 2)
        self.has_had_its_rounds, self._found = False, ""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self.process.stdout:
            if line == "enough\n":
                self.has_had_its_rounds = True
            else:
                self._found = line

    def end(self) -> dict:
        self.process.stdin.close()
        self.process.wait(2 * PATIENCE)
        self._reader.join()
        return json.loads(self._found)


class Rounds:
    def __init__(self, port: int, model: str, value: str, is_tls: bool) -> None:
        self.client, self.value, self.number = Client(port, is_tls=is_tls), value, 0
        self.url = self.client.open(model)
        self.forget()

    def forget(self) -> None:
        self.times: list[float] = []
        self.gaps: list[float] = []
        self.wrong: list[str] = []

    def round(self) -> None:
        self._ask("GET", "/healthz")
        self.number += 1
        text = f"beside {self.number}"
        is_written = self.value and self._ask("PUT", f"{self.url}/state/{self.value}", text)
        read = self._ask("GET", self.url)
        if is_written and read and (shown := json.loads(read)["state"][self.value]) != text:
            self.wrong.append(f"{self.value} is '{shown}', expected '{text}'")

    def _ask(self, method: str, target: str, value: str | None = None) -> bytes | None:
        """The answer's body; `None` if the connection broke. Then it waits until the server answers again."""
        begun = time.monotonic()
        try:
            status, answer = self.client.ask(method, target, value)
            self.times.append((time.monotonic() - begun) * 1e3)
            if status == 200:
                return answer
            self.wrong.append(f"{method} {target}: {status} {answer[:200].decode()}")
        except (OSError, http.client.HTTPException):
            self._wait(begun)
        return None

    def _wait(self, begun: float) -> None:
        while time.monotonic() - begun < PATIENCE:
            self.client.close()
            try:
                self.client.ask("GET", "/healthz")
                break
            except (OSError, http.client.HTTPException):
                time.sleep(0.002)
        self.gaps.append((time.monotonic() - begun) * 1e3)


def main() -> None:
    port, model, value = sys.argv[1:4]
    rounds = Rounds(int(port), model, value, "tls" in sys.argv[4:])
    for _ in range(CALM):
        rounds.round()
        time.sleep(PAUSE)
    if rounds.wrong or rounds.gaps:
        sys.exit(f"before the attack: {rounds.wrong[:10]}, gaps {rounds.gaps}")
    rounds.forget()
    print("ready", flush=True)
    done = 0
    while not select.select([sys.stdin], [], [], PAUSE)[0]:
        rounds.round()
        done += 1
        if done == ENOUGH:
            print("enough", flush=True)
    print(json.dumps({"times": rounds.times, "gaps": rounds.gaps, "wrong": rounds.wrong[:10]}))


if __name__ == "__main__":
    main()
