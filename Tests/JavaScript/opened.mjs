// SPDX-License-Identifier: MIT
// The pages of a test: each is opened in virtual time, and closed at the test's end.
import { test as run } from "node:test";
import { seeded } from "./random.mjs";
import { start } from "./start.mjs";
import { Clock, Server, network, page } from "./world.mjs";

/** A network that is quick and loses nothing. */
export const fair = () => ({ delay: [5, 40], lose: 0, busy: 0, down: false });

/** The pages that the present test has opened. */
const opened = new Set();

/** A test that closes its pages at its end. */
export function test(name, body) {
  run(name, async () => {
    try {
      await body();
    } finally {
      const views = [...opened];
      opened.clear();
      for (const view of views) view.close();
    }
  });
}

/**
 * Opens a page of that markup before a server of that kind, or `of` that server, and lets `settle` milliseconds go
 * by. `prepare` changes the model of each new session, `meet` the page before its script begins. All else is for the
 * page (world.mjs).
 */
export async function openPage(markup, { kind, of, prepare = () => {}, meet = () => {}, seed = 1, clock = new Clock(), weather = fair(), fetched = (fetch) => fetch, settle = 500, ...rest } = {}) {
  const dice = seeded(seed);
  const create = () => {
    const model = kind.create();
    prepare(model);
    return model;
  };
  const server = of ?? new Server(clock, { ...kind, create });
  // A page that is loaded again has a clock of its own.
  server.clock = clock;
  const view = page(markup, { clock, dice, fetch: fetched(network(server, clock, dice, weather)), ...rest });
  const close = () => {
    opened.delete(view);
    view.close();
  };
  opened.add(view);
  meet(view);
  const script = start(view.world);
  await clock.run(settle);
  /** Cuts the connection, or brings it back, and has the browser say so. */
  const connect = (isOnline) => {
    weather.down = !isOnline;
    view.world.navigator.onLine = isOnline;
    view.fire(view.window, isOnline ? "online" : "offline");
  };
  const model = () => server.only().model;
  const texts = (selector) => [...view.document.querySelectorAll(selector)].map((each) => each.textContent);
  const values = (selector = "input") => [...view.document.querySelectorAll(selector)].map((each) => each.value);
  return { ...view, dice, clock, server, weather, script, connect, model, texts, values, close };
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

/** The values that a look finds in the next second, each once, in the order in which they come. */
export async function seen(it, look, step = 5) {
  const values = new Set();
  for (let time = 0; time < 1000; time += step) {
    values.add(look());
    await it.clock.run(step);
  }
  return [...values];
}

/** Has the server's view model handle a change as `decide` says. Where that says nothing, it does so as before. */
export function deciding(it, decide) {
  const { kind } = it.server;
  it.server.kind = { ...kind, handle: (...change) => decide(...change) ?? kind.handle(...change) };
}

/** Leaves a page, and says how the next one of its tab is opened. */
export function left(it) {
  it.fire(it.window, "pagehide");
  const { storage, server: of } = it;
  it.close();
  return { storage, of };
}
