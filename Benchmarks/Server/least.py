# SPDX-License-Identifier: MIT
"""The least patch (RFC 6902) from one small document to another, in bytes of its text without white space.

It is the least of all patches that

1. add, remove or replace any value, and move or copy an element of an array to another place of the same array; and
2. write only values of the new document: into a member its own new value, into an array the value of any of its
   elements.

So no such patch moves or copies from one part of the document to another, or writes half a value and finishes
it later.

The proof. Operations below one member of an object concern no other member, and their cost does not depend on
when they are done. So the least patch of an object is the sum of the least patches of its members, or one
operation that writes the object anew. Beside that operation no other is of use: earlier ones are lost, and
later ones find nothing to do. Operations in an array do depend on their order, since each moves the elements
behind. So all sequences of them are searched, the cheapest first (A*), by a lower bound for the rest of the
way: see `_Elements.left`.

A member that an object has already is replaced by `add` too (§4.1), which is shorter than `replace`.
"""

import heapq
import json
from typing import Any

from figures import Failure
from patching import below, canonical, size

MOST_STATES = 20_000
"""The most states of one array. With more the documents are too large to be searched."""

Patch = list[dict]


def least(old: Any, new: Any, path: str = "") -> Patch:
    """The least patch from one value to another. Raises `Failure` if they are too large to be searched."""
    if canonical(old) == canonical(new):
        return []
    # At an element of an array `add` would insert. So `_Elements.written` writes elements, and not this function.
    whole = [{"op": "add", "path": path, "value": new}]
    if isinstance(old, dict) and isinstance(new, dict):
        return min(_members(old, new, path), whole, key=cost)
    if isinstance(old, list) and isinstance(new, list):
        return _Elements(old, new, path, cost(whole)).search() or whole
    return whole


def cost(patch: Patch) -> int:
    """The bytes of a patch without its first bracket: each operation, with the comma or bracket behind it."""
    return sum(size(each) + 1 for each in patch)


def _members(old: dict, new: dict, path: str) -> Patch:
    patch: Patch = [{"op": "remove", "path": below(path, key)} for key in old if key not in new]
    for key, value in new.items():
        if key in old:
            patch += least(old[key], value, below(path, key))
        else:
            patch.append({"op": "add", "path": below(path, key), "value": value})
    return patch


class _Elements:
    """The search in one array. A state is the elements at one time, each as its canonical text."""

    def __init__(self, old: list, new: list, path: str, most: int) -> None:
        """`most` is the cost of another way: the search finds only patches that cost less."""
        self.path, self.most = path, most
        self.start = tuple(canonical(each) for each in old)
        self.goal = tuple(canonical(each) for each in new)
        self.kinds = sorted(set(self.goal))
        self.values = {each: json.loads(each) for each in {*self.start, *self.goal}}
        first = below(path, 0)
        self.removal = cost([{"op": "remove", "path": first}])
        # The cheapest operation that can put an element into its place.
        ways = [cost([{"op": "copy", "from": first, "path": first}])]
        ways += [cost([{"op": "add", "path": first, "value": self.values[kind]}]) for kind in self.kinds]
        if any(isinstance(value, (dict, list)) for value in self.values.values()):
            ways.append(cost([{"op": "remove", "path": below(first, "")}]))
        self.placing = min(ways)
        self.edits: dict[tuple[str, str, int], Patch] = {}

    def search(self) -> Patch | None:
        """The least patch; None if no patch costs less than `most`."""
        best = {self.start: 0}
        came: dict[tuple, tuple[tuple, Patch]] = {}
        waiting = [(self.left(self.start), 0, self.start)]
        while waiting:
            _, spent, state = heapq.heappop(waiting)
            if state == self.goal:
                patch: Patch = []
                while state != self.start:
                    state, step = came[state]
                    patch = step + patch
                return patch
            if spent > best[state]:
                continue
            if len(best) > MOST_STATES:
                raise Failure(f"the array at '{self.path}' is too long to be searched, with {len(self.goal)} elements")
            for step, after in self.steps(state):
                reached = spent + cost(step)
                estimate = reached + self.left(after)
                if estimate < self.most and reached < best.get(after, self.most):
                    best[after] = reached
                    came[after] = (state, step)
                    heapq.heappush(waiting, (estimate, reached, after))
        return None

    def left(self, state: tuple) -> int:
        """A lower bound of the cost from a state to the goal. An operation that is no removal makes the longest
        common subsequence with the goal longer by one at most, and a removal does not. Only a removal makes the
        array shorter, by one."""
        placed = len(self.goal) - _common(state, self.goal)
        return placed * self.placing + max(0, len(state) - len(self.goal)) * self.removal

    def steps(self, state: tuple):
        """Each step from a state, with the state that it leads to: an operation, or the least patch within an
        element."""
        for index in range(len(state) + 1):
            # The place behind the last element has a short name of its own.
            at = below(self.path, "-" if index == len(state) else index)
            for kind in self.kinds:
                yield [{"op": "add", "path": at, "value": self.values[kind]}], state[:index] + (kind,) + state[index:]
            for source in range(len(state)):
                copied = state[:index] + (state[source],) + state[index:]
                yield [{"op": "copy", "from": below(self.path, source), "path": at}], copied
        for index, element in enumerate(state):
            rest = state[:index] + state[index + 1:]
            yield [{"op": "remove", "path": below(self.path, index)}], rest
            for kind in self.kinds:
                if kind != element:
                    yield self.written(element, kind, index), state[:index] + (kind,) + state[index + 1:]
            for to in range(len(state)):
                if to != index:
                    at = below(self.path, "-" if to == len(rest) else to)
                    yield [{"op": "move", "from": below(self.path, index), "path": at}], rest[:to] + (element,) + rest[to:]

    def written(self, element: str, kind: str, index: int) -> Patch:
        """The least patch from an element to another one in its place."""
        if (element, kind, index) not in self.edits:
            old, new, path = self.values[element], self.values[kind], below(self.path, index)
            edits = [[{"op": "replace", "path": path, "value": new}]]
            # Not by `least`: it may give an `add` of the element itself, which would insert it, and to replace
            # it is as good.
            if type(old) is type(new) and isinstance(old, (dict, list)):
                inner = _members(old, new, path) if isinstance(old, dict) else _Elements(old, new, path, cost(edits[0])).search()
                edits += [inner] if inner else []
            self.edits[element, kind, index] = min(edits, key=cost)
        return self.edits[element, kind, index]


def _common(one: tuple, other: tuple) -> int:
    """The length of the longest common subsequence. The common beginning and the common end are in one of the
    longest."""
    ends, shorter = 0, min(len(one), len(other))
    while ends < shorter and one[ends] == other[ends]:
        ends += 1
    one, other = one[ends:], other[ends:]
    last, shorter = 0, shorter - ends
    while last < shorter and one[-1 - last] == other[-1 - last]:
        last += 1
    one, other, ends = one[:len(one) - last], other[:len(other) - last], ends + last
    row = [0] * (len(other) + 1)
    for element in one:
        diagonal = 0
        for index, each in enumerate(other, 1):
            diagonal, row[index] = row[index], diagonal + 1 if each == element else max(row[index], row[index - 1])
    return ends + row[-1]
