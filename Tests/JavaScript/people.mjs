// SPDX-License-Identifier: MIT
import { openPage } from "./opened.mjs";

const idle = () => ({ enabled: true, executing: false, progress: null, result: null, error: null });

/**
 * A view model with rows. Each row has a two-way title, a command that runs until it is told to end, and rows of
 * its own.
 */
export const people = {
  name: "people",
  create: () => ({ heading: "People", order: [], rows: new Map(), scroll: undefined, done: [] }),
  view({ heading, order, rows, scroll, ...rest }) {
    const shown = scroll ? order.slice(scroll.first, scroll.first + scroll.count) : order;
    const people = { order: [...shown], items: Object.fromEntries(shown.map((key) => [key, structuredClone(rows.get(key))])) };
    return structuredClone({ heading, people: { ...people, ...(scroll && { count: order.length, window: scroll }) }, ...rest });
  },
  handle(model, method, names, value) {
    const [list, items, key, member] = names;
    if (list === "people" && items === "window") return { then: () => (model.scroll = value) };
    const row = list === "people" ? model.rows.get(key) : model;
    const name = list === "people" ? member : list;
    if (items !== "items" && list === "people") return { refused: 422 };
    if (!row) return { refused: 422 };
    if (method === "PUT") return { then: () => (row[name] = value) };
    const command = row[name];
    if (!command) return { then: () => model.done.push([names.join(" "), value]) };
    if (method === "DELETE") return { then: () => Object.assign(command, { executing: false, enabled: true, error: { type: "cancelled" } }) };
    if (!command.enabled) return { refused: 409 };
    return { then: () => Object.assign(command, { executing: true, enabled: false, progress: 0 }) };
  },
};

/** Adds rows with the given keys at the end. */
export function addRows(model, ...keys) {
  for (const key of keys) {
    model.rows.set(key, { title: `title of ${key}`, follow: idle() });
    model.order.push(key);
  }
}

/** Opens a page with that markup in its body. */
export async function openPeople(markup, options) {
  const it = await openPage(`<main data-vm-root="people">${markup}</main>`, { kind: people, ...options });
  const change = async (act) => {
    it.server.change(it.server.only(), act);
    await it.clock.run(500);
  };
  const sent = (method) => it.server.log.filter((each) => each.method === method && each.names);
  return { ...it, change, sent };
}
