// SPDX-License-Identifier: MIT
// Edits that the server refuses.
import assert from "node:assert/strict";
import { answering, deciding, fair, test } from "./opened.mjs";
import { addRows, openPeople } from "./people.mjs";

const form = '<form data-vm-do="add"><input data-vm-bind="heading"><button>Add</button></form><button class="other" data-vm-do="other"></button><ul><template data-vm-each="people"><li><button data-vm-do="follow">Follow</button></li></template></ul>';
const words = /^\/problems\/422$|Nothing was applied/;

/** Opens that form before a server that refuses each heading longer than ten letters, with that status. */
async function open(status = 422) {
  const it = await openPeople(form, { prepare: (model) => addRows(model, "a"), weather: { ...fair(), delay: [100, 100] }, settle: 2000 });
  deciding(it, (model, method, [name], value) => (method === "PUT" && name === "heading" && value.length > 10 ? { refused: status } : undefined));
  return { ...it, field: it.find("input") };
}
const marks = ({ field }) => [field.value, field.getAttribute("aria-invalid"), words.test(field.getAttribute("data-vm-refused") ?? "")];

for (const status of [403, 409, 413, 422, 500, 507]) {
  test(`an edit that is refused with ${status} stays in its field, which says why, until it is edited`, async () => {
    const it = await open(status);
    it.type(it.field, " and all others");
    it.field.blur();
    await it.clock.run(2000);
    assert.deepEqual([marks(it), it.model().heading], [["People and all others", "true", true], "People"]);
    it.submit(it.find("form"));
    await it.clock.run(2000);
    assert.deepEqual([it.model().done, words.test(it.find("form button").dataset.vmRefused)], [[], true], "the action behind it is not sent");
    it.field.value = "Some";
    it.fire(it.field, "input");
    await it.clock.run(2000);
    assert.deepEqual([marks(it), it.model().heading], [["Some", null, false], "Some"]);
  });
}

test("the labels of a field whose edit was refused say why as well, until it is edited", async () => {
  const markup = '<label>Name <input id="name" data-vm-bind="heading"></label><label for="name">again</label><label>Yes <input type="checkbox" data-vm-bind="heading"></label>';
  const it = await openPeople(markup);
  deciding(it, (model, method, names, value) => (method === "PUT" && value !== "Some" ? { refused: 422 } : undefined));
  const told = () => [...it.document.querySelectorAll("[data-vm-refused]")].map(({ localName, textContent, dataset }) => [localName, textContent, dataset.vmRefused].join());
  const why = "Nothing was applied";
  it.type(it.find("#name"), "!");
  await it.clock.run(500);
  assert.deepEqual(told(), [`label,Name ,${why}`, `input,,${why}`, `label,again,${why}`]);
  it.find("#name").value = "Some";
  it.fire(it.find("#name"), "input");
  assert.deepEqual(told(), []);
  it.find("[type=checkbox]").click();
  await it.clock.run(500);
  assert.deepEqual(told(), [`label,Yes ,${why}`, `input,,${why}`]);
  it.find("[type=checkbox]").click();
  assert.deepEqual(told(), []);
});

test("an action of the same group is not sent behind a refused edit, nor while that stands, and says why; others are", async () => {
  const it = await open();
  it.type(it.field, " and all others");
  it.submit(it.find("form"));
  await it.clock.run(2000);
  const refused = () => it.find("form button").getAttribute("data-vm-refused");
  assert.deepEqual([it.model().done, words.test(refused())], [[], true]);
  it.submit(it.find("form"));
  it.fire(it.find("li button"), "click");
  await it.clock.run(2000);
  assert.deepEqual([it.model().done, it.model().rows.get("a").follow.executing], [[], true]);
  it.field.value = "Some";
  it.fire(it.field, "input");
  it.submit(it.find("form"));
  await it.clock.run(2000);
  assert.deepEqual([it.model().done.map(([name]) => name), it.model().heading, refused()], [["add"], "Some", null]);
});

test("a script's action is sent behind a refused edit, as it stands in no group", async () => {
  const it = await open();
  it.type(it.field, " and all others");
  const done = it.script.root("people").perform("other");
  await it.clock.run(2000);
  await done;
  assert.deepEqual([marks(it), it.model().done], [["People and all others", "true", true], [["other", undefined]]]);
});

for (const [kind, markup, choose] of [
  ["checkbox", '<input type="checkbox" data-vm-bind="heading">', (field) => (field.checked = true)],
  ["select", '<select data-vm-bind="heading"><option>a<option>b</select>', (field) => (field.value = "b")],
  ["range", '<input type="range" data-vm-bind="heading">', (field) => (field.value = 9)],
]) {
  test(`a choice by a ${kind} that the view model does not take is gone from under the focus`, async () => {
    const first = { checkbox: false, select: "a", range: 3 }[kind];
    const it = await openPeople(markup, { prepare: (model) => (model.heading = first) });
    deciding(it, (model, method) => (method === "PUT" ? { then() {} } : undefined));
    const field = it.find("[data-vm-bind]");
    field.focus();
    choose(field);
    it.fire(field, "input");
    await it.clock.run(500);
    assert.equal(it.document.activeElement, field);
    assert.equal(kind === "checkbox" ? field.checked : field.value, kind === "range" ? "3" : first);
  });

  test(`a choice by a ${kind} that is refused goes back, says why, and stops the press behind it alone`, async () => {
    const first = { checkbox: false, select: "a", range: 3 }[kind];
    const it = await openPeople(`<form data-vm-do="add">${markup}<button type="submit"></button></form>`, { prepare: (model) => (model.heading = first) });
    deciding(it, (model, method) => (method === "PUT" ? { refused: 403 } : undefined));
    const [field, button] = ["[data-vm-bind]", "button"].map(it.find);
    choose(field);
    it.fire(field, "input");
    it.submit(it.find("form"));
    await it.clock.run(500);
    assert.deepEqual([field, button].map((each) => each.dataset.vmRefused), ["Nothing was applied", "Nothing was applied"]);
    assert.deepEqual([String(kind === "checkbox" ? field.checked : field.value), it.model().done], [String(first), []]);
    it.submit(it.find("form"));
    await it.clock.run(500);
    assert.equal(it.model().done.length, 1, "the field shows the server's value, so the next press may go");
    choose(field);
    it.fire(field, "input");
    assert.equal(field.dataset.vmRefused, undefined);
  });
}

for (const [kind, markup, before, after] of [
  ["date", '<input type="date" data-vm-bind="heading">', "2026-11-23", "2026-11-24"],
  ["time", '<input type="time" data-vm-bind="heading">', "10:00", "11:00"],
  ["custom element", '<x-day tabindex="0" data-vm-bind="heading"></x-day>', "Monday", "Tuesday"],
]) {
  test(`a value of a ${kind} that the view model does not take stands until the focus has gone`, async () => {
    const it = await openPeople(markup, { prepare: (model) => (model.heading = before) });
    deciding(it, (model, method) => (method === "PUT" ? { then() {} } : undefined));
    const field = it.find("[data-vm-bind]");
    field.focus();
    field.value = after;
    it.fire(field, "input");
    await it.clock.run(500);
    assert.equal(field.value, after);
    field.blur();
    assert.equal(field.value, before);
  });
}

test("an element whose setter throws takes no other part of the page with it, and no connection", async () => {
  const it = await openPeople('<input class="bad" data-vm-bind="heading"><input class="good" data-vm-bind="heading"><p data-vm-text="heading"></p>');
  Object.defineProperty(it.find(".bad"), "value", { get: () => "People", set() { throw Error("broken"); } });
  await it.change((model) => (model.heading = "News"));
  assert.deepEqual([it.find(".good").value, it.find("p").textContent, it.document.documentElement.dataset.vm], ["News", "News", "live"]);
  assert.deepEqual(it.reported.splice(0).map(({ message }) => message).slice(0, 1), ['<input> {"vmBind":"heading"}: broken']);
});

/** Has each element of class `bad` hold its own value, and throw at some of them. */
function breaking(view, isBroken) {
  for (const each of view.document.querySelectorAll(".bad")) {
    let held = "";
    const set = (value) => {
      if (isBroken(value)) throw Error("broken");
      held = value;
    };
    Object.defineProperty(each, "value", { get: () => held, set });
  }
}
const broken = '<input class="bad" data-vm-bind="heading"><input class="good" data-vm-bind="heading"><p data-vm-text="heading"></p><button data-vm-do="say">Say</button>';
const told = (it) => [...new Set(it.reported.splice(0).map(({ message }) => message))];
const complaint = ['<input> {"vmBind":"heading"}: broken'];

test("a page whose user is signed out is emptied though the setter of an element throws", async () => {
  const it = await openPeople(broken, { meet: (view) => breaking(view, (value) => !value) });
  const signedOut = { type: "/problems/signed-out", title: "Signed out", status: 401 };
  answering(it, "/sessions/people/", () => [401, signedOut]);
  it.fire(it.find("button"), "click");
  await it.clock.run(1000);
  const { vm } = it.document.documentElement.dataset;
  assert.deepEqual([vm, it.find(".good").value, it.find("p").textContent, it.script.root("people").state], ["blocked", "", "", undefined]);
  assert.deepEqual(told(it), complaint);
});

test("an action that was performed is told as that though the setter of an element throws at its effect", async () => {
  const it = await openPeople(broken, { meet: (view) => breaking(view, (value) => value === "boom") });
  deciding(it, (model, method) => (method === "POST" ? { then: () => (model.heading = "boom") } : undefined));
  it.fire(it.find("button"), "click");
  await it.clock.run(1000);
  assert.deepEqual([it.find("p").textContent, it.find("button").hasAttribute("data-vm-refused"), it.errors], ["boom", false, []]);
  assert.deepEqual(told(it), complaint);
});

test("a page whose kept edit an element cannot show after a reload is connected, with all its roots", async () => {
  const markup = `${broken}</main><main data-vm-root="people" id="second">${broken.replaceAll("bad", "fine")}`;
  const first = await openPeople(markup);
  first.connect(false);
  await first.clock.run(100);
  first.type(first.find(".bad"), "!");
  first.fire(first.window, "pagehide");
  const it = await openPeople(markup, { storage: first.storage, of: first.server, meet: (view) => breaking(view, (value) => value === "People!") });
  assert.equal(it.document.documentElement.dataset.vm, "live");
  assert.deepEqual(it.texts("p"), ["People!", "People"]);
  assert.deepEqual(told(it), complaint);
});
