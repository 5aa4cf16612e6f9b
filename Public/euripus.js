// SPDX-License-Identifier: MIT
// The passive view: Documentation/CLIENT.md

export let pointer = (names) => names.map((name) => "/" + name.replaceAll("~", "~0").replaceAll("/", "~1")).join("");
export let namesOf = (text) => text.split("/").slice(1).map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));

export function parsePath(text) {
 let [, not, start, path, literal] = /^(!?)(\/|(?:\.\.\/)*)([^/=!][^/=]*(?:\/[^/=]+)*)(?:=(.*))?$/s.exec(text) ?? [];
 let names = start + path === "." ? [] : namesOf("/" + path);
 if (!path || names.some((name) => /^\.\.?$/.test(name))) throw Error("not a path: " + text);
 return { not: !!not, absolute: start === "/", up: (start.length / 3) | 0, names, literal };
}

export function resolve({ absolute, up, names }, scopes = [[]]) {
 let scope = absolute ? [] : scopes.at(-1 - up);
 if (!scope) throw Error("no scope");
 return [...scope, ...names];
}

let has = (node, name) => Object(node) === node && Object.hasOwn(node, name);
export let valueAt = (tree, names) => names.reduce((node, name) => (has(node, name) ? node[name] : undefined), tree);
export let textOf = (value) => String(value ?? "");

export function evaluate(path, tree, scopes) {
 let names = resolve(path, scopes);
 let value = names.at(-1) === "#" ? names.at(-2) : valueAt(tree, names);
 if (path.literal !== undefined) value = textOf(value) === path.literal;
 return path.not ? !value : value;
}

export let applyPatch = (tree, patch) =>
 patch.reduce((node, { op, path, from, value }) => {
  if (op !== "move") return change(node, namesOf(path), op, value);
  value = valueAt(node, namesOf(from));
  return change(change(node, namesOf(from), "remove"), namesOf(path), "add", value);
 }, tree);

function change(node, [name, ...rest], op, value) {
 if (name === undefined && op !== "remove") return value;
 if (rest.length) [value, op] = [change(valueAt(node, [name]), rest, op, value), "replace"];
 let list = Array.isArray(node);
 let n = { add: 0, remove: 1, replace: 1 }[op];
 if (list && !n && name === "-") name = node.length;
 let fits = list ? /^(0|[1-9]\d*)$/.test(name) && name <= node.length - n : n ? has(node, name) : Object(node) === node;
 if (!fits || n === undefined) throw Error(op);
 let copy = list ? [...node] : { ...node, [name]: value };
 if (list) copy.splice(name, n, ...(op === "remove" ? [] : [value]));
 else if (op === "remove") delete copy[name];
 return copy;
}

export function newer(a, b) {
 let [epoch, number] = a.split(".");
 let [held, present] = (b ?? "").split(".");
 return epoch !== held || +number > +present;
}

export function advance({ tree, version }, { from, to, patch, state }) {
 if (patch ? from === version : newer(to, version)) return { tree: patch ? applyPatch(tree, patch) : state, version: to };
}

export let mayWrite = ({ shown, engaged }, value, held) => value !== undefined && !held && !engaged && value !== shown;

export function mapSelection(before, after, at) {
 let head = 0;
 while (head < at && before[head] === after[head]) head++;
 return Math.max(head, head < at && at + after.length - before.length);
}

export function enqueue(queue, item) {
 let last = queue.findLast((each) => each.action || each.key === item.key);
 return item.action || !last || last.action ? [...queue, item] : queue.map((each) => (each === last ? item : each));
}

export function requeue(queue, item) {
 let next = queue.find((each) => each.action || each.key === item.key);
 return item.action || !next || next.action ? [item, ...queue] : queue;
}

export let backoff = (n, random) => 100 + random * Math.min(30000, 500 * 2 ** n);

export let refusedName = (name) => /^(on.*|style|srcdoc|.*html)$/i.test(name);
export let refusedValue = (name, value) =>
 /(href|src|action|data)$/i.test(name) && /^(javascript|data):/i.test(textOf(value).replace(/[\0- ]/g, ""));

let camel = (name) => name.replace(/-./g, (each) => each[1].toUpperCase());

let read = ({ type, checked, value }) =>
 type === "checkbox" ? checked : /^(number|range)$/.test(type) && value ? +value : value;

let SHOWS = {
 text(node, value) {
  value = textOf(value);
  if (node.textContent !== value) node.textContent = value;
 },
 show: (node, value) => (node.hidden = !value),
 class: (node, value, name) => node.classList.toggle(name, !!value),
 prop(node, value, name) {
  if (node[camel(name)] !== value && !refusedValue(name, value)) node[camel(name)] = value;
 },
 attr(node, value, name) {
  if (value === !!value && !name.startsWith("aria-")) value = value ? "" : null;
  if (value == null || refusedValue(name, value)) node.removeAttribute(name);
  else node.setAttribute(name, value);
 },
};

function mount(root, world) {
 let { document, setTimeout, clearTimeout, sessionStorage } = world;
 let model = root.dataset.vmRoot;
 let updates = [];
 let sleepers = [];
 let fields = [];
 let queue = [];
 let url = sessionStorage.getItem("euripus:" + model);
 let tree, version, state, sent, lost, poll, pumping, composing;

 let tell = (name, detail) => document.dispatchEvent(new world.CustomEvent("vm:" + name, { detail: { model, ...detail } }));

 function become(next) {
  if (next !== state) tell("state", { state: (state = next) });
  document.documentElement.dataset.vm = state;
  for (let node of root.querySelectorAll("[data-vm-status]")) SHOWS.text(node, node.dataset[lost && state === "live" ? "expired" : state]);
 }

 let sleep = (time) => new Promise((done) => setTimeout(done, time, sleepers.push(done)));

 let restart = () => (poll = poll?.abort());

 function wake() {
  for (let done of sleepers.splice(0)) done();
  restart();
 }

 async function ask(method, path, waits, body, keepalive) {
  let asked = url;
  let abort = new world.AbortController();
  let timer = setTimeout(() => abort.abort(), 40000);
  if (waits) poll = abort;
  let headers = waits ? { prefer: "wait=25" } : body && { "content-type": "application/json" };
  let target = url ? url + path + (version ? "?since=" + version : "") : "/sessions/" + model;
  let answer = { status: 0 };
  try {
   let response = await world.fetch(target, { method, body, headers, keepalive, signal: abort.signal, cache: "no-store" });
   answer = { ...(response.status === 204 || (await response.json())), status: response.status, retryAfter: response.headers.get("retry-after") * 1000 };
  } catch {}
  clearTimeout(timer);
  if (asked !== url || (waits && !poll)) throw 0;
  if (!/^2/.test(answer.status)) throw answer;
  return answer;
 }

 async function follow() {
  for (let n = 0; ; ) {
   if (document.hidden && version) await sleep(2 ** 31 - 1); // until woken
   let first = !url;
   try {
    let frame = await ask(first ? "POST" : "GET", "/changes", url && state === "live");
    if (first) {
     sessionStorage.setItem("euripus:" + model, (url = frame.url));
     frame.to = frame.version;
    } else n = 0;
    become("live");
    take(frame);
    pump();
    if (frame.retryAfter) await sleep(frame.retryAfter);
   } catch (bad) {
    if (bad) await suffer(bad, n++);
   }
  }
 }

 async function suffer(bad, n) {
  let { status, type, retryAfter } = bad;
  let next = /410|no-session/.test(status + type) ? "expired" : /^4(?!29)/.test(status) ? "blocked" : world.navigator.onLine ? "retrying" : "offline";
  if (next === "blocked") tell("error", bad);
  if (next === "expired") expire();
  become(next);
  if (next === "offline" || n > 2) giveUp();
  await sleep((retryAfter || 0) + backoff(n, world.Math.random()));
 }

 function giveUp() {
  let actions = queue.filter((item) => item.action);
  queue = queue.filter((item) => !item.action);
  for (let item of actions) finish(item, { type: "offline" });
 }

 function expire() {
  url = version = null;
  giveUp();
  flush();
  queue = [];
  lost = true;
  sessionStorage.setItem("euripus:" + model, "");
  for (let field of fields) {
   if (field.node.type === "password") field.engaged = false;
   else if (field.edited) field.shown = null;
  }
  settle();
  wake();
 }

 function take(frame) {
  try {
   let next = frame.to && advance({ tree, version }, frame);
   if (next) tell("frame", frame, ({ tree, version } = next));
  } catch {
   version = null;
   restart();
  }
  render();
 }

 function render() {
  if (!tree) return;
  for (let update of updates) update?.(true);
  settle();
 }

 let heed = () => become(state, (lost &&= !url));

 let waits = (key, action) => [sent, ...queue].some((item) => item?.key === key && item.action === action);
 let pending = ({ key, timer }) => !!timer || waits(key);

 function settle() {
  let unsent = fields.some(pending);
  for (let field of fields) {
   let { node, wait, error } = field;
   let shown = read(node);
   if (node !== composing && shown !== field.shown) {
    field.shown = shown;
    field.edited = field.touched = field.engaged = true;
    clearTimeout(field.timer);
    field.timer = wait === "blur" ? -1 : wait && setTimeout(() => send(field), wait);
    if (!field.timer) send(field);
    heed();
   }
   field.engaged &&= node.matches(":focus") && document.hasFocus();
   if (field.timer < 0 && !field.engaged) send(field);
   let value = field.at();
   if (mayWrite(field, value, unsent || node === composing || pending(field))) write(field, value);
   node.toggleAttribute("data-vm-pending", pending(field));
   field.touched ||= textOf(value) !== "";
   if (error) {
    let text = (field.touched && error()) || "";
    node.setCustomValidity?.(text);
    node.setAttribute("aria-invalid", !!text);
   }
  }
  fields = fields.filter(({ node }) => node.isConnected);
 }

 function write(field, value) {
  let { node } = field;
  let { value: before, selectionStart, selectionEnd } = node;
  if (node.type === "checkbox") node.checked = value;
  else node.value = textOf(value);
  if (node.matches(":focus") && selectionStart != null) node.setSelectionRange(...[selectionStart, selectionEnd].map((at) => mapSelection(before, node.value, at)));
  field.shown = read(node);
 }

 function send(field) {
  field.timer = clearTimeout(field.timer);
  add({ key: field.key, value: field.shown });
 }

 function add(item) {
  queue = enqueue(queue, item);
  pump();
 }

 function flush() {
  settle();
  for (let field of fields) if (field.timer) send(field);
 }

 let put = ({ action, key, value }, keepalive) =>
  ask(action ?? "PUT", (action ? "/actions" : "/state") + key.split("/").map(encodeURIComponent).join("/"), 0, JSON.stringify(value), keepalive);

 async function pump() {
  if (pumping) return;
  pumping = true;
  for (let n = 0; url && tree && (sent = queue.shift()); ) {
   let item = sent;
   try {
    if (item.control?.matches("[aria-disabled=true]")) throw { type: "action-disabled" };
    let frame = await put(item);
    for (take(frame); !version || (newer(frame.to, version) && !newer(version, frame.to)); ) take(await ask("GET", "/changes"));
    n = 0;
    finish(item);
   } catch (bad) {
    let { status = 1, type } = bad;
    let again = (item.action ? /429|503/ : /^0|401|429|5../).test(status);
    if (again) queue = requeue(queue, item);
    if (again || !status || /410|no-session/.test(status + type)) await suffer(bad, n++);
    if (!again) finish(item, status ? bad : { type: "answer-lost" });
   }
  }
  pumping = false;
  render();
 }

 function finish(item, bad) {
  if (bad) tell("error", bad);
  if (sent === item) sent = 0;
  for (let field of fields) {
   if (item.action && !pending(field)) field.engaged = false;
   if (item.node?.contains(field.node)) field.touched = true;
  }
  render();
  if (!queue.length) item.node?.querySelector("[aria-invalid=true]")?.focus();
 }

 let get = (text, scopes) => {
  if (text[0] === "=") return () => text.slice(1);
  let path = parsePath(text);
  return () => evaluate(path, tree, scopes);
 };

 let perform = (action, needs, bars) => (node, at, key, scopes, args) => {
  let { vmOn = node.submit ? "submit" : "click", vmConfirm } = node.dataset;
  let [type, typed] = vmOn.split(".");
  let control = node.querySelector("[type=submit]") ?? node;
  let busy = () => at()?.[bars] || waits(key, action);
  let asked;
  let act = (sign) => {
   flush();
   if (busy() || (vmConfirm && !world.confirm(get(vmConfirm, scopes)()))) return;
   asked = url + sign;
   let [value] = sign;
   for (let name in args) value = name ? { ...value, [name]: args[name]() } : args[name]();
   let item = { action, key, value, control, node };
   if (state === "live") add(item);
   else finish(item, { type: "offline" });
   render();
  };
  let notice = () => {
   let sign = type === "rotate" ? [[1, 3, 1, 4][world.screen.orientation?.angle / 90]] : document.visibilityState === type && [];
   if (!sign) asked = 0;
   else if (state === "live" && asked !== url + sign) act(sign);
  };
  node.addEventListener(type, (event) => {
   if (typed && (event.isComposing || event.keyCode === 229 || event.key.toLowerCase() !== typed)) return;
   event.preventDefault();
   act([]);
   heed();
  });
  return () => {
   if (has(at(), needs)) SHOWS.attr(control, !at()[needs], "aria-disabled");
   SHOWS.attr(control, busy() || null, "aria-busy");
   queueMicrotask(notice);
  };
 };

 let rows = (template, order, scopesOf) => {
  let held = new Map();
  return () => {
   let parent = template.parentNode;
   let keys = order() || [];
   for (let [key, row] of held) if (!keys.includes(key)) held.delete(key, row?.node.remove());
   let last = template;
   for (let key of keys) {
    let scopes = scopesOf(key);
    let object = valueAt(tree, scopes.at(-1));
    let kind = object?.kind;
    let source = [...template.content.children].find((each) => (each.dataset.vmKind ?? kind) === kind);
    let row = held.get(key);
    if (row?.source !== source) {
     row?.node.remove();
     row = source && { source, node: document.importNode(source, true), updates: [] };
     held.set(key, row);
     if (row) scan(row.node, scopes, row.updates);
    }
    if (!row) continue;
    let { node } = row;
    for (let update of row.updates) update?.(row.object !== object);
    row.object = object;
    for (let next; (next = last.nextElementSibling) !== node; ) {
     let [moved, before] = node.contains(document.activeElement) ? [next, node.nextSibling] : [node, next];
     if (parent.moveBefore && moved.isConnected) parent.moveBefore(moved, before);
     else parent.insertBefore(moved, before);
    }
    last = node;
   }
   for (let field of fields) if (field.node.contains(parent)) field.shown = read(field.node);
  };
 };

 let WIRES = {
  each: (node, at, key, scopes) => rows(node, () => at()?.order, (row) => [...scopes, [...namesOf(key), "items", row]]),
  if: (node, at, key, scopes) => rows(node, () => at() && [""], () => scopes),
  do: perform("POST", "enabled", "executing"),
  cancel: perform("DELETE", "executing"),
  window(node, at, key) {
   let asked;
   return () => {
    let row = node.querySelector("template + *");
    let { count, order, window } = at() ?? {};
    let height = row?.offsetHeight;
    if (!window || !height) return;
    row.parentNode.style.paddingBlock = `${window.first * height}px ${(count - window.first - order.length) * height}px`;
    let page = Math.ceil(node.clientHeight / height);
    let turn = (node.scrollTop / height / page) | 0;
    if (asked !== (asked = url + [page, turn])) add({ key: key + "/window", value: { first: turn && (turn - 1) * page, count: 3 * page } });
   };
  },
  bind(node, at, key, scopes) {
   let { type, value, defaultValue = value, defaultChecked, dataset } = node;
   let shown = read(!url || node.matches(":focus") ? { type, value: defaultValue, checked: defaultChecked } : node);
   fields.push({ node, at, key, shown, wait: dataset.vmDebounce, error: dataset.vmError && get(dataset.vmError, scopes) });
  },
 };

 function scan(node, scopes, updates) {
  for (let child of node.children) if (!child.matches("[data-vm-permanent],[data-vm-root]")) scan(child, scopes, updates);
  let args = {};
  for (let { name, value } of node.attributes) {
   let [, kind, rest] = /^data-vm-([a-z]+)-?(.*)$/.exec(name) ?? [];
   let show = SHOWS[kind];
   let wire = WIRES[kind];
   if (kind === "arg") args[camel(rest)] = get(value, scopes);
   if (!show && !wire) continue;
   if (kind !== "class" && refusedName(camel(rest))) throw Error("refused: " + name);
   let path = parsePath(value);
   let at = get(value, scopes);
   updates.push(show ? (fresh) => (fresh || path.up || path.absolute) && show(node, at(), rest) : wire(node, at, pointer(resolve(path, scopes)), scopes, args));
  }
 }

 scan(root, [[]], updates);
 let heard = {
  scroll: render,
  resize: render,
  input: settle,
  blur: settle,
  compositionstart: ({ target }) => (composing = target),
  compositionend: () => settle((composing = 0)),
  online: wake,
  offline: restart,
  pagehide() {
   flush();
   for (let item of sent ? requeue(queue, sent) : queue) if (url && !item.action) put(item, true).catch(() => {});
  },
  visibilitychange() {
   flush();
   render();
   if (document.hidden) setTimeout(restart, 5000);
   else wake();
  },
 };
 for (let name in heard) world.addEventListener(name, heard[name], true);
 become("connecting");
 follow();
}

export function start(world) {
 for (let root of world.document.querySelectorAll("[data-vm-root]")) mount(root, world);
}

if (globalThis.document) start(globalThis);
