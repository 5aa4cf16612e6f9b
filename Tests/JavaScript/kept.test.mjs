// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { fair, test } from "./opened.mjs";
import { openPeople } from "./people.mjs";

const markup = '<h1 data-vm-text="heading"></h1><button data-vm-do="say">Say</button>';

/** Leaves the page, and opens it again in the same tab, whose storage it has. */
async function reload(it, options, body = markup) {
  it.fire(it.window, "pagehide");
  const { storage, server } = it;
  it.close();
  return openPeople(body, { storage, settle: 0, ...options, of: server });
}

test("until there is a state a root is busy, and then it is ready", async () => {
  const it = await openPeople(markup, { settle: 0 });
  const shown = () => [it.find("main").getAttribute("aria-busy"), "vmReady" in it.find("main").dataset, it.find("h1").textContent];
  assert.deepEqual(shown(), ["true", false, ""]);
  await it.clock.run(500);
  assert.deepEqual(shown(), [null, true, "People"]);
});

test("a reload shows the tab's last state at once, and goes on from its version", async () => {
  const first = await openPeople(markup);
  await first.change((model) => (model.heading = "Changed"));
  const it = await reload(first);
  assert.equal(it.find("h1").textContent, "Changed");
  assert.equal(it.document.documentElement.dataset.vm, "connecting");
  const before = it.server.log.length;
  await it.clock.run(500);
  assert.ok(it.server.log.slice(before).every(({ method }) => method === "GET"), "no session is opened anew");
  await it.change((model) => (model.heading = "News"));
  assert.equal(it.find("h1").textContent, "News");
});

test("an action before the connection is there waits for it", async () => {
  const it = await reload(await openPeople(markup));
  it.fire(it.find("button"), "click");
  await it.clock.run(1000);
  assert.deepEqual(it.model().done, [["say", undefined]]);
});

test("edits made without a connection are there after a reload, are sent, and are asked about as the tab is closed", async () => {
  const field = '<input data-vm-bind="heading"><input type="password" data-vm-bind="secret">';
  const first = await openPeople(field);
  const asks = () => {
    const event = new first.window.Event("beforeunload", { cancelable: true });
    first.window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  first.connect(false);
  await first.clock.run(100);
  assert.equal(asks(), false);
  for (const input of first.document.querySelectorAll("input")) first.type(input, "!");
  assert.equal(asks(), true);
  const it = await reload(first, { weather: { ...fair(), down: true } }, field);
  assert.deepEqual(it.values(), ["People!", ""]);
  await it.clock.run(5000);
  assert.equal(it.model().heading, "People");
  it.connect(true);
  await it.clock.run(5000);
  assert.deepEqual([it.model().heading, it.model().secret], ["People!", undefined]);
});

test("a session that is gone meanwhile leads to a new one", async () => {
  const first = await openPeople(markup);
  await first.change((model) => (model.heading = "Old"));
  first.server.restart();
  const it = await reload(first);
  assert.equal(it.find("h1").textContent, "Old");
  await it.clock.run(5000);
  assert.equal(it.find("h1").textContent, "People");
});

test("a state for which there is no room is not kept, and the page goes on without", async () => {
  const first = await openPeople(markup);
  const set = first.storage.set.bind(first.storage);
  first.storage.set = (key, value) => {
    if (key.endsWith(":state")) throw new Error("QuotaExceededError");
    return set(key, value);
  };
  const it = await reload(first);
  assert.equal(it.find("h1").textContent, "");
  await it.clock.run(500);
  assert.equal(it.find("h1").textContent, "People");
});
