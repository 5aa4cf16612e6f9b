// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { deciding, test } from "./opened.mjs";
import { openPeople } from "./people.mjs";

const radio = (value, more = "") => `<label><input type="radio" name="size" value="${value}" data-vm-bind="heading"${more}>${value}</label>`;
const sizes = ["small", "medium", "large", ""];
const group = sizes.map((value) => radio(value)).join("");
const checked = (it) => [...it.document.querySelectorAll(":checked")].map(({ value }) => value);
const writes = (it) => it.sent("PUT").map(({ names, body }) => [names, JSON.parse(body)]);
const medium = (model) => (model.heading = "medium");

function choose(it, value) {
  const field = it.document.querySelectorAll("input")[sizes.indexOf(value)];
  field.focus();
  field.checked = true;
  it.fire(field, "input");
}

test("the radio button with the state's value is checked, and another one when the state changes", async () => {
  const it = await openPeople(group, { prepare: medium });
  assert.deepEqual(checked(it), ["medium"]);
  for (const heading of ["large", "small", "", "none of these", "medium"]) {
    await it.change((model) => (model.heading = heading));
    assert.deepEqual(checked(it), sizes.filter((each) => each === heading));
  }
  assert.deepEqual(writes(it), []);
});

test("a radio button that is chosen writes its value, once, in whichever direction and however often the choice changes", async () => {
  const it = await openPeople(group, { prepare: medium });
  for (const value of ["large", "small", "medium", "", "medium"]) {
    choose(it, value);
    assert.deepEqual(checked(it), [value]);
    await it.clock.run(500);
    assert.deepEqual([checked(it), it.model().heading], [[value], value]);
  }
  assert.deepEqual(writes(it), ["large", "small", "medium", "", "medium"].map((value) => ["heading", value]));
  assert.equal(it.document.querySelectorAll("[data-vm-pending]").length, 0);
});

test("a choice that is not acknowledged yet stands against the server's value, and is the last of several", async () => {
  const it = await openPeople(group, { prepare: medium, weather: { delay: [200, 200], lose: 0, busy: 0, down: false }, settle: 3000 });
  choose(it, "large");
  await it.clock.run(100);
  choose(it, "small");
  choose(it, "large");
  choose(it, "small");
  for (let step = 0; step < 20; step++) {
    it.server.change(it.server.only(), (model) => model.done.push(step));
    await it.clock.run(50);
    assert.deepEqual(checked(it), ["small"]);
  }
  await it.clock.run(3000);
  assert.deepEqual([checked(it), it.model().heading], [["small"], "small"]);
  assert.deepEqual(writes(it).map(([, value]) => value), ["large", "small"]);
});

test("a choice that waits for blur, or was made before the page was connected, or in a session that ended, is sent", async () => {
  const blurred = sizes.map((value) => radio(value, ' data-vm-debounce="blur"')).join("");
  const late = await openPeople(blurred, { prepare: medium });
  choose(late, "small");
  await late.clock.run(3000);
  assert.deepEqual(writes(late), []);
  late.document.activeElement.blur();
  await late.clock.run(500);
  assert.equal(late.model().heading, "small");
  late.close();

  const early = await openPeople(group, { prepare: medium, meet: (view) => (view.document.querySelectorAll("input")[2].checked = true) });
  assert.deepEqual([checked(early), early.model().heading], [["large"], "large"]);
  early.server.restart();
  await early.clock.run(10000);
  assert.deepEqual([checked(early), early.model().heading], [["large"], "large"]);
  assert.equal(early.errors.length, 0);
});

test("a button that the page checks by itself is nobody's edit", async () => {
  const it = await openPeople(sizes.map((value) => radio(value, value === "large" ? " checked" : "")).join(""), { prepare: medium });
  assert.deepEqual([checked(it), writes(it)], [["medium"], []]);
});

test("a choice that is refused goes back, and its label says why until another button of the group is chosen", async () => {
  const it = await openPeople(group, { prepare: medium });
  deciding(it, (model, method, names, value) => (method === "PUT" && value !== "small" ? { refused: 403 } : undefined));
  const told = () => [...it.document.querySelectorAll("label[data-vm-refused]")].map((label) => label.textContent);
  choose(it, "large");
  await it.clock.run(500);
  assert.deepEqual([checked(it), told()], [["medium"], ["large"]]);
  choose(it, "small");
  await it.clock.run(500);
  assert.deepEqual([checked(it), told(), it.document.querySelectorAll("[data-vm-refused]").length], [["small"], [], 0]);
});
