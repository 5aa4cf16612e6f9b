# SPDX-License-Identifier: MIT
"""A server started from EURIPUS_BIN, on a free port and with a store of its own."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "Tests/Transcript"), str(Path(__file__).parent)]

from server import serving  # noqa: E402


@pytest.fixture(scope="session")
def url():
    with serving(Path(os.environ["EURIPUS_BIN"]).resolve(), ROOT / "Public") as url:
        yield url
