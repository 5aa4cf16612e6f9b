// SPDX-License-Identifier: MIT
// Documentation/CLIENT.md

let refusedName = (name, element) =>
 /^(on.*|style|srcdoc|protocol|.*html)$/i.test(name) || /^(animate\w*|set) (attributename|from|to|by|values)$/i.test(element + " " + name);

let ADDRESS = /(href|src|srcset|action|data|^(poster|ping|cite|background|manifest|codebase|longdesc))$/i;
let ADDRESSES = /(srcset|^ping|^attributionsrc)$/i;
let refusedAddress = (text) => /^(?!(https?|mailto|tel):)[a-z][a-z\d+.-]*:/i.test(text.replace(/^[\0- ]+|[\t\n\r]/g, ""));
let refusedValue = (name, value) => {
 let addresses = ADDRESSES.test(name) ? textOf(value).split(/[\s,]+/) : [textOf(value)];
 return ADDRESS.test(name) && addresses.some(refusedAddress);
};

let camel = (name) => name.replace(/-./g, (each) => each[1].toUpperCase());

let pointer = (names) => names.map((name) => "/" + encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))).join("");
let namesOf = (text) => {
 let [first, ...names] = text.split("/");
 if (first) throw Error("not a pointer: " + text);
 return names.map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
};

let SHOWS = {
 text(node, value) {
  value = textOf(value);
  if (node.textContent !== value) node.textContent = value;
 },
 show: (node, value) => (node.hidden = !value),
 class: (node, value, name) => node.classList.toggle(name, !!value),
 prop(node, value, name) {
  name = camel(name);
  if (node[name] !== value && !refusedValue(name, value)) node[name] = value;
 },
 attr(node, value, name) {
  if (!/^aria-/.test(name) && value === !!value) value = value ? "" : null;
  if (value == null || refusedValue(name, value)) node.removeAttribute(name);
  else node.setAttribute(name, value);
 },
};

let has = (node, name) => Object(node) === node && Object.hasOwn(node, name);
let valueAt = (tree, names) => names.reduce((node, name) => (has(node, name) ? node[name] : undefined), tree);
let textOf = (value) => String(value ?? "");

function newer(a, b, asked = b) {
 let [epoch, number] = a.split(".");
 let [held, present] = b.split(".");
 return epoch === held ? +number > +present : asked.split(".")[0] === held;
}

function change(node, [name, ...rest], op, value) {
 if (name === undefined) {
  if (op === "remove") throw Error(op);
  return value;
 }
 if (rest.length) {
  value = change(valueAt(node, [name]), rest, op, value);
  op = "replace";
 }
 let list = Array.isArray(node);
 let n = { add: 0, remove: 1, replace: 1 }[op];
 if (list && !n && name === "-") name = String(node.length);
 if (!(list ? name === String(name >>> 0) && name <= node.length - n : n ? has(node, name) : Object(node) === node)) throw Error(op);
 let next = list ? [...node] : { ...node, [name]: value };
 if (list) next.splice(name, n, ...(op === "remove" ? [] : [value]));
 else if (op === "remove") delete next[name];
 return next;
}

function evaluate(path, tree, scopes) {
 let names = resolve(path, scopes);
 let value = names.at(-1) === "#" ? names.at(-2) : valueAt(tree, names);
 if (path.literal !== undefined) value = textOf(value) === path.literal;
 return path.not ? !value : value;
}

let parsePath = (text) => {
 let [, not, start, path, literal] = /^(!?)(\/|(?:\.\.\/)*)([^/=!][^/=]*(?:\/[^/=]+)*)(?:=(.*))?$/s.exec(text) ?? [];
 let names = start + path === "." ? [] : namesOf("/" + path);
 if (!path || names.some((name) => name === "." || name === "..")) throw Error("not a path: " + text);
 return { not, start, names, literal };
};

let resolve = ({ start, names }, scopes) => {
 let scope = start === "/" ? [] : scopes.at(-1 - start.length / 3);
 if (!scope) throw Error("no scope");
 return [...scope, ...names];
};

let read = ({ type, checked, value }) => {
 if (/checkbox|radio/.test(type)) return checked;
 // A number that is not there is none, and no text.
 if (/number|range/.test(type)) return value ? +value : null;
 return value;
};

// The bounds of a field that its input may have as attributes: never another name, whatever the server says.
let BOUNDS = ["required", "minlength", "maxlength", "min", "max", "pattern"];

function applyOne(tree, operation) {
 let { op, path, from, value } = operation;
 let names = namesOf(path);
 if (op === "remove" || (["add", "replace"].includes(op) && has(operation, "value"))) return change(tree, names, op, value);
 if (op !== "move" || path.startsWith(from + "/")) throw Error("not an operation");
 value = valueAt(tree, namesOf(from));
 let rest = change(tree, namesOf(from), from === path ? "replace" : "remove", value);
 return from === path ? tree : change(rest, names, "add", value);
}

let applyPatch = (tree, patch) => patch.reduce(applyOne, tree);

function mapSelection(before, after, at) {
 for (let head = 0; head < at; head++) if (before[head] !== after[head]) return Math.max(head, at + after.length - before.length);
 return at;
}

let backoff = (n, random) => 100 + random * Math.min(30000, 500 * 2 ** n);

function mount(root) {
 let model = root.dataset.vmRoot;
 let updates = [];
 let sleepers = [];
 let fields = [];
 let queue = [];
 let number = 0;
 let name = Math.random() + "/";
 let url = sessionStorage["euripus:" + model];
 let version = "";
 let pumping = 0;
 let tree, state, lost, poll, composing;

 let sleep = (time) => new Promise((done) => setTimeout(done, time, sleepers.push(done)));

 let keep = (value) => (sessionStorage["euripus:" + model] = url = value);

 function wake() {
  sleepers.splice(0).forEach((each) => each());
  restart();
 }

 let restart = () => (poll = poll?.abort());

 function send(field) {
  let { node, what, shown } = field;
  field.timer = clearTimeout(field.timer);
  if (node.type !== "radio" || shown) add({ what, field, value: node.type === "radio" ? node.value : shown });
 }

 let pending = ({ what, timer }) => timer || queue.some((each) => each.what === what);

 function write(field, value) {
  let { node } = field;
  let { value: before, selectionStart, selectionEnd } = node;
  if (/checkbox|radio/.test(node.type)) node.checked = value;
  else node.value = textOf(value);
  if (node.matches(":focus") && selectionStart != null) node.setSelectionRange(mapSelection(before, node.value, selectionStart), mapSelection(before, node.value, selectionEnd));
  field.shown = read(node);
  field.was = field.at();
 }

 function settle() {
  let held = fields.some(pending);
  for (let field of fields) {
   let { node, error } = field;
   let { vmDebounce: wait, vmCompose } = node.dataset;
   let shown = read(node);
   if ((node !== composing || vmCompose) && shown !== field.shown) {
    field.shown = shown;
    held = field.edited = field.touched = field.engaged = true;
    clearTimeout(field.timer);
    field.timer = wait === "blur" ? -1 : wait && setTimeout(() => send(field), wait);
    if (!field.timer) send(field);
    heed();
   }
   field.engaged &&= node.matches(":focus") && document.hasFocus();
   if (field.timer < 0 && !field.engaged) send(field);
   let value = field.at();
   if (value !== undefined && value !== field.shown && !field.engaged && !held && node !== composing) write(field, value);
   node.toggleAttribute("data-vm-pending", pending(field));
   field.touched ||= textOf(value);
   if (error) {
    let text = (field.touched && error()) || "";
    node.setCustomValidity?.(text);
    node.setAttribute("aria-invalid", !!text);
   }
  }
  fields = fields.filter((field) => field.node.isConnected);
 }

 function flush() {
  settle();
  for (let field of fields) if (field.timer) send(field);
 }

 let tell = (name, detail) => document.dispatchEvent(new CustomEvent("vm:" + name, { detail: { ...detail, model } }));

 let heed = () => become(state, (lost &&= !url));

 function become(next) {
  if (next !== state) tell("state", { state: (state = next) });
  document.documentElement.dataset.vm = state;
  for (let node of root.querySelectorAll("[data-vm-status]")) SHOWS.text(node, node.dataset[lost && state === "live" ? "expired" : state]);
 }

 let writes = (names) => "PUT /state" + pointer(names);

 let get = (text, scopes) => {
  if (text[0] === "=") return () => text.slice(1);
  let path = parsePath(text);
  return () => evaluate(path, tree, scopes);
 };

 function scan(node, scopes, updates) {
  for (let each of node.children) if (!each.matches("[data-vm-permanent],[data-vm-root]")) scan(each, scopes, updates);
  let args = {};
  for (let { name, value } of node.attributes) {
   let [, kind, rest] = /^data-vm-([a-z]+)-?(.*)$/.exec(name) ?? [];
   let show = SHOWS[kind];
   let wire = WIRES[kind];
   if (kind === "arg") args[camel(rest)] = get(value, scopes);
   if (!show && !wire) continue;
   if (kind !== "class" && refusedName(camel(rest), node.localName)) throw Error("refused: " + name);
   let path = parsePath(value);
   let at = get(value, scopes);
   updates.push(show ? (fresh) => (fresh || path.start) && show(node, at(), rest) : wire(node, at, resolve(path, scopes), scopes, args));
  }
 }

 let rows = (template, order, scopesOf) => {
  let held = new Map();
  return () => {
   let parent = template.parentNode;
   let keys = new Set(order());
   held.forEach((row, key) => keys.has(key) || held.delete(key, row?.node.remove()));
   let last = template;
   for (let key of keys) {
    let row = held.get(key);
    let scopes = row?.scopes ?? scopesOf(key);
    let object = valueAt(tree, scopes.at(-1));
    if (row?.object !== object) {
     let kind = object?.kind;
     let source = [...template.content.children].find((each) => (each.dataset.vmKind ?? kind) === kind);
     if (row?.source !== source) {
      row?.node.remove();
      row = source && { source, scopes, node: document.importNode(source, true), updates: [] };
      held.set(key, row);
      if (row) scan(row.node, scopes, row.updates);
     }
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

 let perform = (method, need, bar) => (node, at, names, scopes, args) => {
  let what = method + " /actions" + pointer(names);
  let { vmOn = node.submit ? "submit" : "click", vmConfirm } = node.dataset;
  let [type, typed] = vmOn.split(".");
  let control = node.querySelector("[type=submit]") ?? node;
  let asked;
  // What the browser would hold up is for the view model to refuse.
  if (node.submit) node.noValidate = true;
  let act = (sign) => {
   flush();
   let last = queue.findLast((each) => each.what === what || node.contains(each.field?.node));
   if (last?.bases || at()?.[bar] || (vmConfirm && !confirm(get(vmConfirm, scopes)()))) return;
   asked = url + sign;
   let [value] = sign;
   for (let name in args) value = name ? { ...value, [name]: args[name]() } : args[name]();
   let item = { what, value, control, node, bases: fields.map((field) => ({ field, value: field.shown })) };
   if (state === "live") add(item);
   else end(item, { type: "offline" });
   render();
  };
  let notice = () => {
   let sign = type === "rotate" ? [[1, 3, 1, 4][screen.orientation?.angle / 90]] : document.visibilityState === type && [];
   if (!sign) asked = 0;
   else if (state === "live" && asked !== url + sign) act(sign);
  };
  node.addEventListener(type, (event) => {
   if (typed && (event.keyCode === 229 || event.key.toLowerCase() !== typed)) return;
   event.preventDefault();
   act([]);
   heed();
  });
  return () => {
   if (has(at(), need)) SHOWS.attr(control, !at()[need], "aria-disabled");
   SHOWS.attr(control, at()?.[bar] || pending({ what }) || null, "aria-busy");
   queueMicrotask(notice);
  };
 };

 let WIRES = {
  each: (node, at, names, scopes) => rows(node, () => at()?.order, (row) => [...scopes, [...names, "items", row]]),
  if: (node, at, names, scopes) => rows(node, () => (at() ? [""] : []), () => scopes),
  do: perform("POST", "enabled", "executing"),
  cancel: perform("DELETE", "executing"),
  window(node, at, names) {
   let asked;
   return () => {
    let row = node.querySelector("template + *");
    let { count, order, window } = at() ?? {};
    let height = row?.offsetHeight;
    if (!window || !height) return;
    row.parentNode.style.paddingBlock = `${window.first * height}px ${(count - window.first - order.length) * height}px`;
    let page = Math.ceil(node.clientHeight / height);
    let turn = (node.scrollTop / height / page) | 0;
    if (asked !== (asked = url + [page, turn])) add({ what: writes([...names, "window"]), value: { first: turn && (turn - 1) * page, count: 3 * page } });
   };
  },
  bind(node, at, names, scopes) {
   let { vmError } = node.dataset;
   addField(node, at, names, vmError && get(vmError, scopes));
  },
  field(node, at, names) {
   // Whether it is touched is for the server to say, whose error is null before.
   addField(node, () => at()?.value, [...names, "value"], () => at()?.error, true);
   return () => {
    let bounds = at()?.bounds;
    for (let name of BOUNDS) if (has(bounds, name)) SHOWS.attr(node, bounds[name], name);
   };
  },
 };

 function addField(node, at, names, error, touched) {
  let { type, value, defaultValue = value, defaultChecked } = node;
  let shown = read((!url || node.matches(":focus")) && !/range|color/.test(type) ? { type, value: defaultValue, checked: defaultChecked } : node);
  fields.push({ node, at: type === "radio" ? () => tree && textOf(at()) === node.value : at, what: writes(names), shown, error, touched });
 }

 function add(item) {
  let last = queue.findLast((each) => each.bases || each.what === item.what);
  if (item.bases || !last || last.bases || last.n) queue.push(item);
  else last.value = item.value;
  pump();
 }

 function rebase({ field, value: base }) {
  let value = field.at();
  if (field.node.options || value === field.was || value === undefined || queue.some((each) => each.field === field && each.n)) return;
  let rest = (text) => text?.startsWith?.(base) ? textOf(value) + text.slice(base.length) : text;
  for (let each of queue.flatMap((item) => item.bases ?? item)) if (each.field === field) each.value = rest(each.value);
  if (field.shown !== rest(field.shown)) write(field, rest(field.shown));
 }

 function end(item, bad) {
  if (bad) tell("error", bad);
  queue = queue.filter((each) => each !== item);
  for (let field of fields) {
   if (item.bases && !pending(field)) field.engaged = false;
   field.touched ||= item.node?.contains(field.node);
  }
  render();
  if (!queue.length) item.node?.querySelector("[aria-invalid=true]")?.focus();
 }

 async function pump() {
  if (pumping) return;
  pumping = 1;
  for (let n = 0, item; url && tree && (item = queue[0]); ) {
   try {
    if (!item.n) {
     if (item.control?.matches("[aria-disabled=true]")) throw { type: "action-disabled" };
     for (let field of fields) field.was = field.at();
    }
    for (let to = take(await put(item.batch || item)); !version || (newer(to, version) && !newer(version, to)); ) take(await ask("GET", "/changes"));
    n = 0;
    while (item.bases && composing?.isConnected) await sleep(99);
    item.bases?.forEach(rebase);
    end(item);
   } catch (bad) {
    let { status, type, expected } = bad;
    let { batch } = item;
    if (expected) (batch || item).n = number = expected;
    else if (/^0|401|429|50[234]|410|no-session/.test([status, type])) await suffer(bad, n++);
    else if (batch) for (let each of queue) each.batch === batch && (each.n = each.batch = 0);
    else if (bad) end(item, bad);
   }
  }
  pumping = 0;
 }

 function take(frame) {
  let { from, to = frame.version, patch = [], state = from === version && tree } = frame;
  try {
   if (state && newer(to, version, frame.held)) {
    tree = applyPatch(state, patch);
    version = to;
    tell("frame", frame);
   }
  } catch {
   version = "";
   restart();
  }
  render();
  return to;
 }

 function render() {
  if (!tree) return;
  for (let update of updates)
   try {
    update?.(true);
   } catch (bad) {
    reportError(bad);
   }
  settle();
 }

 function drop() {
  for (let item of queue) if (item.bases && !(item.n && url)) end(item, { type: "offline" });
 }

 function expire() {
  keep((version = ""));
  drop();
  flush();
  queue = [];
  number = 0;
  lost = true;
  for (let field of fields) {
   if (field.node.type === "password") field.engaged = false;
   else if (field.edited) field.shown = undefined;
  }
  settle();
  wake();
 }

 async function follow() {
  for (let n = 0; ; ) {
   if (document.hidden && version) await sleep(1e9);
   try {
    let frame = await ask(url ? "GET" : "POST", "/changes", url && state === "live");
    if (url) n = 0;
    else keep(frame.url);
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
  let next = /410|no-session/.test([status, type]) ? "expired" : /^4(?!29)/.test(status) ? "blocked" : navigator.onLine ? "retrying" : "offline";
  if (next === "blocked") tell("error", bad);
  if (next === "expired") expire();
  become(next);
  if (next === "offline" || n > 2) drop();
  await sleep(retryAfter + backoff(n, Math.random()));
 }

 async function ask(method, path, waits, { n, value } = {}, keepalive) {
  let asked = url;
  let held = version;
  let abort = new AbortController();
  setTimeout(() => abort.abort(), 40000);
  if (waits) poll = abort;
  let headers = waits ? { prefer: "wait=25" } : n && { "content-type": "application/json", "idempotency-key": name + n };
  let target = url ? url + path + (version && "?since=" + version) : "/sessions/" + model;
  let answer = { status: 0, retryAfter: 0 };
  try {
   let response = await fetch(target, { method, body: JSON.stringify(value), headers, keepalive, signal: abort.signal, cache: "no-store" });
   answer = { ...(response.status === 204 || (await response.json())), held, status: response.status, retryAfter: response.headers.get("retry-after") * 1000 };
  } catch {}
  if (asked !== url || (waits && !poll)) throw 0;
  if (!/^2/.test(answer.status)) throw answer;
  return answer;
 }

 function put(item, keepalive) {
  item.n ||= ++number;
  return ask(...item.what.split(" "), 0, item, keepalive);
 }

 scan(root, [[]], updates);
 let heard = {
  visibilitychange() {
   flush();
   render();
   if (document.hidden) setTimeout(restart, 5000);
   else wake();
  },
  resize: render,
  offline: restart,
  online: wake,
  scroll: render,
  compositionend: () => settle((composing = 0)),
  input: settle,
  compositionstart: ({ target }) => (composing = target),
  blur: settle,
  pagehide() {
   if (!url) return;
   pumping++;
   flush();
   let batch;
   for (let item of queue) {
    if (item.n || item.bases) batch = 0;
    else (item.n = item.batch = batch ||= { what: "POST /actions", value: [] }).value.push({ set: decodeURIComponent(item.what.slice(10)), value: item.value });
   }
   for (let item of new Set(queue.map((each) => each.batch || each))) put(item, true).catch(() => {});
   pumping--;
   pump();
  },
 };
 for (let name in heard) addEventListener(name, heard[name], true);
 settle();
 become("connecting");
 follow();
}

document.querySelectorAll("[data-vm-root]").forEach(mount);
