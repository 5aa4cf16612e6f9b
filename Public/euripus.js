// SPDX-License-Identifier: MIT
// The passive view: shows a view model that lives on a server and sends back what a person does.

export const pointer = (names) => names.map((name) => "/" + name.replace(/~/g, "~0").replace(/\//g, "~1")).join("");
export const namesOf = (text) => text.split("/").slice(1).map((name) => name.replace(/~1/g, "/").replace(/~0/g, "~"));

// ["!"] ("/" | {"../"}) name {"/" name} ["=" literal], or "." for the scope itself
export function parsePath(text) {
  const [, not, start, path, literal] = /^(!?)(\/|(?:\.\.\/)*)([^/=!][^/=]*(?:\/[^/=]+)*)(?:=(.*))?$/s.exec(text) ?? [];
  const names = path === "." && !start ? [] : namesOf("/" + path);
  if (!path || names.some((name) => /^\.\.?$/.test(name))) throw Error("not a path: " + text);
  return { not: not !== "", absolute: start === "/", up: Math.trunc(start.length / 3), names, literal };
}

export function resolve({ absolute, up, names }, scopes = [[]]) {
  const scope = absolute ? [] : scopes.at(-1 - up);
  if (!scope) throw Error("no scope");
  return [...scope, ...names];
}

const has = (node, name) => Object(node) === node && Object.hasOwn(node, name);
export const valueAt = (tree, names) => names.reduce((node, name) => (has(node, name) ? node[name] : undefined), tree);
export const textOf = (value) => String(value ?? "");

export function evaluate(path, tree, scopes) {
  let value = valueAt(tree, resolve(path, scopes));
  if (path.literal !== undefined) value = textOf(value) === path.literal;
  return path.not ? !value : value;
}

// RFC 6902, with structural sharing.
export const applyPatch = (tree, patch) =>
  patch.reduce((node, { op, path, from, value }) => {
    if (op !== "move") return change(node, namesOf(path), op, value);
    value = valueAt(node, namesOf(from));
    return change(change(node, namesOf(from), "remove"), namesOf(path), "add", value);
  }, tree);

function change(node, [name, ...rest], op, value) {
  if (name === undefined && op !== "remove") return value;
  const list = Array.isArray(node);
  const deep = rest.length > 0;
  const adds = op === "add" && !deep;
  const key = list && adds && name === "-" ? node.length : name;
  const fits = list ? /^(0|[1-9]\d*)$/.test(key) && key < node.length + adds : adds ? Object(node) === node : has(node, key);
  if (!fits || !/^(add|remove|replace)$/.test(op)) throw Error(`cannot ${op} ${name}`);
  const removes = op === "remove" && !deep;
  const inner = deep ? change(node[key], rest, op, value) : value;
  const copy = list ? [...node] : { ...node, [key]: inner };
  if (list) copy.splice(key, adds ? 0 : 1, ...(removes ? [] : [inner]));
  else if (removes) delete copy[key];
  return copy;
}

// Versions are "epoch.revision"; another epoch is always news.
export function newer(a, b) {
  const [[epoch, revision], [held, present]] = [a, b ?? ""].map((version) => version.split("."));
  return epoch !== held || +revision > +present;
}

export function advance({ tree, version }, { from, to, patch, state }) {
  if (patch ? from !== version : !newer(to, version)) return;
  return { tree: patch ? applyPatch(tree, patch) : state, version: to };
}

// The two-way rule.
export const mayWrite = ({ value, shown, composing, unsent, acknowledged, engaged }) =>
  value !== undefined && !composing && !unsent && acknowledged && !engaged && value !== shown;

export function mapSelection(before, after, at) {
  const most = Math.min(before.length, after.length);
  let head = 0;
  let tail = 0;
  while (head < most && before[head] === after[head]) head++;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return at <= head ? at : after.length - Math.min(tail, before.length - at);
}

export function enqueue(queue, item) {
  const barrier = queue.findLastIndex((each) => each.action);
  const same = item.action ? -1 : queue.findLastIndex((each) => each.key === item.key);
  return same > barrier ? queue.map((each, at) => (at === same ? item : each)) : [...queue, item];
}

export function requeue(queue, item) {
  const next = queue.find((each) => each.action || each.key === item.key);
  return item.action || !next || next.action ? [item, ...queue] : queue;
}

export const backoff = (failures, random) => 100 + random * Math.min(30000, 500 * 2 ** failures);

export const refusedName = (name) => /^(on.*|style|srcdoc|.*html)$/i.test(name);
export const refusedValue = (name, value) =>
  /(href|src|action|data)$/i.test(name) && /^(javascript|data):/i.test(textOf(value).replace(/[\0- ]/g, ""));

const camel = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());

const read = ({ type, checked, value }) =>
  type === "checkbox" ? checked : /^(number|range)$/.test(type) && value ? +value : value;

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function mount(root, world) {
  const { document, setTimeout, clearTimeout, sessionStorage } = world;
  const { vmRoot: model } = root.dataset;
  const stored = "euripus:" + model;
  const updates = [];
  const statuses = [];
  const fields = [];
  let sleepers = [];
  let queue = [];
  let seq = 0;
  let url = sessionStorage.getItem(stored);
  let tree, version, state, flight, lost, poll, hidden, hiding, pumping;

  const listen = (target, handlers) => {
    for (const name in handlers) target.addEventListener(name, handlers[name]);
  };
  const tell = (name, detail) => document.dispatchEvent(new world.CustomEvent("vm:" + name, { detail: { model, ...detail } }));

  function become(next) {
    if (next !== state) tell("state", { state: next });
    state = next;
    document.documentElement.dataset.vm = state;
    // A loss is shown until the next edit.
    for (const element of statuses) setText(element, element.dataset[lost && state === "live" ? "expired" : state] ?? "");
  }

  const sleep = (milliseconds) =>
    new Promise((done) => {
      sleepers.push(done);
      setTimeout(done, milliseconds);
    });

  const pause = (failures, least = 0) => sleep(Math.max(least, backoff(failures, world.Math.random())));

  const restart = () => poll?.abort("restart");

  function wake() {
    for (const done of sleepers) done();
    sleepers = [];
    restart();
  }

  // Status 0: no whole answer came.
  async function ask(method, target, body, options, seconds = 15) {
    const abort = new world.AbortController();
    const timer = setTimeout(() => abort.abort(), seconds * 1000);
    if (seconds > 15) poll = abort;
    const headers = body ? { "content-type": "application/json" } : {};
    const address = url ? url + target + (version ? "?since=" + version : "") : target;
    const response = await world.fetch(address, { method, body, headers, signal: abort.signal, cache: "no-store", ...options }).catch(() => ({}));
    const answer = await response.json?.().catch(() => undefined);
    clearTimeout(timer);
    const { ok, status } = response;
    const whole = answer || !ok || status === 204;
    const problem = { ...answer, status: (whole && status) || 0, retryAfter: response.headers?.get("retry-after") * 1000 || 0 };
    if (ok && whole) return problem;
    throw { ...problem, restart: abort.signal.reason === "restart" };
  }

  async function follow() {
    for (let failures = 0; ; ) {
      const asked = url;
      try {
        if (hidden && version) await sleep(2 ** 31 - 1);
        else {
          const answer = await (url ? ask("GET", "/changes", undefined, { headers: { prefer: "wait=25" } }, 40) : ask("POST", "/sessions/" + model));
          if (asked !== url) continue;
          if (!url) {
            sessionStorage.setItem(stored, (url = answer.url));
            answer.to = answer.version;
          }
          become("live");
          take(answer);
          pump();
          if (answer.retryAfter) await sleep(answer.retryAfter);
        }
        if (asked) failures = 0;
      } catch (trouble) {
        if (trouble.restart || asked !== url) continue;
        if (url && /404|410/.test(trouble.status)) {
          expire();
          await pause(failures++);
        } else await suffer(trouble, failures++);
      }
    }
  }

  async function suffer(trouble, failures) {
    const { status, retryAfter } = trouble;
    const offline = world.navigator.onLine === false;
    const blocked = status === 401 || (!url && /^4(?!29)/.test(status));
    if (blocked) tell("error", trouble);
    become(blocked ? "blocked" : offline ? "offline" : "retrying");
    if (offline || failures > 2) giveUp();
    await pause(failures, retryAfter);
  }

  function expire() {
    giveUp();
    url = version = null;
    lost = true;
    queue = [];
    sessionStorage.removeItem(stored);
    become("expired");
    for (const field of fields) {
      clearTimeout(field.timer);
      field.timer = 0;
      field.acknowledged = field.seq;
      if (field.element.type === "password") field.engaged = false;
      else if (field.seq) field.shown = undefined; // counts as edited
    }
    settle();
    wake();
  }

  function take(frame) {
    try {
      const next = frame.to && advance({ tree, version }, frame);
      if (next) {
        ({ tree, version } = next);
        tell("frame", frame);
      }
    } catch {
      version = null;
      restart();
    }
    render();
  }

  function render() {
    if (!tree) return;
    settle();
    for (const update of updates) update();
  }

  function settle() {
    for (const field of fields) if (!field.composing && read(field.element) !== field.shown) edited(field);
    const unsent = queue.some((item) => !item.action) || fields.some((field) => field.timer);
    for (const field of fields) {
      const { element } = field;
      const value = field.at();
      const acknowledged = field.seq <= field.acknowledged;
      if (mayWrite({ ...field, value, unsent, acknowledged })) write(field, value);
      element.toggleAttribute("data-vm-pending", !acknowledged);
    }
  }

  function write(field, value) {
    const { element } = field;
    const { value: before, selectionStart, selectionEnd, selectionDirection } = element;
    const moved = (at) => mapSelection(before, element.value, at);
    if (element.type === "checkbox") element.checked = value;
    else element.value = textOf(value);
    if (selectionStart != null && element.matches(":focus")) element.setSelectionRange(moved(selectionStart), moved(selectionEnd), selectionDirection);
    field.touched ||= element.value !== "";
    field.shown = read(element);
  }

  function edited(field) {
    const { element, debounce } = field;
    field.shown = read(element);
    field.touched = true;
    field.engaged = element.matches(":focus");
    field.seq = ++seq;
    clearTimeout(field.timer);
    field.timer = debounce && (debounce === "blur" ? -1 : setTimeout(() => send(field), debounce));
    if (!field.timer) send(field);
    lost &&= !url;
    become(state);
  }

  function send(field) {
    clearTimeout(field.timer);
    field.timer = 0;
    queue = enqueue(queue, { key: field.key, value: field.shown, seq: field.seq });
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
    if (state !== "live") return finish(item, { type: "offline" });
    control.toggleAttribute("data-vm-pending", true);
    control.setAttribute("aria-busy", true);
    queue = enqueue(queue, item);
    pump();
  }

  function giveUp() {
    const actions = queue.filter((item) => item.action);
    queue = queue.filter((item) => !item.action);
    for (const item of actions) finish(item, { type: "offline" });
  }

  const put = ({ action, key, value }, options) =>
    ask(action ? "POST" : "PUT", (action ? "/actions" : "/state") + key.split("/").map(encodeURIComponent).join("/"), JSON.stringify(value), options);

  // Whether an action is enabled is asked once all before it is in the tree.
  async function pump() {
    if (pumping) return;
    pumping = true;
    for (let failures = 0; url && tree && queue.length; flight = undefined) {
      const asked = url;
      const item = (flight = queue[0]);
      queue = queue.slice(1);
      if (item.action && item.control.getAttribute("aria-disabled") === "true") {
        finish(item, { type: "action-disabled" });
        continue;
      }
      try {
        let frame = await put(item);
        // An answer counts once the tree contains it.
        for (const { to } = frame; asked === url; frame = await ask("GET", "/changes")) {
          take(frame);
          if (version && !(newer(to, version) && !newer(version, to))) break;
        }
        failures = 0;
        finish(item, undefined, asked === url);
      } catch (trouble) {
        const { status, type } = trouble;
        const again = (item.action ? /429|503/ : /^0|401|429|5../).test(status);
        if (asked !== url) finish(item);
        else {
          if (/410|no-session/.test(status + type)) expire();
          else if (again) queue = requeue(queue, item);
          if (again || !status) await suffer(trouble, failures++);
          if (!again) finish(item, status ? trouble : { type: "answer-lost" }, asked === url);
        }
      }
    }
    pumping = false;
    settle();
  }

  function finish(item, trouble, heard) {
    if (trouble) tell("error", trouble);
    const { action, control, submit } = item;
    if (action) {
      control.toggleAttribute("data-vm-pending", false);
      control.removeAttribute("aria-busy");
    }
    for (const field of fields) {
      if (heard && action && field.seq < item.seq) field.engaged = false;
      if (heard && field.key === item.key) field.acknowledged = item.seq;
      if (submit) field.touched = true;
    }
    render();
    if (submit && seq === item.seq) root.querySelector("[aria-invalid=true]")?.focus();
  }

  const BINDINGS = {
    text: (element, at) => () => setText(element, textOf(at())),
    show: (element, at) => () => (element.hidden = !at()),
    class: (element, at, name) => () => element.classList.toggle(name, Boolean(at())),
    prop: (element, at, name) => () => {
      if (element[camel(name)] !== at() && !refusedValue(name, at())) element[camel(name)] = at();
    },
    attr: (element, at, name) => () => {
      let value = at();
      if (!name.startsWith("aria-")) value = value === true ? "" : value === false ? null : value;
      if (value == null || refusedValue(name, value)) element.removeAttribute(name);
      else element.setAttribute(name, value);
    },
    // An untouched field does not shout.
    error: (element, at) => () => {
      const value = at() || "";
      element.setCustomValidity?.(value);
      element.setAttribute("aria-invalid", value !== "" && fields.find((each) => each.element === element)?.touched !== false);
    },
    bind(element, at, _, key) {
      const { vmDebounce: debounce } = element.dataset;
      const { type, defaultValue, defaultChecked } = element;
      // What was typed before this ran is an edit.
      const shown = !url || element.matches(":focus") ? read({ type, value: defaultValue, checked: defaultChecked }) : undefined;
      const field = { element, at, key, debounce, seq: 0, acknowledged: 0, touched: false, shown: shown ?? read(element) };
      fields.push(field);
      listen(element, {
        input: settle,
        compositionstart: () => (field.composing = true),
        compositionend() {
          field.composing = false;
          settle();
        },
        blur() {
          field.engaged = false;
          if (field.timer < 0) send(field);
          settle();
        },
      });
    },
    do(element, _, __, key, scopes) {
      const { vmOn = element.localName === "form" ? "submit" : "click" } = element.dataset;
      const [type, stroke] = vmOn.split(".");
      const valueOf = (text) => (text[0] === "=" ? text.slice(1) : evaluate(parsePath(text), tree, scopes));
      const args = [...element.attributes].filter(({ name }) => name.startsWith("data-vm-arg-"));
      listen(element, {
        [type](event) {
          if (stroke && (event.isComposing || event.keyCode === 229 || event.key.toLowerCase() !== stroke)) return;
          event.preventDefault();
          const value = args.length ? Object.fromEntries(args.map((arg) => [camel(arg.name.slice(12)), valueOf(arg.value)])) : undefined;
          act(key, value, event.submitter ?? element, type === "submit");
        },
      });
    },
    status(element) {
      statuses.push(element);
    },
  };

  function scan(element, scopes) {
    if (element.dataset.vmPermanent !== undefined) return;
    for (const { name, value } of element.attributes) {
      const [, kind, rest] = /^data-vm-([a-z]+)-?(.*)$/.exec(name) ?? [];
      if (!has(BINDINGS, kind)) continue;
      if (kind !== "class" && refusedName(camel(rest))) throw Error("refused: " + name);
      const path = parsePath(value || ".");
      const update = BINDINGS[kind](element, () => evaluate(path, tree, scopes), rest, pointer(resolve(path, scopes)), scopes);
      if (update) updates.push(update);
    }
    for (const child of element.children) if (child.dataset.vmRoot === undefined) scan(child, scopes);
  }

  scan(root, [[]]);
  listen(world, {
    online: wake,
    offline: restart,
    pageshow: (event) => event.persisted && wake(),
    pagehide() {
      flush();
      for (const item of flight ? requeue(queue, flight) : queue) if (url && !item.action) put(item, { keepalive: true }).catch(() => {});
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

export function start(world) {
  for (const root of world.document.querySelectorAll("[data-vm-root]")) mount(root, world);
}

if (globalThis.document) start(globalThis);
