# SPDX-License-Identifier: MIT
"""Streams of changes in a real browser: its own EventSource, under the policy that every response carries."""

# Opens five streams. A client may have four, so the server ends the oldest. That one comes back after two seconds,
# and the server ends the next.
FOLLOW = """
async () => {
  const { url } = await (await fetch('/sessions/login', { method: 'POST' })).json();
  const checks = new Set();
  const changed = () => checks.forEach(check => check());
  window.session = url;
  window.until = claim => new Promise(done => {
    const check = () => { if (claim()) { checks.delete(check); done(); } };
    checks.add(check);
    check();
  });
  window.followers = Array.from({ length: 5 }, () => {
    const follower = { opened: 0, frames: [], source: new EventSource(`${url}/changes`) };
    follower.source.onopen = () => { follower.opened++; changed(); };
    follower.source.onerror = changed;
    follower.source.onmessage = event => {
      follower.frames.push({ id: event.lastEventId, ...JSON.parse(event.data) });
      changed();
    };
    return follower;
  });
}
"""

# Changes the user name, each time as soon as a stream has told of the last change, until each stream has been opened
# three times and has told of many changes.
TYPE = """
async () => {
  let last;
  for (let number = 0; followers.some(({ opened, frames }) => opened < 3 || frames.length <= 20); number++) {
    const response = await fetch(`${session}/actions/usernameDidChange`, {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(`user${number}`),
    });
    last = (await response.json()).to;
    await until(() => followers.some(follower => follower.frames.at(-1)?.to === last));
  }
  await until(() => followers.every(follower => follower.frames.at(-1)?.to === last));
  return followers.map(({ opened, frames }) => ({ opened, frames }));
}
"""


def opened(context, url):
    """A page with a document of the server that runs no code of its own, and five followers in it."""
    page = context.new_page()
    page.goto(url + "healthz")
    page.evaluate(FOLLOW)
    return page


def test_an_event_source_follows_and_comes_back_without_a_gap_or_a_duplicate(context, url):
    page = opened(context, url)
    failures = []
    page.on("pageerror", lambda error: failures.append(str(error)))
    for follower in page.evaluate(TYPE):
        assert follower["opened"] >= 3
        frames = follower["frames"]
        assert len(frames) > 20
        assert frames[0]["from"] is None
        # The frames after a return start at the last version before it: nothing is missing and nothing comes twice.
        assert [frame["from"] for frame in frames[1:]] == [frame["to"] for frame in frames[:-1]]
        assert all(frame["id"] == frame["to"] for frame in frames)
    assert failures == []


def test_an_event_source_of_a_closed_session_gives_up(context, url):
    page = opened(context, url)
    page.evaluate("until(() => followers.every(follower => follower.opened > 0))")
    page.evaluate("fetch(session, { method: 'DELETE' })")
    page.evaluate("until(() => followers.every(follower => follower.source.readyState === EventSource.CLOSED))")
