# SPDX-License-Identifier: MIT
"""A server started from EURIPUS_BIN, on a free port and with a store of its own."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "Tests/Transcript"), str(ROOT / "Tests/Faults"), str(Path(__file__).parent)]

from one_server import pytest_collection_modifyitems, pytest_configure  # noqa: E402, F401
from server import serving  # noqa: E402

# All clients come from one address, so each would end the others' sessions. The limit has tests of its own.
os.environ["EURIPUS_OPENINGS_PER_MINUTE"] = "0"


@pytest.fixture(scope="session")
def url():
    with serving(Path(os.environ["EURIPUS_BIN"]).resolve(), ROOT / "Public") as url:
        yield url
