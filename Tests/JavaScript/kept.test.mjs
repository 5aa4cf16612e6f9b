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

test("a choice by radio buttons without a connection is there after a reload, whichever it is, and is sent", async () => {
  const sizes = ["small", "medium", "large"];
  const group = sizes.map((value) => `<input type="radio" name="size" value="${value}" data-vm-bind="heading">`).join("");
  for (const size of sizes) {
    for (const before of sizes) {
      const first = await openPeople(`${group}<input data-vm-bind="heading">`, { prepare: (model) => (model.heading = "medium") });
      first.connect(false);
      await first.clock.run(100);
      for (const value of [before, size]) {
        const button = first.find(`[value=${value}]`);
        button.checked = true;
        first.fire(button, "input");
      }
      const it = await reload(first, { weather: { ...fair(), down: true } }, `${group}<input data-vm-bind="heading">`);
      const shown = () => [...it.document.querySelectorAll(":checked")].map(({ value }) => value);
      assert.deepEqual([shown(), it.values("input:not([name])")], [[size], ["medium"]]);
      it.connect(true);
      await it.clock.run(5000);
      assert.deepEqual([shown(), it.model().heading, it.values("input:not([name])")], [[size], size, [size]]);
      it.close();
    }
  }
});

test("a text and radio buttons of one value are there after a reload, each as it was left, and the later edit counts", async () => {
  const both = '<input class="text" data-vm-bind="heading"><input type="radio" name="size" value="small" data-vm-bind="heading"><input class="text" data-vm-bind="heading">';
  for (const order of [["text"], ["radio", "text"], ["text", "radio"]]) {
    const first = await openPeople(both);
    first.connect(false);
    await first.clock.run(100);
    for (const kind of order) {
      if (kind === "text") first.type(first.document.querySelectorAll(".text")[1], "!");
      else first.find("[type=radio]").checked = true;
      first.fire(first.find("[type=radio]"), "input");
    }
    const it = await reload(first, { weather: { ...fair(), down: true } }, both);
    assert.deepEqual([it.values(".text"), it.find("[type=radio]").checked], [["People!", "People!"], order.includes("radio")]);
    it.connect(true);
    await it.clock.run(5000);
    assert.equal(it.model().heading, order.at(-1) === "radio" ? "small" : "People!");
  }
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
