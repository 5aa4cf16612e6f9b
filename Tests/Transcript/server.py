# SPDX-License-Identifier: MIT
"""A server of a script's own, on a free port."""

import os
import re
import selectors
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator

sys.path.append(str(Path(__file__).resolve().parents[1] / "Referee"))

from relay import relayed  # noqa: E402

START_LIMIT = STOP_LIMIT = 300.0  # seconds, after which it hangs
SERVING = re.compile(rb"^Euripus is serving \d+ view models? on (http://127\.0\.0\.1:\d+)/$", re.MULTILINE)


class Failed(Exception):
    """A server that did not start, or did not stop as it should."""


@contextmanager
def serving(binary: Path, public: Path, options: tuple[str, ...] = ()) -> Iterator[str]:
    """Starts the server, with further options, and gives its URL without the last slash. Then stops it with
    SIGTERM, and expects exit status 0."""
    # The server writes here, and never into the stores of the person who runs this.
    kept = tempfile.TemporaryDirectory()
    # The server's log is a part of a recording.
    directory = os.environ.get("EURIPUS_RECORDING")
    errors = open(Path(directory) / "server.log", "ab") if directory else None
    process = subprocess.Popen(
        [binary, "serve", "--port", "0", "--public", public, "--recordings", f"{kept.name}/recordings",
         "--users", f"{kept.name}/users", "--openings-per-minute", "0", "--actions-per-second", "0", "--action-time", "0",
         *options],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors)
    try:
        with relayed(int(_url(process).rpartition(":")[2])) as port:
            yield f"http://127.0.0.1:{port}"
        process.terminate()
        try:
            status = process.wait(STOP_LIMIT)
        except subprocess.TimeoutExpired:
            raise Failed(f"the server did not stop within {STOP_LIMIT:.0f} s of SIGTERM") from None
        if status != 0:
            raise Failed(f"the server ended with status {status}")
    finally:
        process.kill()
        process.communicate()
        if errors:
            errors.close()
        kept.cleanup()


def _url(process: subprocess.Popen) -> str:
    printed, end = b"", time.monotonic() + START_LIMIT
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while selector.select(max(0.0, end - time.monotonic())):
            chunk = process.stdout.read1(65536)
            printed += chunk
            if found := SERVING.search(printed):
                return found[1].decode()
            if not chunk:
                break
    raise Failed(f"the server did not print its URL, but {printed.decode(errors='replace')!r}")
