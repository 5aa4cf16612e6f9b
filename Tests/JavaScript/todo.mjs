// SPDX-License-Identifier: MIT
import { fair, openPage } from "./opened.mjs";

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
export async function open({ delay = [100, 100], seed = 1, windows = 1, markup = form + rest, prepare } = {}) {
  const weather = { ...fair(), delay: [5, 5] };
  const shared = { kind: todo, prepare, weather, storage: new Map() };
  const views = [];
  for (let number = 0; number < windows; number++) {
    const view = await openPage(`<main data-vm-root="todo">${markup}</main>`, { ...shared, seed: seed + 1000 * number });
    Object.assign(shared, { of: view.server, clock: view.clock });
    views.push({ ...view, field: view.find("form input"), form: view.find("form") });
  }
  weather.delay = delay;
  return { ...views[0], views };
}
