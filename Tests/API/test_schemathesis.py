# SPDX-License-Identifier: MIT
"""The server against its own description: schemathesis, in all its phases, with a seed that is printed.

API_SEED is the seed of another run. API_EXAMPLES is the number of requests that are made up for each operation.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
LEAST = 5_000  # requests
TIME_LIMIT = int(os.environ.get("API_TIME_LIMIT", "900"))  # seconds


def test_each_answer_is_as_it_is_described(url, tmp_path):
    seed = os.environ.get("API_SEED", "20261121")
    report = tmp_path / "report.ndjson"
    command = [
        Path(sys.executable).parent / "schemathesis", "--config-file", HERE / "schemathesis.toml", "run",
        # One worker: with two, CPython 3.11 at times fails to parse the source that hypothesis gives it.
        "--seed", seed, "--workers", "1", "--max-examples", os.environ.get("API_EXAMPLES", "8"),
        # A client without the key, or with another one, gets 404 as if the session had never been, not 401
        # (PROTOCOL §2).
        "--checks", "all", "--exclude-checks", "ignored_auth", "--no-color", "--report", "ndjson", "--report-ndjson-path", report, "--output-truncate", "true",
        url + "/openapi.json",
    ]
    environment = {**os.environ, "EURIPUS_URL": url, "PYTHONPATH": str(HERE), "SCHEMATHESIS_HOOKS": "hooks"}
    result = subprocess.run(
        command, cwd=tmp_path, env=environment, timeout=TIME_LIMIT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(f"seed {seed}\n{result.stdout}")
    requests = sum(interactions(line) for line in report.open())
    print(f"{requests} requests")
    assert result.returncode == 0
    assert requests >= LEAST


def interactions(line):
    """The number of requests that an event of the report tells of."""
    event = json.loads(line)
    return sum(len(scenario.get("recorder", {}).get("interactions", {})) for scenario in event.values() if isinstance(scenario, dict))
