// SPDX-License-Identifier: MIT
// The passive view: shows a view model that lives on the server and sends back what a person does.
// First pure functions, each tested alone; then Session (one view model) and bind (one element).

// Paths: ["!"] ("/" | {"../"}) name {"/" name} ["=" literal], or "." for the scope itself.

const GRAMMAR = /^(!?)(?:\.|(\/|(?:\.\.\/)*)((?!\.\.?(?:\/|=|$))[^/=]+(?:\/(?!\.\.?(?:\/|=|$))[^/=]+)*))(?:=(.*))?$/s;

export function parsePath(text) {
  const found = GRAMMAR.exec(text);
  if (!found) throw new Error(`expected a path such as "!../user/name=literal", got "${text}"`);
  const [, not, start = "", names, literal] = found;
  return { not: not !== "", absolute: start === "/", up: start === "/" ? 0 : start.length / 3, names: names ? names.split("/").map(unescape) : [], literal };
}

const unescape = (name) => name.replace(/~1/g, "/").replace(/~0/g, "~");

/** A JSON Pointer (RFC 6901) and back. */
export const pointer = (names) => names.map((name) => "/" + name.replace(/~/g, "~0").replace(/\//g, "~1")).join("");
export const namesOf = (text) => text.split("/").slice(1).map(unescape);

/** The names from the root; `../` leaves one enclosing scope. `scopes` is outermost first. */
export function resolve(path, scopes = [[]]) {
  if (path.absolute) return path.names;
  if (path.up >= scopes.length) throw new Error(`"../" leads out of the root at ${pointer(path.names)}`);
  return [...scopes[scopes.length - 1 - path.up], ...path.names];
}

export const valueAt = (tree, names) =>
  names.reduce((node, name) => (Object(node) === node && Object.hasOwn(node, name) ? node[name] : undefined), tree);

export const textOf = (value) => (value === null || value === undefined ? "" : String(value));

export function evaluate(path, tree, scopes) {
  const value = valueAt(tree, resolve(path, scopes));
  const result = path.literal === undefined ? value : textOf(value) === path.literal;
  return path.not ? !result : result;
}

// Frames.

/** RFC 6902 add, remove, replace, move. What a patch does not touch stays the same object. */
export const applyPatch = (tree, patch) =>
  patch.reduce((node, { op, path, from, value }) => {
    if (op === "move") {
      const source = namesOf(from);
      return change(change(node, source, "remove"), namesOf(path), "add", valueAt(node, source));
    }
    if (!/^(add|remove|replace)$/.test(op)) throw new Error(`expected add, remove, replace or move, got ${op}`);
    return change(node, namesOf(path), op, value);
  }, tree);

function change(node, [name, ...rest], op, value) {
  if (name === undefined) {
    if (op === "remove") throw new Error("the root cannot be removed");
    return value;
  }
  const list = Array.isArray(node);
  const adds = op === "add" && !rest.length;
  const key = list && adds && name === "-" ? String(node.length) : name;
  const there = Object(node) === node && (!list || /^(0|[1-9]\d*)$/.test(key)) && (Object.hasOwn(node, key) || (adds && (!list || key <= node.length)));
  if (!there) throw new Error(`nothing to ${op} at "${name}"`);
  const inner = rest.length ? change(node[key], rest, op, value) : value;
  const keeps = rest.length || op !== "remove";
  if (list) {
    const copy = node.slice();
    copy.splice(key, adds ? 0 : 1, ...(keeps ? [inner] : []));
    return copy;
  }
  if (keeps) return { ...node, [key]: inner };
  const { [key]: _, ...others } = node;
  return others;
}

/** Whether version a ("epoch.revision") is news to one who holds b. Another epoch always is. */
export function newer(a, b) {
  if (!b) return true;
  const [epoch, revision] = a.split(".");
  const [held, present] = b.split(".");
  return epoch !== held || Number(revision) > Number(present);
}

/** The tree and version after a frame, or undefined where it must be dropped. Throws where a patch does not fit. */
export function advance({ tree, version }, { from, to, patch, state }) {
  if (patch ? from !== version : !newer(to, version)) return undefined;
  return { tree: patch ? applyPatch(tree, patch) : state, version: to };
}

// What a person typed.

/** The two-way rule: whether a server value may be written into a field now. */
export const mayWrite = ({ value, shown, composing, unsent, acknowledged, engaged }) =>
  value !== undefined && !composing && !unsent && acknowledged && !engaged && value !== shown;

/** Where a caret belongs once `before` has become `after`: kept in the common prefix and the common suffix. */
export function mapSelection(before, after, at) {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  if (at <= head) return at;
  return Math.max(at, before.length - tail) === at ? at + after.length - before.length : after.length - tail;
}

/** An edit replaces the waiting one of the same path, but never across an action. */
export function enqueue(queue, item) {
  for (let i = queue.length - 1; i >= 0 && !item.action && !queue[i].action; i--) {
    if (queue[i].key === item.key) return queue.map((other, at) => (at === i ? item : other));
  }
  return [...queue, item];
}

/** A request that must be sent again goes first, unless a later edit of its path has made it needless. */
export function requeue(queue, item) {
  const action = queue.findIndex((other) => other.action);
  const edits = action < 0 ? queue : queue.slice(0, action);
  return !item.action && edits.some((other) => other.key === item.key) ? queue : [item, ...queue];
}

/** Full jitter, in milliseconds, before try n + 2. */
export const backoff = (n, random) => 100 + random * Math.min(30000, 500 * 2 ** n);

/** Names of attributes and properties that could run or load what a view model says, and such addresses. */
export const refusedName = (name) => /^(on.*|style|srcdoc|.*html)$/i.test(name);
export const refusedValue = (name, value) =>
  /(href|src|srcset|action|data|poster|ping)$/i.test(name) && /^(javascript|data|vbscript):/i.test(textOf(value).replace(/[\0-\x20]/g, ""));

// One view model.

const WAIT = 25;
const SEVERITY = ["live", "connecting", "retrying", "offline", "expired", "blocked"];
const states = new Map();

const problem = (type, title, status = 0) => ({ type, title, status });

class Session {
  tree = undefined;
  version = null;
  state = "";
  queue = [];
  flight = null;
  fields = [];
  edits = new Map(); // pointer -> { seq: of the newest edit, acknowledged: the newest that the tree contains }
  updates = [];
  statuses = [];
  seq = 0;
  sleepers = new Set();

  constructor(root, world) {
    this.root = root;
    this.world = world;
    this.model = root.dataset.vmRoot;
    this.store = "euripus:" + this.model;
    this.url = world.sessionStorage.getItem(this.store);
    this.become("connecting");
    scan(root, [[]], this, this.updates);
    const on = (target, type, action) => target.addEventListener(type, action);
    const { document } = world;
    on(world, "online", () => this.wake());
    on(world, "offline", () => this.restart());
    on(world, "pageshow", (event) => event.persisted && this.wake());
    on(world, "pagehide", () => this.leave());
    on(document, "visibilitychange", () => {
      world.clearTimeout(this.hiding);
      this.flush();
      if (document.hidden) this.hiding = world.setTimeout(() => this.restart((this.hidden = true)), 5000);
      else this.wake((this.hidden = false));
    });
    this.follow();
  }

  // Connection.

  /** Opens, then follows for as long as the page lives. It never gives up. */
  async follow() {
    for (let failures = 0; ; ) {
      const { url } = this;
      try {
        if (!url) await this.open();
        else if (this.hidden && this.version && !this.behind) await this.sleep(2 ** 31 - 1);
        else {
          const { body, retryAfter } = await this.ask("GET", "/changes", { prefer: `wait=${WAIT}` }, undefined, WAIT + 15);
          if (url !== this.url) continue;
          this.become("live");
          if (body) this.take(body);
          this.pump();
          await (retryAfter && this.sleep(retryAfter));
        }
        failures = 0;
      } catch (trouble) {
        if (trouble === "restart") continue;
        const lost = url && /^4(04|10)$/.test(trouble.status);
        if (!lost) await this.suffer(trouble, failures++, url || !/^4(?!29)/.test(trouble.status));
        else if (url === this.url) this.expire();
      }
    }
  }

  async open() {
    const { body } = await this.ask("POST", "/sessions/" + this.model, {}, undefined, 15);
    this.url = body.url;
    this.world.sessionStorage.setItem(this.store, body.url);
    this.become("live");
    this.take({ to: body.version, state: body.state });
    this.pump();
  }

  /** One request. Throws a problem; its status is 0 where no whole answer came. */
  async ask(method, target, headers, body, seconds) {
    const { world, url, version } = this;
    const abort = new world.AbortController();
    const timer = world.setTimeout(() => abort.abort(), seconds * 1000);
    if (method === "GET") this.poll = abort;
    const address = url ? url + target + (version ? "?since=" + version : "") : target;
    if (body !== undefined) headers["content-type"] = "application/json";
    let response, answer;
    try {
      response = await world.fetch(address, { method, headers, body, signal: abort.signal, cache: "no-store", credentials: "same-origin" });
      answer = response.status === 204 ? null : await response.json();
    } catch (error) {
      if (abort.signal.reason === "restart") throw "restart";
      if (!response || response.ok) throw problem("about:blank", String(error));
    } finally {
      world.clearTimeout(timer);
    }
    const retryAfter = Number(response.headers.get("retry-after")) * 1000 || 0;
    if (!response.ok) throw { ...problem("about:blank", "", response.status), ...answer, status: response.status, retryAfter };
    return { body: answer, retryAfter };
  }

  /** Says what is wrong and waits; unsent actions are given up rather than surprise someone later. */
  async suffer(trouble, failures, passing) {
    const offline = this.world.navigator.onLine === false;
    const blocked = trouble.status === 401 || !passing;
    if (blocked) this.report(trouble);
    this.become(blocked ? "blocked" : offline && !trouble.status ? "offline" : "retrying");
    if (offline || failures > 2) this.giveUp();
    await this.sleep(Math.max(trouble.retryAfter ?? 0, backoff(failures, this.world.Math.random())));
  }

  become(state) {
    if (state === this.state) return;
    this.state = state;
    states.set(this, state);
    this.world.document.documentElement.dataset.vm = SEVERITY[Math.max(...[...states.values()].map((each) => SEVERITY.indexOf(each)))];
    this.say();
    this.tell("state", { model: this.model, state });
  }

  /** "expired" stays to be read until the next edit: the new session itself is there in an instant. */
  say() {
    const state = this.lost && this.state === "live" ? "expired" : this.state;
    for (const { dataset } of this.statuses) dataset.vmStatus = state;
    for (const element of this.statuses) setText(element, element.dataset[state] ?? "");
  }

  tell(name, detail) {
    this.world.document.dispatchEvent(new this.world.CustomEvent("vm:" + name, { detail }));
  }

  report(trouble) {
    this.tell("error", { model: this.model, ...trouble });
  }

  sleep(milliseconds) {
    return new Promise((done) => {
      const rise = () => {
        this.world.clearTimeout(timer);
        this.sleepers.delete(rise);
        done();
      };
      const timer = this.world.setTimeout(rise, milliseconds);
      this.sleepers.add(rise);
    });
  }

  wake() {
    for (const rise of [...this.sleepers]) rise();
    this.restart();
  }

  restart() {
    this.poll?.abort("restart");
  }

  /** The session is gone: what was typed goes to a new one, except passwords, which are cleared for all to see. */
  expire() {
    this.giveUp();
    this.url = this.version = null;
    this.lost = true;
    this.world.sessionStorage.removeItem(this.store);
    this.queue = [];
    this.become("expired");
    this.restart();
    for (const field of this.fields) {
      const { element, edit } = field;
      edit.acknowledged = edit.seq;
      field.clear = element.type === "password" && element.value !== "";
      if (!field.clear && edit.seq && !field.composing) this.edited(field);
    }
    this.settle();
    this.wake();
  }

  // Frames.

  take(frame) {
    try {
      const next = advance(this, frame);
      Object.assign(this, next);
      if (next) this.tell("frame", frame);
    } catch {
      this.version = null; // the next poll, without `since`, brings the whole state
      this.restart();
    }
    this.arrived?.();
    this.render();
  }

  render() {
    if (!this.tree) return;
    this.settle();
    for (const update of this.updates) update(this.tree);
    this.settle();
  }

  /** The two-way rule for every field. */
  settle() {
    for (const field of this.fields) {
      const { element, edit } = field;
      const shown = read(element);
      if (field.clear && !field.composing) {
        field.clear = field.engaged = false;
        write(field, "");
      } else if (shown !== undefined && shown !== field.shown && !field.composing) this.edited(field); // autofill tells nobody
    }
    const unsent = this.queue.some((item) => !item.action) || this.fields.some((field) => field.timer);
    for (const field of this.fields) {
      const { element, edit, composing, engaged } = field;
      const acknowledged = edit.seq <= edit.acknowledged;
      const value = field.path(this.tree);
      const known = value === field.wrote ? value : field.shown;
      if (mayWrite({ value, shown: known, composing, unsent, acknowledged, engaged })) write(field, value);
      element.toggleAttribute("data-vm-pending", !acknowledged || Boolean(field.timer));
    }
  }

  // What the person does.

  /** Notes what a field shows now as the person's. */
  edited(field) {
    const { element, edit, debounce } = field;
    field.shown = read(element);
    field.wrote = undefined;
    field.touched = true;
    field.engaged = element.matches(":focus");
    edit.seq = ++this.seq;
    this.world.clearTimeout(field.timer);
    field.timer = debounce === "blur" ? -1 : debounce && this.world.setTimeout(() => this.send(field), debounce);
    if (this.lost && this.state === "live") this.say((this.lost = false));
    if (!field.timer) this.send(field);
  }

  send(field) {
    this.world.clearTimeout(field.timer);
    field.timer = 0;
    this.queue = enqueue(this.queue, { key: field.key, names: field.names, value: field.shown, seq: field.edit.seq });
    this.pump();
  }

  flush(fields = this.fields) {
    this.settle();
    for (const field of fields) if (field.timer) this.send(field);
  }

  act(names, value, control, submit) {
    this.flush();
    const key = pointer(names);
    if ([this.flight, ...this.queue].some((item) => item?.action && item.key === key)) return;
    const item = { action: true, key, names, value, control, submit, seq: ++this.seq };
    if (this.state !== "live") return this.refuse(item, "offline", "Nothing was sent: the server cannot be reached");
    this.busy(item, true);
    this.queue = enqueue(this.queue, item);
    this.pump();
  }

  busy({ control }, whether) {
    control.toggleAttribute("data-vm-pending", whether);
    if (whether) control.setAttribute("aria-busy", "true");
    else control.removeAttribute("aria-busy");
  }

  refuse(item, type, title) {
    this.report(problem(type, title));
    this.finish(item);
  }

  giveUp() {
    const actions = this.queue.filter((item) => item.action);
    this.queue = this.queue.filter((item) => !item.action);
    for (const item of actions) this.refuse(item, "offline", "Nothing was sent: the server cannot be reached");
  }

  /** Sends what waits, one request at a time; whether an action is enabled is asked once all before it is in the tree. */
  async pump() {
    if (this.flight) return;
    for (let failures = 0; this.url && this.tree && this.queue.length; ) {
      const [item, ...rest] = this.queue;
      const { url } = this;
      this.queue = rest;
      this.flight = item;
      if (item.action && item.control.getAttribute("aria-disabled") === "true") {
        this.refuse(item, "action-disabled", "Nothing was sent: the action is disabled");
        continue;
      }
      try {
        const target = (item.action ? "/actions" : "/state") + pointer(item.names.map(encodeURIComponent));
        const body = JSON.stringify(item.value);
        const { body: frame } = await this.ask(item.action ? "POST" : "PUT", target, {}, body, 15);
        if (url === this.url) await this.reach(frame);
        if (url === this.url) this.finish(item, true);
        failures = 0;
      } catch (trouble) {
        const { status, type } = trouble;
        const again = status === 429 || status === 503 || (!item.action && (!status || status === 401 || status >= 500));
        if (url !== this.url) this.finish(item);
        else if (status === 410 || (status === 404 && !/not-found$/.test(type))) {
          this.finish(item);
          this.expire();
        } else if (again) {
          this.queue = requeue(this.queue, item);
          await this.suffer(trouble, failures++, true);
        } else {
          this.report(status ? trouble : problem("answer-lost", "The answer was lost: what is shown is what the server says", 0));
          if (!status) await this.suffer(trouble, failures++, true);
          this.finish(item, true);
        }
      }
    }
    this.flight = null;
    this.settle();
  }

  /** An answer counts only once the tree has got as far as it. */
  async reach(frame) {
    const { url } = this;
    this.take(frame);
    while (url === this.url && (this.behind = !this.version || (frame.to.split(".")[0] === this.version.split(".")[0] && newer(frame.to, this.version)))) {
      const moved = new Promise((done) => (this.arrived = done));
      this.wake();
      await moved;
    }
  }

  /** Over: `heard` where the server has answered, one way or the other. */
  finish(item, heard) {
    if (this.flight === item) this.flight = null;
    if (!item.action) {
      const edit = this.edits.get(item.key);
      if (heard) edit.acknowledged = Math.max(edit.acknowledged, item.seq);
      return this.render();
    }
    this.busy(item, false);
    for (const field of this.fields) {
      if (heard && field.edit.seq < item.seq) field.engaged = false;
      if (item.submit) field.touched = true;
    }
    this.render();
    if (item.submit && this.seq === item.seq) this.root.querySelector("[aria-invalid=true]")?.focus();
  }

  /** The page may never come back: what is unsent leaves with it. */
  leave() {
    this.flush();
    const last = new Map([this.flight, ...this.queue].filter((item) => item && !item.action).map((item) => [item.key, item]));
    for (const { names, value } of this.url ? last.values() : []) {
      const headers = { "content-type": "application/json" };
      this.world
        .fetch(this.url + "/state" + pointer(names.map(encodeURIComponent)), { method: "PUT", headers, body: JSON.stringify(value), keepalive: true, cache: "no-store", credentials: "same-origin" })
        .catch(() => {});
    }
  }
}

// One element.

const read = ({ type, checked, value }) =>
  type === "checkbox" ? checked : type === "radio" ? (checked ? value : undefined) : /^(number|range)$/.test(type) ? (value === "" ? null : Number(value)) : value;

/** Shows a server value in a field and keeps the caret where it was in the text. */
function write(field, value) {
  const { element } = field;
  if (/^(checkbox|radio)$/.test(element.type)) element.checked = element.type === "radio" ? element.value === textOf(value) : Boolean(value);
  else {
    const before = element.value;
    const { selectionStart: start, selectionEnd: end, selectionDirection: direction } = element.matches(":focus") ? element : {};
    element.value = textOf(value);
    const moved = (at) => mapSelection(before, element.value, at);
    if (start >= 0 && start !== null) element.setSelectionRange(moved(start), moved(end), direction);
    if (element.value) field.touched = true;
  }
  field.shown = read(element);
  field.wrote = value;
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const camel = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());

/** Kind of binding -> what it does with the element; `at` reads its path in a tree. */
const BINDINGS = {
  text: (element, at) => (tree) => setText(element, textOf(at(tree))),
  show: (element, at) => (tree) => (element.hidden = !at(tree)),
  class: (element, at, name) => (tree) => element.classList.toggle(name, Boolean(at(tree))),
  attr: (element, at, name) => (tree) => {
    let value = at(tree);
    if (typeof value === "boolean") value = name.startsWith("aria-") ? String(value) : value ? "" : null;
    if (value === null || value === undefined || refusedValue(name, value)) element.removeAttribute(name);
    else if (element.getAttribute(name) !== textOf(value)) element.setAttribute(name, value);
  },
  prop: (element, at, name) => (tree) => {
    const value = at(tree);
    if (element[camel(name)] !== value && !refusedValue(name, value)) element[camel(name)] = value;
  },
  // An untouched field does not shout: it is marked once it was edited, filled or submitted.
  error: (element, at, _, session) => (tree) => {
    const value = at(tree);
    const field = session.fields.find((each) => each.element === element);
    element.setCustomValidity?.(value === true ? "invalid" : textOf(value || ""));
    element.setAttribute("aria-invalid", Boolean(value) && field?.touched !== false);
  },
  if: (template, at, _, session, scopes) => {
    let nodes;
    let updates;
    return (tree) => {
      if (at(tree) && !nodes) {
        const copy = session.world.document.importNode(template.content, true);
        nodes = [...copy.childNodes];
        updates = [];
        for (const child of copy.children) scan(child, scopes, session, updates);
        template.after(copy);
      } else if (!at(tree) && nodes) {
        const gone = (field) => nodes.some((node) => node.contains(field.element));
        session.flush(session.fields.filter(gone));
        session.fields = session.fields.filter((field) => !gone(field));
        for (const node of nodes) node.remove();
        nodes = undefined;
      }
      if (nodes) for (const update of updates) update(tree);
    };
  },
  bind: (element, path, _, session, scopes, names) => {
    const key = pointer(names);
    if (!session.edits.has(key)) session.edits.set(key, { seq: 0, acknowledged: 0 });
    const { vmDebounce: debounce } = element.dataset;
    const { type } = session.world.performance?.getEntriesByType("navigation")[0] ?? {};
    const restored = session.url && type !== "navigate" && !element.matches(":focus");
    // What was typed or filled in before this ran counts as an edit, what a reload put back does not.
    const initial = element.defaultValue;
    const field = { element, path, names, key, edit: session.edits.get(key), debounce: debounce === "blur" ? debounce : Number(debounce) || 0, timer: 0, touched: false };
    field.shown = restored || initial === undefined || /^(checkbox|radio)$/.test(element.type) || typeof read(element) !== "string" ? read(element) : initial;
    session.fields.push(field);
    const on = (name, action) => element.addEventListener(name, action);
    const typed = () => {
      if (!field.composing && read(element) !== field.shown && read(element) !== undefined) session.edited(field);
    };
    on("input", typed);
    on("change", typed);
    on("compositionstart", () => (field.composing = true));
    on("compositionend", () => {
      field.composing = false;
      typed();
      session.render();
    });
    on("blur", () => {
      field.engaged = false;
      if (field.timer < 0) session.send(field);
      session.render();
    });
  },
  do: (element, _, __, session, scopes, names) => {
    const { vmOn = element.localName === "form" ? "submit" : "click", vmConfirm } = element.dataset;
    const [type, key] = vmOn.split(".");
    const value = (text) => (text.startsWith("=") ? text.slice(1) : evaluate(parsePath(text), session.tree, scopes));
    const args = [...element.attributes].filter(({ name }) => name.startsWith("data-vm-arg-"));
    element.addEventListener(type, (event) => {
      if (key && (event.isComposing || event.keyCode === 229 || event.key.toLowerCase() !== key)) return;
      if (element.localName !== "input") event.preventDefault();
      if (vmConfirm && !session.world.confirm(textOf(value(vmConfirm)))) return;
      const control = type === "submit" ? event.submitter ?? element.querySelector("[type=submit],button:not([type])") ?? element : element;
      const sent = args.length ? Object.fromEntries(args.map((each) => [camel(each.name.slice(12)), value(each.value)])) : undefined;
      session.act(names, sent, control, type === "submit");
    });
  },
  status: (element, _, __, session) => {
    session.statuses.push(element);
    session.say();
  },
};

function scan(element, scopes, session, updates) {
  if (element.dataset.vmPermanent !== undefined) return;
  for (const { name, value } of element.attributes) {
    const [, kind, rest] = /^data-vm-([a-z]+)(?:-(.+))?$/.exec(name) ?? [];
    if (!Object.hasOwn(BINDINGS, kind ?? "")) continue;
    try {
      if (rest && kind !== "class" && refusedName(camel(rest))) throw new Error("this name is refused");
      const path = kind === "status" ? parsePath(".") : parsePath(value);
      const names = resolve(path, scopes);
      const update = BINDINGS[kind](element, (tree) => evaluate(path, tree, scopes), rest, session, scopes, names);
      if (update) updates.push(update);
    } catch (error) {
      console.error(`${name}="${value}": ${error.message}`);
    }
  }
  for (const child of element.children) if (child.dataset.vmRoot === undefined) scan(child, scopes, session, updates);
}

/** Mounts every root of the page. Clock, network, randomness and document are those of `world`. */
export const start = (world) => [...world.document.querySelectorAll("[data-vm-root]")].map((root) => new Session(root, world));

if (globalThis.document) start(globalThis);
