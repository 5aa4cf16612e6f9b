# SPDX-License-Identifier: MIT
"""The extent of the measurements."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from serving import Server

Amount = TypeVar("Amount")


@dataclass(frozen=True)
class Plan:
    server: str
    """The program that is measured."""
    folder: Path
    """The place of files that are needed only meanwhile."""
    quick: bool
    clone: bool
    tell: Callable[[str], None]
    """Tells a person how far the measurements are."""
    rounds: int = 0

    def __post_init__(self) -> None:
        if not self.rounds:
            object.__setattr__(self, "rounds", 1 if self.quick else 7)

    def amount(self, whole: Amount, quick: Amount) -> Amount:
        return quick if self.quick else whole

    def serve(self, *options: str, port: int = 0) -> Server:
        """The server that is measured. It keeps files in the folder that it would keep in the user's directories."""
        return Server(self.server, "--recordings", str(self.folder / "recordings"), "--users", "", *options, port=port)
