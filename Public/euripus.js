// SPDX-License-Identifier: MIT
// The passive view: shows a view model that lives on a server and sends back what a person does.

// ["!"] ("/" | {"../"}) name {"/" name} ["=" literal], or "." for the scope itself
const GRAMMAR = /^(!?)(\/|(?:\.\.\/)*)([^/=!][^/=]*(?:\/[^/=]+)*)(?:=(.*))?$/s;

const unescape = (name) => name.replace(/~1/g, "/").replace(/~0/g, "~");
export const namesOf = (text) => text.split("/").slice(1).map(unescape);
export const pointer = (names) => names.map((name) => "/" + name.replace(/~/g, "~0").replace(/\//g, "~1")).join("");

export function parsePath(text) {
  const [, not, start, path, literal] = GRAMMAR.exec(text) ?? [];
  const names = path === "." && !start ? [] : namesOf("/" + path);
  if (!path || names.some((name) => /^\.\.?$/.test(name))) throw Error(`expected a path, got "${text}"`);
  return { not: Boolean(not), absolute: start === "/", up: Math.trunc(start.length / 3), names, literal };
}

/** Scopes are outermost first; "../" leaves one. */
export function resolve({ absolute, up, names }, scopes = [[]]) {
  if (absolute) return names;
  if (up >= scopes.length) throw Error("../ leads out of the root");
  return [...scopes.at(-1 - up), ...names];
}

const has = (node, name) => Object(node) === node && Object.hasOwn(node, name);
export const valueAt = (tree, names) => names.reduce((node, name) => (has(node, name) ? node[name] : undefined), tree);
export const textOf = (value) => String(value ?? "");

export function evaluate(path, tree, scopes) {
  let value = valueAt(tree, resolve(path, scopes));
  if (path.literal !== undefined) value = textOf(value) === path.literal;
  return path.not ? !value : value;
}

/** RFC 6902 add, remove, replace, move; what a patch does not touch stays the same object. */
export const applyPatch = (tree, patch) =>
  patch.reduce((node, { op, path, from, value }) => {
    if (op === "move") {
      value = valueAt(node, namesOf(from));
      node = change(node, namesOf(from), "remove");
      op = "add";
    }
    return change(node, namesOf(path), op, value);
  }, tree);

function change(node, [name, ...rest], op, value) {
  if (name === undefined && op !== "remove") return value;
  const list = Array.isArray(node);
  const adds = op === "add" && !rest.length;
  const removes = op === "remove" && !rest.length;
  const key = list && adds && name === "-" ? node.length : name;
  const fits = list ? /^(0|[1-9]\d*)$/.test(key) && key < node.length + adds : adds ? Object(node) === node : has(node, key);
  if (name === undefined || !fits || !/^(add|remove|replace)$/.test(op)) throw Error(`cannot ${op} at ${name}`);
  const inner = rest.length ? change(node[key], rest, op, value) : value;
  const copy = list ? [...node] : { ...node, [key]: inner };
  if (list) copy.splice(key, adds ? 0 : 1, ...(removes ? [] : [inner]));
  else if (removes) delete copy[key];
  return copy;
}

/** Whether version a ("epoch.revision") is news to one who holds b. */
export function newer(a, b) {
  const [[epoch, revision], [held, present]] = [a, b ?? ""].map((version) => version.split("."));
  return epoch !== held || +revision > +present;
}

/** What is held after a frame; undefined where the frame must be dropped. */
export function advance({ tree, version }, { from, to, patch, state }) {
  if (patch ? from !== version : !newer(to, version)) return;
  return { tree: patch ? applyPatch(tree, patch) : state, version: to };
}

/** The two-way rule: whether a server value may be written into a field. */
export const mayWrite = ({ value, shown, composing, unsent, acknowledged, engaged }) =>
  value !== undefined && !composing && !unsent && acknowledged && !engaged && value !== shown;

/** Where a caret belongs once before has become after. */
export function mapSelection(before, after, at) {
  const most = Math.min(before.length, after.length);
  let head = 0;
  let tail = 0;
  while (head < most && before[head] === after[head]) head++;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return at <= head ? at : after.length - Math.min(tail, before.length - at);
}

/** An edit replaces the waiting one of its path, but never across an action. */
export function enqueue(queue, item) {
  const barrier = queue.findLastIndex((each) => each.action);
  const same = item.action ? -1 : queue.findLastIndex((each) => each.key === item.key);
  return same > barrier ? queue.map((each, at) => (at === same ? item : each)) : [...queue, item];
}

/** What failed goes first again, unless a later edit has made it needless. */
export function requeue(queue, item) {
  const next = queue.find((each) => each.action || each.key === item.key);
  return item.action || !next || next.action ? [item, ...queue] : queue;
}

/** Milliseconds: full jitter. */
export const backoff = (failures, random) => 100 + random * Math.min(30000, 500 * 2 ** failures);

export const refusedName = (name) => /^(on.*|style|srcdoc|.*html)$/i.test(name);
export const refusedValue = (name, value) =>
  /(href|src|srcset|action|data|poster|ping)$/i.test(name) && /^(javascript|data|vbscript):/i.test(textOf(value).replace(/[\0- ]/g, ""));

const SEVERITY = ["live", "connecting", "retrying", "offline", "expired", "blocked"];
const RESTART = "restart";

const camel = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());

const read = ({ type, checked, value }) => {
  if (type === "checkbox") return checked;
  if (type === "radio") return checked ? value : undefined;
  return /^(number|range)$/.test(type) ? (value === "" ? null : Number(value)) : value;
};

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function mount(root, world, states) {
  const { document, setTimeout, clearTimeout, sessionStorage } = world;
  const { vmRoot: model } = root.dataset;
  const stored = "euripus:" + model;
  const edits = new Map(); // pointer -> the newest edit and the newest one that the tree contains
  const updates = [];
  const statuses = [];
  const sleepers = new Set();
  let fields = [];
  let queue = [];
  let seq = 0;
  let url = sessionStorage.getItem(stored);
  let tree, version, state, flight, lost, poll, hidden, hiding, behind, arrived, pumping;

  const listen = (target, handlers) => Object.entries(handlers).forEach(([name, handler]) => target.addEventListener(name, handler));
  const tell = (name, detail) => document.dispatchEvent(new world.CustomEvent("vm:" + name, { detail: { model, ...detail } }));

  // Connection

  function become(next) {
    const changed = next !== state;
    state = next;
    states.set(root, SEVERITY.indexOf(state));
    document.documentElement.dataset.vm = SEVERITY[Math.max(...states.values())];
    // The loss stays to be read until the next edit: the new session is there in an instant.
    for (const element of statuses) setText(element, element.dataset[lost && state === "live" ? "expired" : state] ?? "");
    if (changed) tell("state", { state });
  }

  const sleep = (milliseconds) =>
    new Promise((done) => {
      const rise = () => {
        clearTimeout(timer);
        sleepers.delete(rise);
        done();
      };
      const timer = setTimeout(rise, milliseconds);
      sleepers.add(rise);
    });

  const restart = () => poll?.abort(RESTART);

  function wake() {
    for (const rise of sleepers) rise();
    restart();
  }

  /** One request; throws a problem, with status 0 where no whole answer came. */
  async function ask(method, target, body, options, seconds = 15) {
    const abort = new world.AbortController();
    const timer = setTimeout(() => abort.abort(), seconds * 1000);
    if (method === "GET") poll = abort;
    const headers = { "content-type": "application/json", prefer: "wait=25" };
    delete headers[method === "GET" ? "content-type" : "prefer"];
    let response, answer;
    try {
      const address = url ? url + target + (version ? "?since=" + version : "") : target;
      response = await world.fetch(address, { method, headers, body, signal: abort.signal, cache: "no-store", credentials: "same-origin", ...options });
      if (response.status !== 204) answer = await response.json();
    } catch (error) {
      if (abort.signal.reason === RESTART) throw RESTART;
      if (!response || response.ok) throw { status: 0, title: String(error) };
    } finally {
      clearTimeout(timer);
    }
    const { ok, status } = response;
    const retryAfter = Number(response.headers.get("retry-after")) * 1000;
    if (!ok) throw { ...answer, status, retryAfter };
    return { answer, retryAfter };
  }

  async function follow() {
    for (let failures = 0; ; ) {
      const asked = url;
      try {
        if (hidden && version && !behind) await sleep(2 ** 31 - 1);
        else if (url) {
          const { answer, retryAfter } = await ask("GET", "/changes", undefined, {}, 40);
          if (asked !== url) continue;
          become("live");
          if (answer) take(answer);
          pump();
          if (retryAfter) await sleep(retryAfter);
        } else {
          const { answer } = await ask("POST", "/sessions/" + model);
          ({ url } = answer);
          sessionStorage.setItem(stored, url);
          become("live");
          take({ to: answer.version, state: answer.state });
          pump();
        }
        failures = 0;
      } catch (trouble) {
        if (trouble === RESTART || asked !== url) continue;
        if (url && /404|410/.test(trouble.status)) expire();
        else await suffer(trouble, failures++, !url);
      }
    }
  }

  /** Waits before the next try; unsent actions are given up rather than surprise someone later. */
  async function suffer(trouble, failures, opening) {
    const { status, retryAfter = 0 } = trouble;
    const offline = world.navigator.onLine === false;
    const blocked = status === 401 || (opening && status > 399 && status < 500 && status !== 429);
    if (blocked) tell("error", trouble);
    become(blocked ? "blocked" : offline ? "offline" : "retrying");
    if (offline || failures > 2) giveUp();
    await sleep(Math.max(retryAfter, backoff(failures, world.Math.random())));
  }

  /** What was typed goes to a new session, except passwords: those are cleared for all to see. */
  function expire() {
    giveUp();
    url = version = null;
    lost = true;
    queue = [];
    sessionStorage.removeItem(stored);
    become("expired");
    for (const field of fields) {
      const { element, edit } = field;
      edit.acknowledged = edit.seq;
      if (element.type === "password") field.clear = element.value !== "";
      else if (edit.seq) field.shown = undefined; // so it counts as edited anew
    }
    settle();
    wake();
  }

  // Frames

  function take(frame) {
    try {
      const next = advance({ tree, version }, frame);
      if (next) {
        ({ tree, version } = next);
        tell("frame", frame);
      }
    } catch {
      version = null; // asking without since brings the whole state
      restart();
    }
    arrived?.();
    render();
  }

  function render() {
    if (!tree) return;
    settle();
    for (const update of updates) update();
    settle();
  }

  function settle() {
    for (const field of fields) {
      const { element, composing, shown } = field;
      const now = read(element);
      if (composing) continue;
      if (field.clear) {
        write(field, "");
        field.clear = field.engaged = false;
      } else if (now !== undefined && now !== shown) edited(field); // autofill tells nobody
    }
    const unsent = queue.some((item) => !item.action) || fields.some((field) => field.timer);
    for (const field of fields) {
      const { at, edit, wrote, shown } = field;
      const value = at();
      const acknowledged = edit.seq <= edit.acknowledged;
      if (mayWrite({ ...field, value, unsent, acknowledged, shown: value === wrote ? value : shown })) write(field, value);
      field.element.toggleAttribute("data-vm-pending", !acknowledged);
    }
  }

  /** Shows a server value and keeps the caret in its text. */
  function write(field, value) {
    const { element } = field;
    const text = textOf(value);
    if (element.type === "checkbox") element.checked = value;
    else if (element.type === "radio") element.checked = element.value === text;
    else {
      const before = element.value;
      const { selectionStart: start, selectionEnd: end, selectionDirection: direction } = element;
      element.value = text;
      const moved = (place) => mapSelection(before, element.value, place);
      if (start != null && element.matches(":focus")) element.setSelectionRange(moved(start), moved(end), direction);
      field.touched ||= text !== "";
    }
    field.shown = read(element);
    field.wrote = value;
  }

  // What a person does

  function edited(field) {
    const { element, edit, debounce } = field;
    field.shown = read(element);
    field.wrote = undefined;
    field.touched = true;
    field.engaged = element.matches(":focus");
    edit.seq = ++seq;
    element.toggleAttribute("data-vm-pending", true);
    clearTimeout(field.timer);
    field.timer = debounce === "blur" ? -1 : debounce && setTimeout(() => send(field), debounce);
    if (lost && state === "live") {
      lost = false;
      become(state);
    }
    if (!field.timer) send(field);
  }

  function send(field) {
    clearTimeout(field.timer);
    field.timer = 0;
    queue = enqueue(queue, { key: field.key, value: field.shown, seq: field.edit.seq });
    pump();
  }

  function flush() {
    settle();
    for (const field of fields) if (field.timer) send(field);
  }

  function act(key, value, control, submit) {
    flush();
    if ([flight, ...queue].some((item) => item?.action && item.key === key)) return;
    const item = { action: true, key, value, control, submit, seq: ++seq };
    if (state !== "live") return finish(item, { type: "offline", status: 0 });
    control.toggleAttribute("data-vm-pending", true);
    control.setAttribute("aria-busy", true);
    queue = enqueue(queue, item);
    pump();
  }

  function giveUp() {
    const actions = queue.filter((item) => item.action);
    queue = queue.filter((item) => !item.action);
    for (const item of actions) finish(item, { type: "offline", status: 0 });
  }

  const path = ({ action, key }) => (action ? "/actions" : "/state") + key.split("/").map(encodeURIComponent).join("/");

  /** Sends what waits, one request at a time. Whether an action is enabled is asked when all before it is in the tree. */
  async function pump() {
    if (pumping) return;
    pumping = true;
    for (let failures = 0; url && tree && queue.length; ) {
      const asked = url;
      const item = queue[0];
      queue = queue.slice(1);
      if (item.action && item.control.getAttribute("aria-disabled") === "true") {
        finish(item, { type: "action-disabled", status: 0 });
        continue;
      }
      flight = item;
      try {
        const { answer } = await ask(item.action ? "POST" : "PUT", path(item), JSON.stringify(item.value));
        if (asked === url) await reach(answer);
        failures = 0;
        finish(item, undefined, asked === url);
      } catch (trouble) {
        const { status, type } = trouble;
        const unheard = !status || status === 401 || status >= 500;
        if (asked !== url) finish(item);
        else if (status === 410 || (status === 404 && !/not-found$/.test(type))) {
          finish(item);
          expire();
        } else if (status === 429 || status === 503 || (unheard && !item.action)) {
          queue = requeue(queue, item);
          await suffer(trouble, failures++);
        } else {
          if (!status) await suffer(trouble, failures++);
          finish(item, status ? trouble : { type: "answer-lost", status }, true);
        }
      }
      flight = undefined;
    }
    pumping = false;
    settle();
  }

  /** An answer counts only once the tree has got as far as it. */
  async function reach(frame) {
    const asked = url;
    take(frame);
    while ((behind = asked === url && (!version || (newer(frame.to, version) && !newer(version, frame.to))))) {
      const moved = new Promise((done) => (arrived = done));
      wake();
      await moved;
    }
  }

  /** An item is over; heard: the server has decided on it. */
  function finish(item, trouble, heard) {
    if (trouble) tell("error", trouble);
    if (flight === item) flight = undefined;
    const { action, key, control, submit } = item;
    if (action) {
      control.toggleAttribute("data-vm-pending", false);
      control.removeAttribute("aria-busy");
    } else if (heard) edits.get(key).acknowledged = item.seq;
    for (const field of fields) {
      if (action && heard && field.edit.seq < item.seq) field.engaged = false;
      if (submit) field.touched = true;
    }
    render();
    if (submit && seq === item.seq) root.querySelector("[aria-invalid=true]")?.focus();
  }

  // Attributes

  const restored = url && world.performance?.getEntriesByType("navigation")[0]?.type !== "navigate";

  const BINDINGS = {
    text: (element, at) => () => setText(element, textOf(at())),
    show: (element, at) => () => (element.hidden = !at()),
    class: (element, at, name) => () => element.classList.toggle(name, Boolean(at())),
    prop: (element, at, name) => () => {
      const value = at();
      if (element[camel(name)] !== value && !refusedValue(name, value)) element[camel(name)] = value;
    },
    attr: (element, at, name) => () => {
      let value = at() ?? false;
      if (typeof value === "boolean") value = /^aria-/.test(name) ? String(value) : value && "";
      if (value === false || refusedValue(name, value)) element.removeAttribute(name);
      else if (element.getAttribute(name) !== textOf(value)) element.setAttribute(name, value);
    },
    // An untouched field does not shout: it is marked once it was edited, filled or submitted.
    error: (element, at) => () => {
      const value = at();
      const field = fields.find((each) => each.element === element);
      element.setCustomValidity?.(value === true ? "invalid" : value || "");
      element.setAttribute("aria-invalid", Boolean(value) && field?.touched !== false);
    },
    if: (template, at, _, scopes) => {
      let nodes, inner;
      return () => {
        if (at() && !nodes) {
          const copy = document.importNode(template.content, true);
          nodes = [...copy.childNodes];
          inner = [];
          for (const child of copy.children) scan(child, scopes, inner);
          template.after(copy);
        } else if (!at() && nodes) {
          flush();
          fields = fields.filter(({ element }) => !nodes.some((node) => node.contains(element)));
          for (const node of nodes) node.remove();
          nodes = undefined;
        }
        if (nodes) for (const update of inner) update();
      };
    },
    bind: (element, at, _, scopes, key) => {
      const { vmDebounce: debounce = 0 } = element.dataset;
      if (!edits.has(key)) edits.set(key, { seq: 0, acknowledged: 0 });
      const field = { element, at, key, edit: edits.get(key), debounce: debounce === "blur" ? debounce : +debounce, touched: false, composing: false, engaged: false };
      // What was typed or filled in before this ran is an edit; what a reload put back is not.
      const initial = /^(checkbox|radio)$/.test(element.type) ? undefined : element.defaultValue;
      field.shown = (restored && !element.matches(":focus")) || typeof read(element) !== "string" ? read(element) : initial ?? read(element);
      fields.push(field);
      const typed = () => {
        const now = read(element);
        if (!field.composing && now !== undefined && now !== field.shown) edited(field);
      };
      listen(element, {
        input: typed,
        change: typed,
        compositionstart: () => (field.composing = true),
        compositionend: () => {
          field.composing = false;
          typed();
          render();
        },
        blur: () => {
          field.engaged = false;
          if (field.timer < 0) send(field);
          render();
        },
      });
    },
    do: (element, _, __, scopes, key) => {
      const { vmOn = element.localName === "form" ? "submit" : "click", vmConfirm } = element.dataset;
      const [type, stroke] = vmOn.split(".");
      const value = (text) => (text[0] === "=" ? text.slice(1) : evaluate(parsePath(text), tree, scopes));
      const args = [...element.attributes].filter(({ name }) => /^data-vm-arg-/.test(name));
      const perform = (event) => {
        if (stroke && (event.isComposing || event.keyCode === 229 || event.key.toLowerCase() !== stroke)) return;
        if (element.localName !== "input") event.preventDefault();
        if (vmConfirm && !world.confirm(textOf(value(vmConfirm)))) return;
        const submit = type === "submit";
        const control = (submit && (event.submitter ?? element.querySelector("[type=submit]"))) || element;
        act(key, args.length ? Object.fromEntries(args.map((arg) => [camel(arg.name.slice(12)), value(arg.value)])) : undefined, control, submit);
      };
      listen(element, { [type]: perform });
    },
  };

  function scan(element, scopes, into) {
    const { vmPermanent, vmStatus } = element.dataset;
    if (vmPermanent !== undefined) return;
    if (vmStatus !== undefined) statuses.push(element);
    for (const { name, value } of element.attributes) {
      const [, kind, rest = ""] = /^data-vm-([a-z]+)-?(.*)$/.exec(name) ?? [];
      if (!kind || !has(BINDINGS, kind)) continue;
      try {
        if (kind !== "class" && refusedName(camel(rest))) throw Error("refused");
        const parsed = parsePath(value);
        const key = pointer(resolve(parsed, scopes));
        const update = BINDINGS[kind](element, () => evaluate(parsed, tree, scopes), rest, scopes, key);
        if (update) into.push(update);
      } catch (error) {
        console.error(name, error);
      }
    }
    for (const child of element.children) if (child.dataset.vmRoot === undefined) scan(child, scopes, into);
  }

  scan(root, [[]], updates);
  listen(world, {
    online: wake,
    offline: restart,
    pageshow: (event) => event.persisted && wake(),
    // The page may never come back: what is unsent leaves with it.
    pagehide() {
      flush();
      if (!url) return;
      const last = new Map([flight, ...queue].filter((item) => item && !item.action).map((item) => [item.key, item]));
      for (const item of last.values()) ask("PUT", path(item), JSON.stringify(item.value), { keepalive: true }).catch(() => {});
    },
  });
  listen(document, {
    visibilitychange() {
      clearTimeout(hiding);
      flush();
      if (document.hidden) hiding = setTimeout(() => restart((hidden = true)), 5000);
      else wake((hidden = false));
    },
  });
  become("connecting");
  follow();
}

/** Mounts every root of a page; network, clock and chance are those of its world. */
export function start(world) {
  const states = new Map();
  for (const root of world.document.querySelectorAll("[data-vm-root]")) mount(root, world, states);
}

if (globalThis.document) start(globalThis);
