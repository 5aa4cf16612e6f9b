# SPDX-License-Identifier: MIT
"""Leaves out the tests about a single server, where several stand in for it (Scripts/with-nodes.sh sets
EURIPUS_NODES)."""

import os

import pytest


def pytest_configure(config):
    config.addinivalue_line("markers", "one_server(reason): a test that several servers in the place of one cannot pass, and why")


def pytest_collection_modifyitems(items):
    if not os.environ.get("EURIPUS_NODES"):
        return
    for item in items:
        if marker := item.get_closest_marker("one_server"):
            item.add_marker(pytest.mark.skip(reason=marker.args[0]))
