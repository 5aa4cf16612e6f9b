// SPDX-License-Identifier: MIT
// node client.mjs http://127.0.0.1:8080
const base = process.argv[2];
const name = crypto.randomUUID();
let number = 0;

const opened = await fetch(`${base}/sessions/follow`, { method: "POST" });
const cookie = opened.headers.get("set-cookie").split(";")[0];
let { url, version, state } = await opened.json();

// One: a version says what this client holds, and is part of all that it asks. A request without a whole answer is sent again.
async function ask(method, path, headers, body) {
  const options = { method, body: JSON.stringify(body), headers: { cookie, "content-type": "application/json", ...headers } };
  const sent = () => fetch(`${base}${url}${path}?since=${version}`, options).then(async (answer) => ({ ok: answer.ok, text: await answer.text() }));
  let answer;
  while (!(answer = await sent().catch(() => null))) await new Promise((done) => setTimeout(done, 1000));
  if (!answer.ok) throw Error(answer.text);
  if (answer.text) take(JSON.parse(answer.text));
}

// Two: all that comes down is a frame, which is taken only if it fits to that version.
function take({ from, to, patch, state: whole }) {
  if (whole) state = whole;
  else if (from === version) patch.forEach(apply);
  else return;
  version = to;
}

function apply({ op, path, from, value }) {
  if (op === "move") apply({ op: "remove", path: from }, (value = find(from)));
  const names = path.split("/");
  const [node, last] = [find(names.slice(0, -1).join("/")), decode(names.at(-1))];
  if (Array.isArray(node)) node.splice(last, op === "remove" || op === "replace" ? 1 : 0, ...(op === "remove" ? [] : [value]));
  else if (op === "remove") delete node[last];
  else node[last] = value;
}
const decode = (name) => name.replaceAll("~1", "/").replaceAll("~0", "~");
const find = (path) => path.split("/").slice(1).reduce((node, name) => node[decode(name)], state);

// A number makes an action happen once, however often it is sent.
const act = (method, path, value) => ask(method, path, { "idempotency-key": `${name}/${++number}` }, value);

// Three: the server keeps nothing for a reader, who asks again with what it holds, for as long as it likes.
const people = () => state.people.order.map((key) => state.people.items[key].name).join(", ");
console.log(people());
await act("POST", "/actions/suggest");
while (state.suggest.executing) await ask("GET", "/changes", { prefer: "wait=25" });
console.log(people());
