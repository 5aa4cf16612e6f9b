# SPDX-License-Identifier: MIT
"""The steps of a person in each demo, whose frames `wire` measures. They follow the order of the page, until
each kind of change was there."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Step:
    """An action, or a value that is set."""

    kind: str
    path: str | Callable[[Any], str]
    value: Any = None

    def place(self, state: Any) -> str:
        """The path of the step. Ids that are made at random are looked up in the state."""
        return self.path(state) if callable(self.path) else self.path

    def content(self, state: Any) -> Any:
        return self.value(state) if callable(self.value) else self.value


def do(path: str | Callable[[Any], str], value: Any = None) -> Step:
    return Step("actions", path, value)


def put(path: str, value: Any) -> Step:
    return Step("state", path, value)


def typed(path: str, text: str) -> list[Step]:
    """Letter by letter, as the page sends it."""
    return [put(path, text[:length]) for length in range(1, len(text) + 1)]


def _items(state: Any, page: int = 0) -> list[str]:
    pages = state["navigation"]["pages"]
    return pages["items"][pages["order"][page]]["items"]["order"]


def _root(name: str) -> str:
    return f"navigation/pages/items/root/{name}"


def _top(name: str) -> Callable[[Any], str]:
    return lambda state: f"navigation/pages/items/{state['navigation']['pages']['order'][-1]}/{name}"


SCRIPTS: dict[str, list[Step]] = {
    "login": [*[do("usernameDidChange", "maruko"[:length]) for length in range(1, 7)],
              *[do("passwordDidChange", "123456"[:length]) for length in range(1, 7)],
              do("loginTouched"), do("usernameDidChange", "maru"), do("usernameDidChange", "a name that is far too long"),
              do("usernameDidChange", "maruka"), do("passwordDidChange", "")],
    "signup": [*typed("username/value", "maruko"), *typed("password/value", "12345"), do("signUp"),
               do("alert/close"), put("password/value", ""), put("username/value", "mar")],
    "page": [do("willAppear"), do("didAppear"), *typed("modules/items/fields/account", "admin"),
             *typed("modules/items/fields/password", "123456"), do("modules/items/buttons/login"), do("rotated", 3),
             do("rotated", 1), do("willDisappear"), do("didDisappear")],
    "profile": [*typed("forms/items/1/name", "Homarus"), put("forms/items/2/age", 37), put("forms/items/1/height", 0.55),
                put("forms/items/1/isPublic", False), put("forms/items/2/colour", "blue"), put("forms/items/1/motto", "654321"),
                do("birthday", "lobster"), do("open", "crab"), put("forms/items/2/subject", "crab"), do("birthday", "crab"),
                do("open", "lobster"), do("close", "1"), do("close", "3")],
    "follow": [do("people/items/lovelace/follow", True), do("people/items/goedel/follow", True), do("dismiss"), do("suggest"),
               put("order", "followed"), do("people/items/turing/follow", True), do("hide", "hopper"), put("order", "name"),
               do("people/items/lovelace/follow", False)],
    "recordings": [put(_root("newName"), "Talks"), do(_root("createFolder")), put(_root("newName"), "Rain"),
                   put(_root("newLength"), 95.0), do(_root("createRecording")), put(_root("newName"), "Birds"),
                   do(_root("createRecording")), do(_root("open"), lambda state: _items(state)[-1]),
                   do(_top("open"), lambda state: _items(state)[0]),
                   do("navigation/back"),
                   do(lambda state: _root(f"items/items/{_items(state)[0]}/delete"))],
    "reference": [*typed("word", "lighthouse"), put("word", "tower"), do("add"), put("share", 0.5), put("isOpen", False),
                  put("things/items/t2/isDone", True), put("things/items/t2/text", "another text"), do("reverse"),
                  do("remove", "t1"), do("say", "hello"), do("greet", {"how": "Good morning", "whom": "Ada"}),
                  put("numbers/window", {"first": 1, "count": 40}), put("numbers/window", {"first": 10, "count": 40}),
                  put("numbers/window", {"first": 500, "count": 40}), put("numbers/window", {"first": 500, "count": 20}),
                  do("appeared"), do("rotated", 3), do("count")],
}
