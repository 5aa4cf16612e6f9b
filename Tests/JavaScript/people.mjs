// SPDX-License-Identifier: MIT
import { seeded } from "./random.mjs";
import { start } from "./start.mjs";
import { Clock, Server, network, page } from "./world.mjs";

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

export const fair = () => ({ delay: [5, 40], lose: 0, busy: 0, down: false });

/** Opens a page with that markup in its body, on a session whose model `prepare` has made ready. */
export async function openPeople(markup, { seed = 1, weather = fair(), prepare = () => {}, settle = 500, storage, of, meet = () => {} } = {}) {
  const dice = seeded(seed);
  const clock = new Clock();
  const create = () => {
    const model = people.create();
    prepare(model);
    return model;
  };
  const server = of ?? new Server(clock, { ...people, create });
  server.clock = clock;
  const view = page(`<main data-vm-root="people">${markup}</main>`, { clock, dice, storage, fetch: network(server, clock, dice, weather) });
  meet(view);
  const script = start(view.world);
  await clock.run(settle);
  const change = async (act) => {
    server.change(server.only(), act);
    await clock.run(500);
  };
  const sent = (method) => server.log.filter((each) => each.method === method && each.names);
  const texts = (selector) => [...view.document.querySelectorAll(selector)].map((each) => each.textContent);
  return { dice, clock, server, weather, change, sent, texts, script, model: () => server.only().model, ...view };
}

/**
 * Answers requests to `path` with the status and body that `answers(method, headers)` gives. Where it gives none,
 * the server answers.
 */
export function answering(it, path, answers) {
  const { handle } = it.server;
  it.server.handle = function (method, address, headers, body, answer) {
    const told = address.includes(path) && answers(method, headers);
    if (told) return answer(...told);
    handle.call(this, method, address, headers, body, answer);
  };
}
