// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { fair, test } from "./opened.mjs";
import { addRows, openPeople } from "./people.mjs";

const list = `<ul><template data-vm-each="people"><li data-vm-attr-title="title">
  <input data-vm-bind="title">
  <button class="do" data-vm-do="follow"></button>
  <button class="cancel" data-vm-cancel="follow"></button>
  <progress max="1" data-vm-attr-value="follow/progress"></progress>
</li></template></ul>`;
const two = (model) => addRows(model, "a", "b");
const control = (it, name, at = 0) => it.document.querySelectorAll(name)[at];
const marks = (element) => [element.getAttribute("aria-disabled"), element.getAttribute("aria-busy")];
const requests = (it) => it.server.log.filter(({ method, names }) => names && method !== "GET").map(({ method, names, body }) => [method, names, ...(body === undefined ? [] : [body])]);
const hits = (it, name, at) => it.fire(control(it, name, at), "click");

test("a command's controls tell its state by themselves: disabled, busy, its progress", async () => {
  const it = await openPeople(list, { prepare: two });
  assert.deepEqual([marks(control(it, ".do")), marks(control(it, ".cancel"))], [["false", null], ["true", null]]);
  assert.equal(control(it, "progress").getAttribute("value"), null);
  hits(it, ".do");
  assert.deepEqual(marks(control(it, ".do")), ["false", "true"], "busy from the click on");
  await it.clock.run(500);
  assert.deepEqual([marks(control(it, ".do")), marks(control(it, ".cancel"))], [["true", "true"], ["false", null]]);
  assert.deepEqual(marks(control(it, ".do", 1)), ["false", null], "another row's command is another one");
  assert.equal(control(it, "progress").getAttribute("value"), "0");
  await it.change((model) => Object.assign(model.rows.get("a").follow, { executing: false, enabled: false, progress: null, result: 1 }));
  assert.deepEqual([marks(control(it, ".do")), marks(control(it, ".cancel"))], [["true", null], ["true", null]]);
  assert.equal(control(it, "progress").getAttribute("value"), null);
});

test("a command is refused here while it executes, is unacknowledged, disabled or offline, and each is sent once", async () => {
  const it = await openPeople(list, { prepare: two });
  hits(it, ".do");
  hits(it, ".do");
  await it.clock.run(500);
  hits(it, ".do");
  await it.clock.run(500);
  assert.deepEqual(requests(it), [["POST", "people items a follow"]]);
  assert.deepEqual(it.errors, [], "a second click on what runs is no error");
  await it.change((model) => (model.rows.get("b").follow.enabled = false));
  hits(it, ".do", 1);
  await it.clock.run(500);
  assert.deepEqual(it.errors.map(({ type }) => type), ["action-disabled"]);
  it.connect(false);
  await it.clock.run(1000);
  await it.change((model) => (model.rows.get("a").follow.executing = false));
  hits(it, ".cancel");
  assert.equal(it.errors.at(-1).type, "offline");
  assert.equal(requests(it).length, 1);
});

test("an action of the list is performed for each row that is pressed, however soon after the first one", async () => {
  const it = await openPeople(`<ul><template data-vm-each="people"><li><button data-vm-do="../remove" data-vm-arg="#"></button></li></template></ul>`, { prepare: two });
  for (const row of [0, 0, 1, 1]) hits(it, "button", row);
  await it.clock.run(1000);
  assert.deepEqual(requests(it), [["POST", "remove", '"a"'], ["POST", "remove", '"b"']]);
});

test("cancel ends a running command with a DELETE, is refused while nothing runs, and the command can be started again", async () => {
  const it = await openPeople(list, { prepare: two });
  hits(it, ".cancel");
  await it.clock.run(500);
  assert.deepEqual(it.errors.map(({ type }) => type), ["action-disabled"]);
  hits(it, ".do");
  await it.clock.run(500);
  hits(it, ".cancel");
  hits(it, ".cancel");
  assert.equal(control(it, ".cancel").getAttribute("aria-busy"), "true");
  await it.clock.run(500);
  assert.equal(it.model().rows.get("a").follow.error.type, "cancelled");
  assert.deepEqual(marks(control(it, ".do")), ["false", null]);
  hits(it, ".do");
  await it.clock.run(500);
  assert.deepEqual(requests(it).map(([method]) => method), ["POST", "DELETE", "POST"]);
});

test("a command that runs, and lets another run wait or take its place, is pressed as any", async () => {
  const it = await openPeople('<button class="do" data-vm-do="send"></button>', { prepare: (model) => (model.send = { enabled: true, executing: true, progress: null, result: null, error: null }) });
  hits(it, ".do");
  await it.clock.run(500);
  assert.deepEqual(requests(it), [["POST", "send"]]);
});

for (const type of ["", 'type="submit"']) {
  test(`a form's command marks the form's submit button, a <button ${type}>`, async () => {
    const executing = { enabled: false, executing: true, progress: null, result: null, error: null };
    const it = await openPeople(`<form data-vm-do="send"><button type="button"></button><button ${type}></button></form>`, { prepare: (model) => (model.send = executing) });
    assert.deepEqual([marks(control(it, "button")), marks(control(it, "button", 1)), marks(control(it, "form"))], [[null, null], ["true", "true"], [null, null]]);
  });
}

test("an action of an element that is no form marks that element, and no button in it", async () => {
  const around = `<ul><template data-vm-each="people"><li data-vm-do="follow" data-vm-on="dblclick">
    <button type="submit"></button></li></template></ul>`;
  const it = await openPeople(around, { prepare: two });
  assert.deepEqual([marks(control(it, "li")), marks(control(it, "button"))], [["false", null], [null, null]]);
});

test("confirm asks first, with a text of the page or of the view model, and no means no", async () => {
  const asked = [];
  let yes = false;
  const buttons = '<button data-vm-do="clear" data-vm-confirm="=Really all = of them?"></button><template data-vm-each="people"><b data-vm-do="remove" data-vm-confirm="title"></b></template>';
  const it = await openPeople(buttons, { prepare: two });
  it.world.confirm = (text) => asked.push(text) && yes;
  hits(it, "button");
  hits(it, "b", 1);
  await it.clock.run(500);
  assert.deepEqual([asked, it.model().done], [["Really all = of them?", "title of b"], []]);
  yes = true;
  hits(it, "b", 1);
  await it.clock.run(500);
  assert.deepEqual(it.model().done, [["people items b remove", null]].map(([path]) => [path, undefined]));
});

test("an argument is a value of the state with its type, a literal, or the row's key; without a name it is the whole value", async () => {
  const buttons = `<template data-vm-each="people"><p>
    <b data-vm-do="/none"></b>
    <b data-vm-do="/whole" data-vm-arg="#"></b>
    <b data-vm-do="/whole" data-vm-arg="age"></b>
    <b data-vm-do="/whole" data-vm-arg="=a = b"></b>
    <b data-vm-do="/whole" data-vm-arg="="></b>
    <b data-vm-do="/whole" data-vm-arg="tags"></b>
    <b data-vm-do="/named" data-vm-arg-the-key="#" data-vm-arg-age="age" data-vm-arg-from="../heading" data-vm-arg-how="=fast" data-vm-arg-old="!age=3"></b>
  </p></template>`;
  const it = await openPeople(buttons, {
    prepare(model) {
      addRows(model, "a/1");
      Object.assign(model.rows.get("a/1"), { age: 3, tags: ["x", null] });
    },
  });
  for (const button of it.document.querySelectorAll("b")) {
    it.fire(button, "click", { detail: 1 });
    await it.clock.run(300);
  }
  assert.deepEqual(it.model().done, [
    ["none", undefined],
    ["whole", "a/1"],
    ["whole", 3],
    ["whole", "a = b"],
    ["whole", ""],
    ["whole", ["x", null]],
    ["named", { theKey: "a/1", age: 3, from: "People", how: "fast", old: false }],
  ]);
});

test("an argument has the edits before the press, also where they are still on their way, and a row's as it was if the row has gone", async () => {
  const it = await openPeople('<input data-vm-bind="heading"><button data-vm-do="greet" data-vm-arg="heading"></button><template data-vm-each="people"><b data-vm-do="/named" data-vm-arg-key="#" data-vm-arg-title="title"></b></template>', {
    prepare: (model) => addRows(model, "a"),
    weather: { ...fair(), delay: [300, 300] },
    settle: 2000,
  });
  it.type(it.find("input"), "hello");
  it.fire(it.find("b"), "click");
  it.fire(it.find("button"), "click");
  it.server.change(it.server.only(), (model) => (model.order = []));
  await it.clock.run(5000);
  assert.deepEqual(it.model().done, [["named", { key: "a", title: "title of a" }], ["greet", "Peoplehello"]]);
});

test("an action may be performed on another event, on one key of it, and never by a key that composes", async () => {
  const it = await openPeople('<input class="key" data-vm-do="enter" data-vm-on="keydown.enter"><input class="change" data-vm-do="changed" data-vm-on="change">');
  const key = control(it, ".key");
  // A key that a composition takes has the code 229, whether its event comes before the composition's end or after
  // it (UI Events, "keyCode").
  for (const init of [{ key: "a" }, { key: "Enter", isComposing: true, keyCode: 229 }, { key: "Enter", keyCode: 229 }, { key: "Enter" }]) {
    const taken = !it.fire(key, "keydown", init);
    assert.equal(taken, init.key === "Enter" && !init.keyCode);
  }
  it.fire(key, "click");
  it.fire(control(it, ".change"), "change");
  await it.clock.run(500);
  assert.deepEqual(it.model().done, [["enter", undefined], ["changed", undefined]]);
});

const device = `<main-signs>
  <i data-vm-do="willAppear" data-vm-on="visible"></i><i data-vm-do="didAppear" data-vm-on="visible"></i>
  <i data-vm-do="willDisappear" data-vm-on="hidden"></i><i data-vm-do="didDisappear" data-vm-on="hidden"></i>
  <i data-vm-do="rotated" data-vm-on="rotate"></i></main-signs>`;
const turned = (it, angle) => {
  it.world.screen.orientation = { angle };
  it.fire(it.window, "resize");
};

test("a page that appears, disappears and is rotated says so: once at the start and once at each change", async () => {
  let hidden = false;
  const it = await openPeople(device, {
    meet(view) {
      Object.defineProperty(view.document, "hidden", { get: () => hidden });
      Object.defineProperty(view.document, "visibilityState", { get: () => (hidden ? "hidden" : "visible") });
    },
  });
  const said = async () => {
    await it.clock.run(500);
    return it.model().done.splice(0).map(([name, value]) => name + (value ?? ""));
  };
  const show = (value) => {
    hidden = !value;
    it.fire(it.document, "visibilitychange");
  };
  assert.deepEqual(await said(), ["willAppear", "didAppear", "rotated1"]);
  await it.change((model) => (model.heading = "news"));
  assert.deepEqual(await said(), [], "news of something else are no news of the device");
  turned(it, 90);
  assert.deepEqual(await said(), ["rotated3"]);
  turned(it, 90);
  assert.deepEqual(await said(), []);
  turned(it, 270);
  assert.deepEqual(await said(), ["rotated4"]);
  show(false);
  assert.deepEqual(await said(), ["willDisappear", "didDisappear"]);
  show(true);
  show(false);
  show(true);
  assert.deepEqual(await said(), ["willAppear", "didAppear"], "what was over before it could be said is not said");
  it.connect(false);
  await it.clock.run(500);
  turned(it, 0);
  assert.deepEqual(await said(), []);
  it.connect(true);
  assert.deepEqual(await said(), ["rotated1"], "what happened offline is said when there is a connection again");
  assert.deepEqual(it.errors, []);
});

test("rotations that overtake each other end with the last one, and a new session is told where the device is", async () => {
  const it = await openPeople(device, { weather: { ...fair(), delay: [100, 200] }, settle: 3000 });
  it.model().done.length = 0;
  turned(it, 90);
  turned(it, 0);
  await it.clock.run(20);
  turned(it, 270);
  await it.clock.run(3000);
  assert.deepEqual(it.model().done.at(-1), ["rotated", 4]);
  it.server.restart();
  await it.clock.run(10000);
  assert.deepEqual(it.model().done.map(([name]) => name), ["willAppear", "didAppear", "rotated"]);
});

test("an action whose answer names another page is over, and then the browser goes there, also where the session ends with it", async () => {
  for (const ended of [undefined, true]) {
    const it = await openPeople('<p role="status" data-signed-out="out"></p><button data-vm-do="say"></button><h1 data-vm-text="heading"></h1>');
    const { handle } = it.server;
    it.server.handle = function (method, address, headers, body, answer) {
      const more = address.includes("/actions") ? { location: "/orders/7", ended } : {};
      handle.call(this, method, address, headers, body, (status, told, ...rest) => answer(status, { ...told, ...more }, ...rest));
    };
    it.fire(it.find("button"), "click");
    await it.clock.run(1000);
    assert.deepEqual(it.world.location.assigned, ["/orders/7"]);
    assert.equal(it.find("button").getAttribute("aria-busy"), null);
    assert.equal(it.find("p").textContent, "", "nothing is said of an end");
  }
});
