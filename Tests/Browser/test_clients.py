# SPDX-License-Identifier: MIT
"""The programs of "Write your own client" do what the page says, and the page shows what they are."""

import subprocess
import sys

import pytest
from conftest import ROOT

CLIENTS = ROOT / "Examples" / "Clients"


@pytest.fixture
def command(request, tmp_path):
    source = CLIENTS / request.param
    if source.suffix == ".swift":
        subprocess.run(["swiftc", "-swift-version", "6", source, "-o", tmp_path / "client"], check=True, timeout=240)
        return [tmp_path / "client"]
    return ["node" if source.suffix == ".mjs" else sys.executable, source]


@pytest.mark.parametrize("command", ["client.mjs", "client.py", "client.swift"], indirect=True)
def test_a_client_of_thirty_lines_follows_a_command_until_it_is_over(command, url):
    run = subprocess.run([*command, url.rstrip("/")], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    before, after = [line.split(", ") for line in run.stdout.splitlines()]
    assert len(before) == 4 and len(after) == 8
    assert set(before) < set(after)
    assert after == sorted(after)


@pytest.mark.parametrize("name", ["client.mjs", "client.py", "client.swift"])
def test_the_page_shows_the_program_as_it_is(context, url, name):
    page = context.new_page()
    page.goto(url + "client.html")
    licence, program = (CLIENTS / name).read_text().split("\n", 1)
    assert "SPDX" in licence
    assert page.locator("#" + name.replace(".", "-")).text_content().strip() == program.strip()
