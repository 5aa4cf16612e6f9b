# SPDX-License-Identifier: MIT
"""The weight of a first view of the login and the sign-up, by the browser's own count."""

import pytest
from conftest import live

# All that the browser has asked for, with the bytes of content as they came, compressed. Its icon comes when the page is
# there, once a site.
ASKED = """() => ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type))
    .filter(({ name }) => !/changes|icon/.test(name)).map(({ name, encodedBodySize }) => [name, encodedBodySize])"""


@pytest.mark.parametrize("name", ["login", "signup"])
def test_a_first_view_has_at_most_4_requests_and_20_000_bytes_of_content(context, url, name):
    page = context.new_page()
    page.goto(f"{url}{name}")
    live(page)
    asked = page.evaluate(ASKED)
    assert len(asked) == 4, asked
    assert all(size for _, size in asked), asked
    assert sum(size for _, size in asked) <= 20_000, asked
