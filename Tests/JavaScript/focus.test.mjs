// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "./opened.mjs";
import { open } from "./todo.mjs";

test("the notice of a lost session goes with the next action too, and not before there is a new session", async () => {
  const it = await open({ delay: [5, 5] });
  const notice = () => it.find("[data-vm-status]").textContent;
  it.server.restart();
  await it.clock.run(5000);
  assert.equal(notice(), "gone");
  it.fire(it.find("i"), "click");
  assert.equal(notice(), "");
  await it.clock.run(5000);
  assert.deepEqual([notice(), it.model().items], ["", ["touched"]]);
});

test("a window that loses the focus gives its field the server's value, as a blur would", async () => {
  const it = await open({ delay: [5, 5], windows: 2 });
  const [one, two] = it.views;
  const write = async (text) => {
    two.field.focus();
    two.field.select();
    two.type(two.field, text);
    await it.clock.run(500);
  };
  one.field.focus();
  one.type(one.field, "mine");
  // A browser may let the field match :focus in a window that has lost it; jsdom does not.
  const { matches } = one.field;
  one.field.matches = (selector) => selector === ":focus" || matches.call(one.field, selector);
  await it.clock.run(500);
  await write("theirs");
  assert.equal(one.field.value, "mine");
  one.document.hasFocus = () => false;
  one.window.dispatchEvent(new one.window.Event("blur"));
  assert.equal(one.field.value, "theirs");
  await write("theirs again");
  assert.deepEqual([one.field.value, one.document.activeElement], ["theirs again", one.field]);
});
