// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { deciding, fair, left, test } from "./opened.mjs";
import { openPeople } from "./people.mjs";

const markup = '<h1 data-vm-text="heading"></h1><button data-vm-do="say">Say</button>';

const reload = (it, options, body = markup) => openPeople(body, { ...left(it), settle: 0, ...options });

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

/** Whether the browser asks before it closes the tab. */
function asks({ window }) {
  const event = new window.Event("beforeunload", { cancelable: true });
  window.dispatchEvent(event);
  return event.defaultPrevented;
}
const away = () => ({ ...fair(), down: true });
const field = '<input data-vm-bind="heading">';

test("edits made without a connection are there after a reload, are sent, and are asked about as the tab is closed", async () => {
  const field = '<input data-vm-bind="heading"><input type="password" data-vm-bind="secret">';
  const first = await openPeople(field);
  assert.equal(asks(first), false);
  first.connect(false);
  await first.clock.run(100);
  assert.equal(asks(first), false);
  for (const input of first.document.querySelectorAll("input")) first.type(input, "!");
  assert.equal(asks(first), true);
  const it = await reload(first, { weather: away() }, field);
  assert.deepEqual(it.values(), ["People!", ""]);
  await it.clock.run(5000);
  assert.equal(it.model().heading, "People");
  it.connect(true);
  await it.clock.run(5000);
  assert.deepEqual([it.model().heading, it.model().secret, asks(it)], ["People!", undefined, false]);
});

test("an edit on a connection that has died without a word is asked about after two seconds, and is there after a reload", async () => {
  const first = await openPeople(field);
  first.weather.silent = true;
  first.type(first.find("input"), "!");
  await first.clock.run(1900);
  assert.equal(asks(first), false, "an answer may come");
  await first.clock.run(200);
  assert.deepEqual([asks(first), first.document.documentElement.dataset.vm], [true, "live"]);
  const it = await reload(first, { weather: away() }, field);
  assert.deepEqual(it.values(), ["People!"]);
  it.connect(true);
  await it.clock.run(5000);
  assert.equal(it.model().heading, "People!");
  assert.equal(asks(it), false);
});

test("an edit that goes out as the page is left is not sent again after a reload, over what somebody else wrote since", async () => {
  for (const slow of [0, 1800]) {
    const first = await openPeople(field);
    first.weather.delay = [1000, 1000];
    first.type(first.find("input"), "!");
    await first.clock.run(slow);
    assert.equal(asks(first), false);
    first.fire(first.window, "pagehide");
    await first.clock.run(3000);
    first.server.change(first.server.only(), (model) => (model.heading += " And others"));
    const it = await openPeople(field, { storage: first.storage, of: first.server, settle: 5000 });
    assert.deepEqual([it.values(), it.model().heading], [["People! And others"], "People! And others"]);
    it.close();
  }
});

test("a page that a phone ends while it is hidden, without a word, has its state and its unsent edits when it is opened again", async () => {
  const both = markup + field;
  const first = await openPeople(both);
  await first.change((model) => (model.done = ["news"]));
  first.connect(false);
  await first.clock.run(100);
  first.type(first.find("input"), "!");
  Object.defineProperty(first.document, "hidden", { get: () => true });
  first.fire(first.document, "visibilitychange");
  const it = await openPeople(both, { storage: first.storage, of: first.server, weather: away(), settle: 0 });
  assert.deepEqual([it.find("h1").textContent, it.values(), it.script.root("people").state.done], ["People", ["People!"], ["news"]]);
  it.connect(true);
  await it.clock.run(5000);
  assert.equal(it.model().heading, "People!");
});

test("edits that were kept once are not in the storage of a page that is seen, which a duplicate of its tab would send again", async () => {
  const first = await openPeople(field);
  const kept = ({ storage }) => /People!/.test([...storage.values()].join());
  let hidden = true;
  Object.defineProperty(first.document, "hidden", { get: () => hidden });
  first.connect(false);
  await first.clock.run(100);
  first.type(first.find("input"), "!");
  first.fire(first.document, "visibilitychange");
  assert.equal(kept(first), true);
  hidden = false;
  first.fire(first.document, "visibilitychange");
  assert.equal(kept(first), false);
  const it = await reload(first, { weather: away() }, field);
  assert.deepEqual([it.values(), kept(it)], [["People!"], false]);
});

test("a text that was refused is there after a reload, is refused again, and says why", async () => {
  const refusing = (it) => deciding(it, (model, method, names, value) => (method === "PUT" && value.length > 10 ? { refused: 422 } : undefined));
  const first = await openPeople(field);
  refusing(first);
  first.type(first.find("input"), " and all others");
  await first.clock.run(500);
  assert.deepEqual([first.find("input").hasAttribute("data-vm-refused"), asks(first)], [true, false]);
  const it = await reload(first, {}, field);
  await it.clock.run(1000);
  assert.deepEqual([it.values(), it.find("input").dataset.vmRefused, it.model().heading], [["People and all others"], "Nothing was applied", "People"]);
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
      const it = await reload(first, { weather: away() }, `${group}<input data-vm-bind="heading">`);
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
    const it = await reload(first, { weather: away() }, both);
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
