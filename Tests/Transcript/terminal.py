# SPDX-License-Identifier: MIT
"""A bash that runs command after command, and a second bash beside it, which starts with the variables of the
first."""

import os
import secrets
import selectors
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

TIME_LIMIT = 300.0  # seconds, after which it hangs: a long poll waits at most 55


class Unfinished(Exception):
    """A command that did not end in time, or that ended the shell."""


@dataclass
class Result:
    output: str
    status: int


class Terminal:
    def __init__(self, directory: Path, environment: dict[str, str]) -> None:
        self._directory = directory
        # The shell prints this mark after each command, on a line of its own, before the exit status. No command
        # can know it.
        self._mark = "end-" + secrets.token_hex(16)
        self._buffer = b""
        self._beside = 0
        self._bash = subprocess.Popen(
            ["bash", "--noprofile", "--norc"], cwd=directory, env=environment, start_new_session=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def close(self) -> None:
        try:
            os.killpg(self._bash.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._bash.communicate()

    def run(self, command: str) -> Result:
        self._send(self._marked(command))
        return self._next_result()

    def start_beside(self, commands: list[str]) -> None:
        """Runs `commands` one after the other in a copy of this shell. `wait_beside` gives their output."""
        self._beside = len(commands)
        script = "".join(self._marked(command) for command in commands)
        self._send(f"(\n{script}) >second-terminal.out 2>&1 &\nsecond_terminal=$!\n")

    def wait_beside(self) -> list[Result]:
        self.run('wait "$second_terminal"')
        pieces = (self._directory / "second-terminal.out").read_text().split(f"\n{self._mark} ")
        outputs = [pieces[0]] + [piece.partition("\n")[2] for piece in pieces[1:-1]]
        statuses = [int(piece.partition("\n")[0]) for piece in pieces[1:]]
        if len(statuses) < self._beside:
            raise Unfinished(f"the second shell has ended; printed so far: {pieces[-1]!r}")
        return [Result(output, status) for output, status in zip(outputs, statuses)]

    def _marked(self, command: str) -> str:
        return f"{{ {command}\n}} </dev/null\nprintf '\\n{self._mark} %d\\n' $?\n"

    def _send(self, script: str) -> None:
        self._bash.stdin.write(script.encode())
        self._bash.stdin.flush()

    def _next_result(self) -> Result:
        end = time.monotonic() + TIME_LIMIT
        mark = f"\n{self._mark} ".encode()
        with selectors.DefaultSelector() as selector:
            selector.register(self._bash.stdout, selectors.EVENT_READ)
            while True:
                output, found, rest = self._buffer.partition(mark)
                status, has_line_end, after = rest.partition(b"\n")
                if found and has_line_end:
                    self._buffer = after
                    return Result(output.decode(errors="replace"), int(status))
                if not selector.select(max(0.0, end - time.monotonic())):
                    raise Unfinished(f"no end after {TIME_LIMIT:.0f} s; printed so far: {self._buffer!r}")
                chunk = os.read(self._bash.stdout.fileno(), 65536)
                if not chunk:
                    raise Unfinished(f"the shell has ended; printed so far: {self._buffer!r}")
                self._buffer += chunk
