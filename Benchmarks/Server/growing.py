# SPDX-License-Identifier: MIT
"""The server of view models whose size is given: Benchmarks/ViewModels, GrowingServer."""

from serving import ROOT, Process

PROGRAM = ROOT / "Benchmarks/ViewModels/.build/release/GrowingServer"


class GrowingServer(Process):
    def __init__(self, rows: int = 0, observers: int = 0, store: str = "") -> None:
        super().__init__([str(PROGRAM), str(rows), str(observers), *([store] if store else [])], r":(\d+)/?$")
