# SPDX-License-Identifier: MIT
"""Bytes on the wire: for what a person does in each demo, what each frame says (its patch, or its state where
that is shorter) beside the least patch there is (`least.py` says of which) and beside the state. The names of
the two versions, which each frame has besides, and what an action came to are not counted."""

import json
from typing import Any

import plots
from figures import Failure, Figure, Measured, metric
from least import least
from patching import apply, canonical, size, text
from plan import Plan
from scripts import SCRIPTS, Step
from serving import Client, Session

SENT, LEAST, STATE, WORST = "frame bytes", "least patch bytes", "state bytes", "worst frame / least"
# The most bytes beside the value, among the frames that give a new value to one place.
ONE, ONE_LEAST = "one field: bytes beyond its value", "the same of the least patch"


class Follower:
    """A client that performs steps in a session, gets all of its frames, and checks each of them."""

    def __init__(self, client: Client, session: Session) -> None:
        self.client, self.session = client, session
        self.state, self.version = session.state, session.version
        self.changes: list[tuple[Any, Any, bytes]] = []
        """The changes: the state before, the state after, and the bytes of the frame between them."""

    def perform(self, step: Step) -> None:
        target = f"{self.session.url}/{step.kind}/{step.place(self.state)}?since={self.version}"
        value = step.content(self.state)
        body = "" if value is None else text(value)
        _, answer = self.client.ask("PUT" if step.kind == "state" else "POST", target, self.session.cookie, body)
        self._take(answer)
        # Commands and other parts of the program change the state by themselves as well.
        while self._polled():
            pass
        _, answer = self.client.ask("GET", self.session.url, self.session.cookie)
        shown = json.loads(answer)
        if shown["version"] != self.version or canonical(shown["state"]) != canonical(self.state):
            raise Failure(f"after {target} the frames lead to {self.version}, and the session is at {shown['version']}")

    def _polled(self) -> bool:
        wait = "Prefer: wait=2\r\n" if '"executing":true' in text(self.state) else "Prefer: wait=1\r\n" if self._is_slow else ""
        target = f"{self.session.url}/changes?since={self.version}"
        _, answer = self.client.ask("GET", target, self.session.cookie, fields=wait)
        if answer:
            self._take(answer)
        return bool(answer)

    @property
    def _is_slow(self) -> bool:
        """Whether a part of the state comes from somewhere else, after the answer."""
        return "/recordings/" in self.session.url

    def _take(self, answer: bytes) -> None:
        frame = json.loads(answer)
        if text(frame).encode() != answer:
            raise Failure(f"expected JSON without white space, got: {answer[:300].decode()}")
        # A frame with the whole state may be from any version.
        if frame["from"] != self.version and "state" not in frame:
            raise Failure(f"expected a frame from {self.version}, got: {answer[:300].decode()}")
        before = self.state
        self.state = frame["state"] if "state" in frame else apply(frame["patch"], before)
        self.version = frame["to"]
        if canonical(before) != canonical(self.state):
            self.changes.append((before, self.state, text(frame.get("state", frame.get("patch"))).encode()))


def measure(plan: Plan) -> Measured:
    measured = Measured("Bytes on the wire", __doc__)
    with plan.serve() as server:
        for demo, steps in SCRIPTS.items():
            try:
                client = Client(server.port)
                follower = Follower(client, client.open(demo))
                for step in steps:
                    follower.perform(step)
                found = _compared(follower.changes)
            except (Failure, OSError) as error:
                measured.failures.append(f"Bytes on the wire, {demo}: {error}")
                continue
            measured.cases[demo] = {name: Figure([value]) for name, value in found.items()}
            plan.tell(f"{demo}: " + ", ".join(f"{v:,.4g} {k}" for k, v in found.items()))
    if measured.cases:
        for name, unit in (("frame_vs_least_max", WORST), ("one_field_patch_bytes_max", ONE),
                           ("one_field_least_patch_bytes_max", ONE_LEAST)):
            metric(measured, name, max(figures[unit].median for figures in measured.cases.values()))
        shown = {f"{demo}, {name}": Figure([figures[unit].median / figures[STATE].median * 100])
                 for demo, figures in measured.cases.items() for name, unit in (("as sent", SENT), ("the least", LEAST))}
        measured.plots["wire"] = plots.bars("Bytes sent, in % of what sending the state each time would take", shown, kinds=2)
    return measured


def _compared(changes: list[tuple[Any, Any, bytes]]) -> dict[str, float]:
    sent = least_bytes = states = 0
    worst, fields = 0.0, [(0, 0)]
    for before, after, said in changes:
        shortest = least(before, after)
        if canonical(apply(shortest, before)) != canonical(after):
            raise Failure(f"the least patch is wrong: {text(shortest)}")
        if said.startswith(b"[") and len(said) < size(shortest):
            raise Failure(f"the least patch is not the least: {text(shortest)} beside {said.decode()}")
        sent += len(said)
        least_bytes += size(shortest)
        states += size(after)
        worst = max(worst, len(said) / size(shortest))
        # One field: one value that was there and is neither an object nor an array.
        if len(shortest) == 1 and shortest[0]["path"] and not isinstance(shortest[0].get("value"), (dict, list)):
            value = size(shortest[0]["value"]) if "value" in shortest[0] else 0
            fields.append((len(said) - value, size(shortest) - value))
    one, one_least = max(fields)
    return {"frames": len(changes), SENT: sent, LEAST: least_bytes, STATE: states, WORST: worst, ONE: one, ONE_LEAST: one_least}
