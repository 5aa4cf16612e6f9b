// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { start } from "../../Public/euripus.js";
import { seeded } from "./random.mjs";
import { Clock, Server, network, page } from "./world.mjs";

/** A list of things to do: adding takes the draft and clears it. The draft is kept trimmed. */
const todo = {
  name: "todo",
  create: () => ({ draft: "", note: "", items: [] }),
  view: ({ items, ...model }) => ({ ...model, items: items.join(), canAdd: model.draft !== "" }),
  handle(model, method, [name], value) {
    if (method === "PUT") return { then: () => (model[name] = name === "draft" ? value.trim() : value) };
    if (name === "note") return { then: () => (model.note = "noted: ") };
    if (name === "touch") return { then: () => model.items.push("touched") };
    if (!model.draft) return { refused: 409 };
    return { then: () => model.items.push(model.draft) && (model.draft = "") };
  },
};
const form = '<form data-vm-do="add"><input data-vm-bind="draft"><button data-vm-attr-aria-disabled="!canAdd"></button></form>';
const rest = '<input id="note" data-vm-bind="note"><b data-vm-do="note"></b><i data-vm-do="touch"></i><p data-vm-status data-expired="gone"></p>';

async function open({ delay = [100, 100], seed = 1, windows = 1 } = {}) {
  const dice = seeded(seed);
  const clock = new Clock();
  const server = new Server(clock, todo);
  const weather = { delay: [5, 5], lose: 0, busy: 0, down: false };
  const storage = new Map();
  const views = [];
  for (let number = 0; number < windows; number++) {
    const view = page(`<main data-vm-root="todo">${form}${rest}</main>`, { clock, dice, storage, fetch: network(server, clock, dice, weather) });
    start(view.world);
    await clock.run(500);
    views.push({ ...view, field: view.find("form input"), form: view.find("form") });
  }
  weather.delay = delay;
  const close = () => views.forEach((view) => view.close());
  return { dice, clock, server, weather, views, model: () => server.only().model, ...views[0], close };
}

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
  it.close();
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
  it.close();
});
