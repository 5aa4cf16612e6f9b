# SPDX-License-Identifier: MIT
"""The parts of the output that differ each time: session ids and epochs (PROTOCOL, "one opaque version").

A part that comes for the first time is bound to the text that is printed in its place, one to one. From then on that
text must stand wherever the part comes.
"""

import re

PART = re.compile(
    r"(?<=/)(?P<session>[A-Za-z0-9_-]{22})(?![A-Za-z0-9_-])"
    r"|(?<![A-Za-z0-9_.-])(?P<epoch>[A-Za-z0-9_-]{8})(?=\.[0-9]+(?![A-Za-z0-9_.-]))"
)


class Bindings:
    def __init__(self) -> None:
        self._printed_by_actual: dict[str, str] = {}
        self._actual_by_printed: dict[str, str] = {}

    def as_printed(self, actual: str, printed: str) -> str:
        """`actual` with each bound part replaced by its printed text. New parts are bound first, pair by pair."""
        for came, stands in zip(PART.finditer(actual), PART.finditer(printed)):
            is_new = came[0] not in self._printed_by_actual and stands[0] not in self._actual_by_printed
            if is_new and came.lastgroup == stands.lastgroup:
                self._printed_by_actual[came[0]] = stands[0]
                self._actual_by_printed[stands[0]] = came[0]
        return PART.sub(lambda part: self._printed_by_actual.get(part[0], part[0]), actual)

    def as_actual(self, printed: str) -> str:
        """A printed command as a reader would type it, with the parts that the reader's own terminal showed."""
        return PART.sub(lambda part: self._actual_by_printed.get(part[0], part[0]), printed)
