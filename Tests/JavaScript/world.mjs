// SPDX-License-Identifier: MIT
import Module, { createRequire } from "node:module";
import { plainApply } from "./plain-patch.mjs";

// Debian keeps jsdom and its dependencies outside of every node_modules. A node that is not Debian's looks there
// only if NODE_PATH says so.
process.env.NODE_PATH ??= "/usr/share/nodejs";
Module._initPaths();
export const { JSDOM } = createRequire(import.meta.url)("jsdom");

/** Virtual time: nothing sleeps, everything happens in order of its due time. */
export class Clock {
  now = 0;
  #due = [];
  #number = 0;

  set = (action, delay = 0) => {
    const timer = { at: this.now + Math.max(0, delay), number: ++this.#number, action };
    const index = this.#due.findIndex((other) => other.at > timer.at);
    this.#due.splice(index < 0 ? this.#due.length : index, 0, timer);
    return timer.number;
  };

  clear = (number) => {
    this.#due = this.#due.filter((timer) => timer.number !== number);
  };

  async run(milliseconds) {
    const end = this.now + milliseconds;
    await settled();
    while (this.#due.length && this.#due[0].at <= end) {
      const timer = this.#due.shift();
      this.now = timer.at;
      timer.action();
      await settled();
    }
    this.now = end;
  }
}

const settled = () => new Promise((done) => setImmediate(done));

/** The server in memory: sessions of one view model (by default the login's), versions, frames and waiting polls. */
export class Server {
  sessions = new Map();
  log = [];
  applied = [];
  #opened = 0;

  constructor(clock, kind = login) {
    this.clock = clock;
    this.kind = kind;
  }

  restart() {
    for (const session of this.sessions.values()) for (const release of [...session.waiting]) release();
    this.sessions.clear();
  }

  only() {
    return [...this.sessions.values()].at(-1);
  }

  change(session, act) {
    const before = JSON.stringify(session.history.at(-1));
    act(session.model);
    const state = this.kind.view(session.model);
    if (JSON.stringify(state) === before) return;
    session.history.push(state);
    for (const release of [...session.waiting]) release();
  }

  frame(session, since) {
    const to = version(session);
    const [epoch, revision] = since?.split(".") ?? [];
    const { address } = this.kind;
    const now = address && { address: address(session.history.at(-1)) };
    if (epoch !== session.epoch) return { from: null, to, state: session.history.at(-1), ...now };
    const before = session.history[revision - 1];
    const hasMoved = address && address(before) !== now.address;
    return { from: since, to, patch: difference(before, session.history.at(-1)), ...(hasMoved && now) };
  }

  /** Brings each session into memory anew, in another epoch (PROTOCOL, first idea). */
  revive() {
    for (const session of this.sessions.values()) {
      session.epoch += "r";
      for (const release of [...session.waiting]) release();
    }
  }

  /** A repeat of a decided answer. In another epoch it has a frame of that epoch (PROTOCOL §4). */
  again(session, [status, body], since) {
    if (status !== 200 || body.to.split(".")[0] === session.epoch) return [status, body];
    return [status, { ...this.frame(session, since), result: body.result }];
  }

  /**
   * Decides each request once: `act` decides a request whose number is the next of its name, and a repeated
   * request gets the same answer (PROTOCOL §4).
   */
  once(session, key, request, since, answer, act) {
    const [, name, digits] = /^([!-~]+)\/([1-9]\d*)$/.exec(key);
    const n = +digits;
    const last = session.names.get(name) ?? { n: 0 };
    if (n > last.n + 1) return answer(409, { type: "/problems/out-of-order", title: "Requests before this one have not come", status: 409, expected: last.n + 1 });
    if (n < last.n) return answer(200, { replayed: true, version: version(session) });
    if (n === last.n) {
      if (request === last.request) return answer(...this.again(session, last.answer, since));
      return answer(422, { type: "/problems/key-reused", title: "The key is another request's", status: 422 });
    }
    const decided = act();
    // A request that did not reach the session uses up no number.
    if (!/404|413|503/.test(decided[0])) session.names.set(name, { n, request, answer: decided });
    answer(...decided);
  }

  /** Answers through `answer(status, body)`, now or (a poll) later. */
  handle(method, address, headers, body, answer) {
    const url = new URL(address, "http://server");
    const described = this.described?.[url.pathname];
    if (described) return answer(200, described);
    if (url.pathname === "/euripus-development.json") return answer(204);
    if (url.pathname.startsWith("/models/")) return answer(404, { type: "/problems/not-found", title: "No such model", status: 404 });
    const [, , , id, part, ...names] = url.pathname.split("/").map((each) => decodeURIComponent(each).replaceAll("~1", "/").replaceAll("~0", "~"));
    const since = url.searchParams.get("since") ?? undefined;
    this.log.push({ method, path: url.pathname, body, names: names.join(" ") });
    if (!id) {
      const session = { id: `s${++this.#opened}`, epoch: `e${this.#opened}`, model: this.kind.create(), history: [], waiting: new Set(), names: new Map() };
      session.history.push(this.kind.view(session.model));
      this.sessions.set(session.id, session);
      const asked = body && JSON.parse(body).address;
      if (asked !== undefined) {
        this.kind.go(session.model, asked);
        session.history[0] = this.kind.view(session.model);
      }
      const { address } = this.kind.address ? { address: this.kind.address(session.model) } : {};
      return answer(201, { url: `/sessions/${this.kind.name}/${session.id}`, model: this.kind.name, version: version(session), state: session.history[0], address });
    }
    const session = this.sessions.get(id);
    if (!session) return answer(404, { type: "/problems/no-session", title: "No such session", status: 404 });
    if (part === "leaving") return answer(204);
    const held = since ?? version(session);
    if (part === "address") {
      return this.once(session, headers?.["idempotency-key"], `${method} ${url.pathname} ${body}`, since, answer, () => {
        if (!this.kind.go) return [422, { type: "/problems/invalid-action", title: "Nothing was applied", status: 422 }];
        const refused = this.kind.go(structuredClone(session.model), JSON.parse(body));
        if (refused) return [refused, { type: "/problems/invalid-action", title: "Nothing was applied", status: refused }];
        this.change(session, (present) => void this.kind.go(present, JSON.parse(body)));
        return [200, { ...this.frame(session, held), address: this.kind.address(session.model), history: "replace", result: null }];
      });
    }
    if (part !== "changes") {
      return this.once(session, headers?.["idempotency-key"], `${method} ${url.pathname} ${body}`, since, answer, () => {
        const value = body === undefined ? undefined : JSON.parse(body);
        const entries = names.length ? [{ method: part === "state" ? "PUT" : method, names, value, base: headers?.["if-match"]?.slice(1, -1) }] : value.map(entry);
        if (entries.some(({ names, base }) => base !== undefined && hasChanged(session, names, base))) {
          return [412, { type: "/problems/value-changed", title: "Somebody else was quicker", status: 412 }];
        }
        // Either all entries are applied or none. Each entry sees the changes of those before it (PROTOCOL §4).
        const model = structuredClone(session.model);
        for (const { method, names, value } of entries) {
          const { refused, then } = method === "GO" ? { refused: this.kind.go(model, value) } : this.kind.handle(model, method, names, value) ?? {};
          if (refused) return [refused, { type: `/problems/${refused}`, title: "Nothing was applied", status: refused }];
          then?.();
        }
        for (const { method, names, value } of entries) this.applied.push({ method, names: names.join(" "), body: JSON.stringify(value) });
        this.change(session, (present) => Object.assign(present, model));
        return [200, { ...this.frame(session, held), result: null }];
      });
    }
    if (since !== version(session)) return answer(200, this.frame(session, since));
    if (!headers?.prefer) return answer(204);
    // A page that is loaded again has a clock of its own.
    const { clock } = this;
    const release = () => {
      clock.clear(timer);
      session.waiting.delete(release);
      if (this.sessions.get(id) !== session) answer(410, { type: "/problems/session-closed", title: "Gone", status: 410 });
      else if (version(session) === since) answer(204);
      else answer(200, this.frame(session, since));
    };
    const timer = clock.set(release, 25000);
    session.waiting.add(release);
  }
}

const entry = ({ set, do: perform, cancel, address, value, ifMatch }) => {
  const base = ifMatch?.slice(1, -1);
  if (address !== undefined) return { method: "GO", names: [], value: address };
  const method = set ? "PUT" : perform ? "POST" : "DELETE";
  const [, ...names] = (set ?? perform ?? cancel).split("/").map((each) => each.replaceAll("~1", "/").replaceAll("~0", "~"));
  return { method, names, value, base };
};

/** Whether a value is another one than at a version, which is of another epoch or has states behind it. */
function hasChanged({ epoch, history }, names, base) {
  const [own, revision] = base.split(".");
  const at = (state) => JSON.stringify(names.reduce((part, name) => part?.[name], state));
  return own !== epoch || history.slice(revision - 1).some((state) => at(state) !== at(history[revision - 1]));
}

const version = (session) => `${session.epoch}.${session.history.length}`;

const fits = (text) => text.length >= 6 && text.length <= 24;
const wrong = (text, what) => (!text ? `*${what}不能为空` : text.length < 6 ? `*${what}必须超过6个字符` : text.length > 24 ? `*${what}不能超过24个字符` : "");

export const login = {
  name: "login",
  create: () => ({ username: "", password: "", said: undefined, logins: [] }),
  view: ({ username, password, said }) => ({
    username,
    ...(password ? {} : { password: "" }),
    instruction: said ?? (wrong(username, "用户名") || wrong(password, "密码")),
    usernameValid: fits(username),
    passwordValid: fits(password),
    loginEnabled: fits(username) && fits(password),
  }),
  handle(model, method, [name], value) {
    if (method !== "PUT") {
      if (!login.view(model).loginEnabled) return { refused: 409 };
      return { then: () => Object.assign(model, { said: "登录成功(*^▽^*)", logins: [...model.logins, `${model.username}\n${model.password}`] }) };
    }
    if (model[name] !== value) return { then: () => Object.assign(model, { [name]: value, said: undefined }) };
  },
};

/**
 * A patch from one state to another. It compares members one by one, and a list's order by keys that vanished,
 * moved and came.
 */
function difference(before, after) {
  const patch = [...compare("", before, after)];
  if (JSON.stringify(plainApply(before, patch), sorted) !== JSON.stringify(after, sorted)) throw new Error("the model server's patch is wrong");
  return patch;
}

function* compare(path, before, after) {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  if (Array.isArray(before) && Array.isArray(after)) return yield* reorder(path, before, after);
  if (Object(before) !== before || Object(after) !== after) return yield { op: "replace", path, value: after };
  for (const name in before) if (!(name in after)) yield { op: "remove", path: path + escaped(name) };
  for (const name in after) {
    if (!(name in before)) yield { op: "add", path: path + escaped(name), value: after[name] };
    else yield* compare(path + escaped(name), before[name], after[name]);
  }
}

function* reorder(path, before, after) {
  const now = before.filter((key) => after.includes(key));
  for (let at = before.length - 1; at >= 0; at--) if (!after.includes(before[at])) yield { op: "remove", path: `${path}/${at}` };
  for (const [at, key] of after.entries()) {
    const from = now.indexOf(key);
    if (from === at) continue;
    if (from < 0) yield { op: "add", path: `${path}/${at}`, value: key };
    else yield { op: "move", from: `${path}/${now.splice(from, 1) && from}`, path: `${path}/${at}` };
    now.splice(at, 0, key);
  }
}

const escaped = (name) => "/" + name.replaceAll("~", "~0").replaceAll("/", "~1");

const sorted = (_, value) => (Object(value) === value && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).sort()) : value);

/**
 * A network between page and server that delays. While `weather` is bad, it loses requests, loses answers and says
 * 503.
 */
export function network(server, clock, dice, weather) {
  return (address, { method = "GET", headers, body, signal, keepalive } = {}) =>
    new Promise((done, fail) => {
      const gone = () => fail(new Error("aborted"));
      signal?.addEventListener("abort", gone);
      const broken = () => fail(new TypeError("network"));
      // A connection that is dead, and not reset, says nothing.
      if (weather.silent) return;
      const trip = () => weather.delay[0] + dice.random() * (weather.delay[1] - weather.delay[0]);
      if (weather.down || (!keepalive && dice.chance(weather.lose))) return void clock.set(broken, trip());
      clock.set(() => {
        const answer = (status, result, retryAfter = null) => {
          const lost = weather.down || dice.chance(weather.lose);
          const text = JSON.stringify(result);
          clock.set(() => {
            if (lost) return broken();
            done({ ok: status < 300, status, headers: new Map([["retry-after", retryAfter], ["euripus-development", server.isDeveloping ? "?1" : null]]), json: async () => JSON.parse(text) });
          }, trip());
        };
        if (weather.down) return clock.set(broken, trip());
        if (dice.chance(weather.busy)) return answer(503, { type: "/problems/overloaded", title: "Busy", status: 503 });
        server.handle(method, address, headers, body, answer);
      }, trip());
    });
}

/** A tab's history in virtual time: jsdom's goes back in tasks of its own. */
class TabHistory {
  #entries;
  #at = 0;

  /** @param former the history of the page that is loaded again, if it is one */
  constructor(url, clock, pop, former) {
    this.#entries = former ? former.#entries : [{ url: new URL(url), state: null }];
    this.#at = former ? former.#at : 0;
    this.clock = clock;
    this.pop = pop;
    const entry = () => this.#entries[this.#at].url;
    this.location = {
      get pathname() { return entry().pathname; },
      get search() { return entry().search; },
      get hash() { return entry().hash; },
      origin: entry().origin,
      assigned: [],
      assign(address) { this.assigned.push(address); },
    };
  }

  get state() { return this.#entries[this.#at].state; }
  get length() { return this.#entries.length; }

  pushState(state, _, address) {
    this.#entries.splice(this.#at + 1, Infinity, { url: new URL(address, this.location.origin), state });
    this.#at++;
  }

  replaceState(state, _, address = this.#entries[this.#at].url) {
    this.#entries[this.#at] = { url: new URL(address, this.location.origin), state };
  }

  back() { this.#go(-1); }
  forward() { this.#go(1); }

  #go(by) {
    this.clock.set(() => {
      if (!this.#entries[this.#at + by]) return;
      this.#at += by;
      this.pop();
    });
  }
}

/**
 * A page in a window of its own with virtual time. Closing it fails the test if it has reported an error that the
 * test did not take off the list `reported`.
 */
export function page(html, { clock, dice, fetch, storage = new Map(), url = "http://server/login.html", loading = "navigate", entries }) {
  const { window } = new JSDOM(html, { url, pretendToBeVisual: true });
  const history = new TabHistory(url, clock, () => window.dispatchEvent(new window.Event("popstate")), entries);
  const errors = [];
  const reported = [];
  const warned = [];
  const complained = [];
  window.document.addEventListener("vm:error", ({ detail }) => errors.push(detail));
  // A listener that throws.
  window.addEventListener("error", ({ error }) => reported.push(error));
  const world = {
    document: window.document,
    HTMLTemplateElement: window.HTMLTemplateElement,
    location: history.location,
    history,
    performance: { getEntriesByType: () => [{ type: loading }] },
    scrollTo: (x, y) => (world.scrollY = y),
    scrollY: 0,
    console: { ...console, warn: (...words) => warned.push(words), error: (...words) => complained.push(words) },
    CustomEvent: window.CustomEvent,
    addEventListener: window.addEventListener.bind(window),
    removeEventListener: window.removeEventListener.bind(window),
    AbortController: window.AbortController,
    Date: { now: () => clock.now },
    navigator: { onLine: true, sendBeacon: (address) => void fetch(address, { method: "POST", keepalive: true }).catch(() => {}) },
    Intl: { DateTimeFormat: () => ({ resolvedOptions: () => ({ timeZone: "Europe/Vienna" }) }) },
    screen: { orientation: { angle: 0 } },
    Math: Object.assign(Object.create(Math), { random: dice.random }),
    setTimeout: clock.set,
    clearTimeout: clock.clear,
    confirm: () => true,
    reportError: (error) => reported.push(error),
    sessionStorage: new Proxy({}, {
      get: (_, key) => storage.get(key),
      set: (_, key, value) => storage.set(key, String(value)),
      deleteProperty: (_, key) => (storage.delete(key), true),
      ownKeys: () => [...storage.keys()],
      getOwnPropertyDescriptor: (_, key) => (storage.has(key) ? { configurable: true, enumerable: true, value: storage.get(key) } : undefined),
    }),
    fetch,
  };
  const find = (selector) => window.document.querySelector(selector);
  const fire = (target, name, init = {}) => target.dispatchEvent(Object.assign(new window.Event(name, { bubbles: true, cancelable: true }), init));
  /** Types text at the caret, as a keyboard would. */
  const type = (element, text) => {
    const { selectionStart: start, selectionEnd: end, value } = element;
    element.value = value.slice(0, start) + text + value.slice(end);
    element.setSelectionRange(start + text.length, start + text.length);
    fire(element, "input");
  };
  const submit = (form) => fire(form, "submit", { submitter: form.querySelector("[type=submit]") });
  const close = () => {
    window.close();
    if (reported.length) throw reported[0];
  };
  return { window, world, submit, errors, reported, warned, complained, find, fire, type, storage, document: window.document, close };
}
