// SPDX-License-Identifier: MIT
// The browser's default action of an event that performs an action of the view model.
import assert from "node:assert/strict";
import { test } from "./opened.mjs";
import { openPeople } from "./people.mjs";

/** Whether the browser goes on with its default action of an event at the element. */
const goesOn = (it, selector, event) => it.document.querySelector(selector).dispatchEvent(event);

test("an action takes the place of a submit, of a link's and a button's click and of a named key; a tick and typing go on", async () => {
  const page = `<form data-vm-do="send"><button class="own" data-vm-do="send"></button></form><a href="/" data-vm-do="send"></a>
    <input type="checkbox" data-vm-do="send"><details><summary data-vm-do="send"></summary></details>
    <textarea class="key" data-vm-do="send" data-vm-on="keydown.enter"></textarea><textarea class="any" data-vm-do="send" data-vm-on="keydown"></textarea>`;
  const it = await openPeople(page);
  const click = () => new it.window.MouseEvent("click", { bubbles: true, cancelable: true });
  const press = (key) => new it.window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  assert.equal(goesOn(it, "form", new it.window.Event("submit", { cancelable: true })), false);
  for (const selector of ["a", "button.own"]) assert.equal(goesOn(it, selector, click()), false, selector);
  assert.equal(goesOn(it, ".key", press("Enter")), false);
  assert.equal(goesOn(it, ".key", press("x")), true);
  assert.equal(goesOn(it, ".any", press("x")), true);
  for (const selector of ["input", "summary"]) assert.equal(goesOn(it, selector, click()), true, selector);
  assert.equal(it.document.querySelector("input").checked, true);
});
