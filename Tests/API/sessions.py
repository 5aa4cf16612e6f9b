# SPDX-License-Identifier: MIT
"""Living sessions for made-up requests: one of each model at a time, opened anew when it is closed."""

import http.cookiejar
import re
import secrets
import threading
from urllib.parse import urlsplit

import requests

# The parameters of the models that are opened with them only.
PARAMS = {"board": {"board": "team"}, "card-finder": {"board": "team"}}
PATH = re.compile(r"/sessions/(?P<model>[^/]+)/\{id\}(?P<rest>/.*)?$")
TIMEOUT = 60


def encoded(token):
    """A name or a key in the form of a path's segment, before percent-encoding (RFC 6901 §3)."""
    return token.replace("~", "~0").replace("/", "~1")


def key(field):
    """The client's key in a Set-Cookie."""
    return field.split(";")[0].split("=", 1)[1]


class Sessions:
    """A session for each model and thread, and the cookies of their owners. It also knows the sessions that made-up
    requests opened."""

    def __init__(self, base):
        self._base = base.rstrip("/")
        # The port is in the cookie's name (PROTOCOL §2).
        self.cookie_name = f"euripus-{urlsplit(base).port or 80}"
        self._own = threading.local()
        self._client = requests.Session()
        # A client with a cookie jar would send every cookie that it was ever given.
        self._client.cookies.set_policy(http.cookiejar.DefaultCookiePolicy(allowed_domains=[]))
        self._cookies = {}

    def owner(self, session):
        """The cookie of a session's owner; `None` for a session that was not opened here."""
        return self._cookies.get(session)

    def remember(self, url, cookie):
        self._cookies[url.rsplit("/", 1)[1]] = cookie

    def open(self, model):
        """The id of a living session on `model`. Its state is fetched to know whether it lives."""
        own = self._own.__dict__.setdefault("sessions", {})
        session = own.get(model)
        if session and self._get(model, session).status_code == 200:
            return session
        if model == "account":
            cookie = self._signed_in()
            response = self._post(f"/sessions/{model}", cookie)
        else:
            response = self._post(f"/sessions/{model}", json={"params": PARAMS[model]} if model in PARAMS else None)
            cookie = key(response.headers["Set-Cookie"])
        self.remember(response.json()["url"], cookie)
        own[model] = response.json()["url"].rsplit("/", 1)[1]
        return own[model]

    def _signed_in(self):
        """The cookie of a new user who has logged in."""
        opened = self._post("/sessions/login")
        typed = [{"set": "/username", "value": secrets.token_hex(6)}, {"set": "/password", "value": "123456"}, {"do": "/loginTouched"}]
        answer = self._post(f"{opened.json()['url']}/actions", key(opened.headers["Set-Cookie"]), json=typed)
        return key(answer.headers["Set-Cookie"])

    def _post(self, path, cookie=None, **body):
        # A login takes a while on a busy machine, and its answer brings the cookie.
        headers = {"Prefer": "wait=55"} | ({"Cookie": f"{self.cookie_name}={cookie}"} if cookie else {})
        response = self._client.post(self._base + path, headers=headers, timeout=TIMEOUT, **body)
        response.raise_for_status()
        return response

    def keys(self, model, session, rest):
        """Keys of rows for a path such as `/state/people/items/{key}/name`: with them it leads somewhere, if any
        row does."""
        state = self._get(model, session).json()["state"]
        segments = rest.strip("/").split("/")[1:]
        found = self._rows(state, segments)
        if found is None:
            self._fill(model, session, segments)
            found = self._rows(self._get(model, session).json()["state"], segments)
        return found

    def _rows(self, state, segments):
        if not segments or state is None:
            # An action is not in the state.
            return {}
        head, tail = segments[0], segments[1:]
        if head.startswith("{"):
            fallback = None
            for key, row in state.items():
                found = self._rows(row, tail)
                if found is not None:
                    here = {head[1:-1]: encoded(key)} | found
                    if self._leads(row, tail):
                        return here
                    fallback = fallback or here
            return fallback
        if not isinstance(state, dict) or head not in state:
            # It is absent in this row, or an action. Keys that would follow are not known.
            return {} if not any(each.startswith("{") for each in tail) else None
        return self._rows(state[head], tail)

    @staticmethod
    def _leads(row, tail):
        return not tail or tail[0].startswith("{") or (isinstance(row, dict) and tail[0] in row)

    def _fill(self, model, session, segments):
        """Makes a folder in the recordings, which are empty at first."""
        if model != "recordings":
            return
        root = f"{self._base}/sessions/{model}/{session}"
        page = "navigation/pages/items/root"
        cookie = {"Cookie": f"{self.cookie_name}={self._cookies[session]}"}
        self._client.put(f"{root}/state/{page}/newName", json="Talks", headers=cookie, timeout=TIMEOUT)
        self._client.post(f"{root}/actions/{page}/createFolder", headers={"Prefer": "wait=5", **cookie}, timeout=TIMEOUT)

    def _get(self, model, session):
        url = f"{self._base}/sessions/{model}/{session}"
        return self._client.get(url, headers={"Cookie": f"{self.cookie_name}={self._cookies[session]}"}, timeout=TIMEOUT)
