# SPDX-License-Identifier: MIT
"""Checks every recorded response against the rules of HTTP (RFC 9110, RFC 9112) and of PROTOCOL.md."""

import json
import re
from typing import Iterator

from recording import Connection, Exchange, exchanges

# No response may have two of these (RFC 9110 §5.3, §8).
ONCE = (b"content-type", b"content-length", b"date", b"etag", b"location", b"cache-control", b"retry-after", b"allow",
        b"content-security-policy", b"x-content-type-options", b"referrer-policy")
ALWAYS = (b"date",)
# A response with a media type has the first of these. Documents for a browser have the others too, and only they do
# (PROTOCOL §7).
TYPED = (b"x-content-type-options",)
OF_DOCUMENTS = (b"content-security-policy", b"referrer-policy", b"cross-origin-resource-policy", b"cross-origin-opener-policy")
DOCUMENTS = (b"text/html", b"text/css", b"text/javascript", b"image/svg+xml")
# The field that a status must come with (RFC 9110 §15).
WITH = {201: b"location", 304: b"etag", 401: b"www-authenticate", 405: b"allow", 429: b"retry-after", 503: b"retry-after"}
# The paths whose 200 has no entity tag. Only `If-None-Match: *` makes them answer 304, which then has no tag either
# (RFC 9110 §15.4.5).
WITHOUT_TAG = (b"/healthz", b"/readyz", b"/models", b"/metrics", b"/sessions")
# The paths that no app can take. Their problems are of the kinds that the server describes (PROTOCOL §1).
OWN_PATHS = (b"/sessions", b"/models", b"/problems", b"/openapi.json", b"/healthz", b"/readyz", b"/metrics")
TOKEN = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
VALUE = re.compile(rb"[\t\x20-\x7e\x80-\xff]*")
TAG = re.compile(rb'(W/)?"[\x21\x23-\x7e\x80-\xff]*"')


def complaints(connection: Connection, without: tuple[bytes, ...] = ()) -> Iterator[str]:
    """A sentence for each broken rule. `without` has the fields of documents that a setting of the server may
    leave out."""
    found, rest = exchanges(connection)
    for exchange in found:
        for complaint in _complaints(exchange, without):
            yield f"{exchange.method.decode()} {exchange.target.decode('latin-1')} {exchange.status}: {complaint}"
    if rest:
        yield f"{connection.name}: {len(rest)} bytes that answer nothing: {rest[:200]!r}"


def _complaints(exchange: Exchange, without: tuple[bytes, ...]) -> Iterator[str]:
    names = [name for name, _ in exchange.fields]
    for name, value in exchange.fields:
        if not TOKEN.fullmatch(name) or not VALUE.fullmatch(value):
            yield f"a malformed field {name!r}: {value!r}"
    for name in ONCE:
        if names.count(name) > 1:
            yield f"{name.decode()} stands {names.count(name)} times"
    types = [value.split(b";")[0] for value in exchange.values(b"content-type")]
    # A file has a tag, and a cache may keep it. A cache may keep the descriptions too, but they are no documents.
    is_kept = b"etag" in names and b"no-store" not in exchange.values(b"cache-control")
    is_file = is_kept and not exchange.target.split(b"?")[0].endswith(b"/openapi.json")
    # A file that a client has sent is one that a browser could show, though no cache may keep it.
    is_file = is_file or b"content-disposition" in names
    is_document = exchange.status in (200, 206) and (is_file or any(each in DOCUMENTS for each in types))
    # A browser that navigates gets a page for people in the place of a problem.
    is_page = exchange.status >= 400 and exchange.method in (b"GET", b"HEAD") and types == [b"text/html"]
    is_document = is_document or is_page
    for name in ALWAYS + (TYPED if types else ()) + (OF_DOCUMENTS if is_document else ()):
        if name not in names and name not in without:
            yield f"no {name.decode()}"
    for name in OF_DOCUMENTS:
        if name in names and not is_document:
            yield f"{name.decode()}, which only documents need"
    has_no_tag = exchange.status == 304 and exchange.target in WITHOUT_TAG
    # A response of an app's own route may lack the address of the thing that it made, and the time to come again.
    may_lack = exchange.status in (201, 503) and not exchange.target.startswith(OWN_PATHS)
    if (wanted := WITH.get(exchange.status)) and wanted not in names and not has_no_tag and not may_lack:
        yield f"no {wanted.decode()}"
    if exchange.status == 204 and b"content-length" in names:
        yield "a 204 has a Content-Length (RFC 9110 §8.6)"
    if exchange.body and b"content-type" not in names:
        yield "a body without a Content-Type"
    if b"server" in names:
        yield "it says what the server is"
    if any(not TAG.fullmatch(tag) for tag in exchange.values(b"etag")):
        yield f"a malformed entity tag: {exchange.values(b'etag')}"
    for cookie in exchange.values(b"set-cookie"):
        words = {word.strip().lower() for word in cookie.split(b";")[1:]}
        if not {b"httponly", b"samesite=strict", b"path=/"} <= words:
            yield f"a cookie that scripts or other sites may use: {sorted(words)}"
    if exchange.status >= 400 and exchange.method != b"HEAD" and not is_page:
        yield from _problem(exchange)


def _problem(exchange: Exchange) -> Iterator[str]:
    if exchange.values(b"content-type") != [b"application/problem+json"]:
        yield f"a refusal that is no problem but {exchange.values(b'content-type')}"
        return
    problem = json.loads(exchange.body)
    if problem.get("status") != exchange.status:
        yield f"the problem says {problem.get('status')}"
    # A problem of an app's route may have no kind but its status (RFC 9457 §4.2.1).
    may_be_blank = not exchange.target.startswith(OWN_PATHS)
    is_typed = re.fullmatch(r"/problems/[a-z-]+", problem.get("type", "")) or (may_be_blank and problem.get("type") == "about:blank")
    if not is_typed or not problem.get("title"):
        yield f"a problem without type or title: {problem}"
