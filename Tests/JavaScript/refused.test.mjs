// SPDX-License-Identifier: MIT
// Edits that the server refuses.
import assert from "node:assert/strict";
import { deciding, fair, test } from "./opened.mjs";
import { addRows, openPeople } from "./people.mjs";

const form = '<form data-vm-do="add"><input data-vm-bind="heading"><button>Add</button></form><button class="other" data-vm-do="other"></button><ul><template data-vm-each="people"><li><button data-vm-do="follow">Follow</button></li></template></ul>';
const words = /^\/problems\/422$|Nothing was applied/;

/** Opens that form before a server that refuses each heading longer than ten letters. */
async function open() {
  const it = await openPeople(form, { prepare: (model) => addRows(model, "a"), weather: { ...fair(), delay: [100, 100] }, settle: 2000 });
  deciding(it, (model, method, [name], value) => (method === "PUT" && name === "heading" && value.length > 10 ? { refused: 422 } : undefined));
  return { ...it, field: it.find("input") };
}
const marks = ({ field }) => [field.value, field.getAttribute("aria-invalid"), words.test(field.getAttribute("data-vm-refused") ?? "")];

test("a refused edit stays in its field, which says why, until it is edited", async () => {
  const it = await open();
  it.type(it.field, " and all others");
  it.field.blur();
  await it.clock.run(2000);
  assert.deepEqual([marks(it), it.model().heading], [["People and all others", "true", true], "People"]);
  it.field.value = "Some";
  it.fire(it.field, "input");
  await it.clock.run(2000);
  assert.deepEqual([marks(it), it.model().heading], [["Some", null, false], "Some"]);
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
}

test("an element whose setter throws takes no other part of the page with it, and no connection", async () => {
  const it = await openPeople('<input class="bad" data-vm-bind="heading"><input class="good" data-vm-bind="heading"><p data-vm-text="heading"></p>');
  Object.defineProperty(it.find(".bad"), "value", { get: () => "People", set() { throw Error("broken"); } });
  await it.change((model) => (model.heading = "News"));
  assert.deepEqual([it.find(".good").value, it.find("p").textContent, it.document.documentElement.dataset.vm], ["News", "News", "live"]);
  assert.deepEqual(it.reported.splice(0).map(({ message }) => message).slice(0, 1), ['<input data-vm-bind="heading">: broken']);
});
