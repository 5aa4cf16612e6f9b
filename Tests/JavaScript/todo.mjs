// SPDX-License-Identifier: MIT
import { seeded } from "./random.mjs";
import { start } from "./start.mjs";
import { Clock, Server, network, page } from "./world.mjs";

/** A list of things to do. Adding takes the draft and clears it. The model trims the draft. */
export const todo = {
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

/** Opens that page in one window or several, on one session. */
export async function open({ delay = [100, 100], seed = 1, windows = 1, markup = form + rest, prepare = () => {} } = {}) {
  const dice = seeded(seed);
  const clock = new Clock();
  const create = () => {
    const model = todo.create();
    prepare(model);
    return model;
  };
  const server = new Server(clock, { ...todo, create });
  const weather = { delay: [5, 5], lose: 0, busy: 0, down: false };
  const storage = new Map();
  const views = [];
  for (let number = 0; number < windows; number++) {
    const view = page(`<main data-vm-root="todo">${markup}</main>`, { clock, dice, storage, fetch: network(server, clock, dice, weather) });
    start(view.world);
    await clock.run(500);
    views.push({ ...view, field: view.find("form input"), form: view.find("form") });
  }
  weather.delay = delay;
  const close = () => views.forEach((view) => view.close());
  return { dice, clock, server, weather, views, model: () => server.only().model, ...views[0], close };
}
