// SPDX-License-Identifier: MIT
// The drawer of the wire: its parts that need no page.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { Contents } from "../../Client/wire/contents.js";
import { jarLines, line } from "../../Client/wire/curl.js";
import { format, parse } from "../../Client/wire/json.js";
import { HIDDEN, Secrets } from "../../Client/wire/secrets.js";
import { Source } from "../../Client/wire/source.js";
import { Traffic } from "../../Client/wire/traffic.js";
import { JSDOM } from "./world.mjs";

/** The secrets of a page with some fields. */
const secretsOf = (html = "") => new Secrets(new JSDOM(html).window.document);

const put = (path, value) => ({ method: "PUT", session: "/sessions/login/s1", path: `/state/${path}?since=e1.1`, sent: JSON.stringify(value) });

const post = (path, value) => ({ method: "POST", session: "/sessions/login/s1", path: `/actions${path}`, sent: JSON.stringify(value) });

test("the drawer's JSON is the same value in lines of at most 46 letters, but for single texts", () => {
  const frame = { from: "e1.1", to: "e1.2", patch: [{ op: "replace", path: "/instruction", value: "*The user name is missing" }, { op: "remove", path: "/a" }], result: null };
  const text = format(frame);
  assert.deepEqual(JSON.parse(text), frame);
  assert.ok(text.split("\n").every((line) => line.length <= 46), text);
  assert.ok(text.includes('    {"op":"remove","path":"/a"}\n'), text);
  assert.equal(format([]), "[]");
});

test("an answer that is no JSON is shown as its text", () => {
  assert.equal(parse("Bad Gateway"), "Bad Gateway");
});

test("a written text is hidden until the state has shown a text at its place", () => {
  const secrets = secretsOf();
  secrets.note({ state: { username: "", password: "" } });
  assert.equal(secrets.sent(put("username", "maruko")), HIDDEN);
  assert.equal(secrets.sent(put("password", "123456")), HIDDEN);
  secrets.note({ patch: [{ op: "replace", path: "/username", value: "maruko" }, { op: "remove", path: "/password" }] });
  assert.equal(secrets.sent(put("username", "maruko")), "maruko");
  assert.equal(secrets.sent(put("password", "123456")), HIDDEN);
});

test("a written number, truth, null and empty text are shown, as a secret is a text", () => {
  for (const value of [7, true, null, ""]) assert.equal(secretsOf().sent(put("value", value)), value);
});

test("a text in a batch is hidden by its own place", () => {
  const secrets = secretsOf();
  secrets.note({ state: { rows: { items: { "a/b": { name: "x" } } }, key: "" } });
  const batch = [{ set: "/rows/items/a~1b/name", value: "Anna" }, { set: "/key", value: "s3cret" }, { do: "/save" }];
  assert.deepEqual(secrets.sent(post("", batch)), [{ set: "/rows/items/a~1b/name", value: "Anna" }, { set: "/key", value: HIDDEN }, { do: "/save" }]);
});

test("a value that the state shows is hidden all the same where a password field is bound to it", () => {
  const secrets = secretsOf('<input type="password" data-vm-bind="pin"><input type="password" data-vm-field="code">');
  const state = { pin: "1234", code: { value: "5678", error: null }, name: "Anna" };
  secrets.note({ state });
  assert.equal(secrets.sent(put("pin", "1234")), HIDDEN);
  assert.deepEqual(secrets.shown(state), { pin: HIDDEN, code: { value: HIDDEN, error: null }, name: "Anna" });
  const answer = { from: "e1.1", to: "e1.2", patch: [{ op: "replace", path: "/pin", value: "1234" }, { op: "remove", path: "/x" }] };
  assert.deepEqual(secrets.received(answer).patch, [{ op: "replace", path: "/pin", value: HIDDEN }, { op: "remove", path: "/x" }]);
});

test("a password field that is bound from the state's root hides that place alone", () => {
  const secrets = secretsOf('<input type="password" data-vm-bind="/pin">');
  const item = { pin: "2", x: { pin: "3" } };
  assert.deepEqual(secrets.shown({ pin: "1", rows: { items: { a: item } } }), { pin: HIDDEN, rows: { items: { a: item } } });
});

test("a password field that is bound from the scope around its own hides the values there", () => {
  const secrets = secretsOf('<input type="password" data-vm-bind="../pin"><input type="password" data-vm-field="../../code">');
  const state = { pin: "1", code: { value: "2", error: "short" }, x: { pin: "3" } };
  assert.deepEqual(secrets.shown(state), { pin: HIDDEN, code: { value: HIDDEN, error: "short" }, x: { pin: "3" } });
});

test("a password field of a row hides the values of rows, and none of another object", () => {
  const secrets = secretsOf('<input type="password" data-vm-bind="pin">');
  const state = { rows: { order: ["a"], items: { a: { pin: "1", x: { pin: "2" } } } }, x: { pin: "3" } };
  assert.deepEqual(secrets.shown(state), { rows: { order: ["a"], items: { a: { pin: HIDDEN, x: { pin: "2" } } } }, x: { pin: "3" } });
});

test("a password field with a faulty path, or with none, hides nothing of the state", () => {
  const secrets = secretsOf('<input type="password" data-vm-bind="a//b"><input type="password">');
  assert.deepEqual(secrets.shown({ a: "1", value: "2" }), { a: "1", value: "2" });
});

test("an action's text is hidden unless the state has shown an equal one", () => {
  const secrets = secretsOf();
  secrets.note({ state: { name: "Anna" } });
  assert.deepEqual(secrets.sent(post("/enter", { name: "Anna", key: "s3cret", empty: "" })), { name: "Anna", key: HIDDEN, empty: "" });
});

test("an action's text stays hidden after the password field is emptied", () => {
  const { window } = new JSDOM('<input type="password" value="s3cret">');
  const secrets = new Secrets(window.document);
  assert.equal(secrets.sent(post("/enter", "s3cret")), HIDDEN);
  window.document.querySelector("input").value = "";
  assert.equal(secrets.sent(post("/enter", "s3cret")), HIDDEN);
});

test("an action's text stays hidden where the state has shown it for a password field alone", () => {
  const secrets = secretsOf('<input type="password" data-vm-bind="pin">');
  secrets.note({ state: { pin: "1234" } });
  assert.equal(secrets.sent(post("/enter", "1234")), HIDDEN);
});

test("an action's argument is hidden where it stands in a password field", () => {
  const secrets = secretsOf('<input type="password" value="s3cret">');
  secrets.note({ state: { name: "Anna", hint: "s3cret" } });
  assert.deepEqual(secrets.sent(post("/enter", { name: "Anna", words: ["s3cret"] })), { name: "Anna", words: [HIDDEN] });
  assert.deepEqual(secrets.sent(post("", [{ do: "/enter", value: "s3cret" }])), [{ do: "/enter", value: HIDDEN }]);
});

test("the token of an answer is hidden", () => {
  assert.deepEqual(secretsOf().received({ token: "euripus.x", from: "e1.1" }), { token: HIDDEN, from: "e1.1" });
});

test("a request without a body has no value", () => {
  assert.equal(secretsOf().sent({ method: "GET", session: "/sessions/login/s1", path: "/changes" }), undefined);
});

/** A `fetch` that is answered by hand, one request after the other. */
function byHand() {
  const asked = [];
  const window = { fetch: (target, init) => new Promise((answer, fail) => asked.push({ target, init, answer, fail })) };
  const traffic = new Traffic(window);
  const told = [];
  traffic.addEventListener("exchange", ({ detail }) => told.push({ ...detail }));
  /** Ends at the next event. */
  const next = () => new Promise((done) => traffic.addEventListener("exchange", done, { once: true }));
  return { asked, window, traffic, told, next };
}

test("the page gets the very answer, and the traffic has its text too", async () => {
  const { asked, window, traffic, told, next } = byHand();
  const got = window.fetch("/sessions/login/s1/state/name?since=e1.1", { method: "PUT", body: '"Anna"' });
  assert.equal(told.length, 1);
  assert.deepEqual([told[0].method, told[0].session, told[0].path, told[0].sent, told[0].status], ["PUT", "/sessions/login/s1", "/state/name?since=e1.1", '"Anna"', undefined]);
  const response = new Response('{"to":"e1.2"}', { status: 200 });
  const ended = next();
  asked[0].answer(response);
  assert.equal(await got, response);
  assert.deepEqual(await response.json(), { to: "e1.2" });
  await ended;
  const [{ status, received, milliseconds }] = traffic.exchanges;
  assert.deepEqual([status, received], [200, '{"to":"e1.2"}']);
  assert.ok(milliseconds >= 0);
});

test("a request without an answer fails for the page as before, and has the status 0", async () => {
  const { asked, window, traffic, next } = byHand();
  const got = window.fetch("/sessions/login", { method: "POST" });
  const ended = next();
  asked[0].fail(new TypeError("network"));
  await assert.rejects(got, { message: "network" });
  await ended;
  assert.equal(traffic.exchanges[0].status, 0);
});

test("requests outside of sessions are none of the wire's", () => {
  const { asked, window, traffic } = byHand();
  window.fetch("/surfaces/login.txt");
  window.fetch("https://example.org/sessions/login/s1");
  assert.deepEqual([asked.length, traffic.exchanges], [2, []]);
});

test("the newest 60 exchanges are kept, and none once they are forgotten", () => {
  const { window, traffic } = byHand();
  for (let n = 1; n <= 61; n++) window.fetch(`/sessions/login/s${n}`);
  assert.deepEqual([traffic.exchanges.length, traffic.exchanges[0].session], [60, "/sessions/login/s2"]);
  traffic.forget();
  assert.deepEqual(traffic.exchanges, []);
});

/** The words of a line, as a shell reads them. */
const words = (line) => execFileSync("sh", ["-c", `curl() { printf '%s\\n' "$@"; }; ${line}`], { encoding: "utf8" }).trimEnd().split("\n");

test("a shell reads a line of curl as the request that it was, without the version", () => {
  const exchange = put("name", "it's");
  const url = "http://127.0.0.1:8080/sessions/login/s1/state/name";
  assert.deepEqual(words(line("http://127.0.0.1:8080", exchange, "it's")), ["-sb", "jar", "-X", "PUT", "--json", '"it\'s"', url]);
  const [get, send, press] = [["GET", ""], ["POST", "/actions", []], ["POST", "/actions/add"]];
  const of = ([method, path, value]) => words(line("http://h", { method, session: "/sessions/a/b", path }, value)).slice(2);
  assert.deepEqual(of(get), ["http://h/sessions/a/b"]);
  assert.deepEqual(of(send), ["--json", "[]", "http://h/sessions/a/b/actions"]);
  assert.deepEqual(of(press), ["-X", "POST", "http://h/sessions/a/b/actions/add"]);
});

test("the jar has the cookie of the scheme and the port, and the page knows no key", () => {
  const plain = jarLines({ protocol: "http:", hostname: "127.0.0.1", port: "8080" }).join("\n");
  assert.match(plain, /printf '127\.0\.0\.1\\tFALSE\\t\/\\tFALSE\\t0\\teuripus-8080\\t%s\\n' "\$KEY" > jar$/);
  assert.match(jarLines({ protocol: "http:", hostname: "h", port: "" }).join("\n"), /euripus-80\\t/);
  assert.match(jarLines({ protocol: "https:", hostname: "h", port: "" }).join("\n"), /TRUE\\t0\\t__Host-euripus\\t/);
});

test("a line of curl with a hidden text is a comment, which a shell does not run", () => {
  const enter = line("http://h", post("/enter"), { words: [HIDDEN] });
  assert.equal(enter, `# curl -sb jar --json '{"words":["${HIDDEN}"]}' 'http://h/sessions/login/s1/actions/enter'`);
  assert.equal(execFileSync("sh", ["-c", `curl() { echo ran; }; ${enter}`], { encoding: "utf8" }), "");
});

/**
 * Gives the drawer's modules a page for the time of a test. Answers its document.
 * @param {import("node:test").TestContext} t
 * @param {string} html
 */
function pageOf(t, html = "") {
  const { window } = new JSDOM(html, { url: "http://127.0.0.1:8080/page.html" });
  const { document, location, navigator } = window;
  for (const [name, value] of Object.entries({ document, location, navigator })) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { value, configurable: true });
    t.after(() => (before ? Object.defineProperty(globalThis, name, before) : delete globalThis[name]));
  }
  return document;
}

/** The drawer's contents on a page with one root, whose state is `page.state`, and the traffic that they show. */
function contentsOf(t, html, state) {
  pageOf(t, `<main data-vm-root="login">${html}</main>`);
  const page = { state };
  const traffic = new Traffic({ fetch: () => new Promise(() => {}) });
  const contents = new Contents(traffic, () => page.state, "");
  contents.begin();
  const come = (exchange) => {
    traffic.exchanges = [...traffic.exchanges, exchange];
    traffic.dispatchEvent(new CustomEvent("exchange", { detail: exchange }));
  };
  return { page, contents, come };
}

const answered = (exchange, answer) => ({ ...exchange, status: 200, milliseconds: 1, received: JSON.stringify(answer) });

test("a drawer that is opened after the password field was emptied does not show the password", (t) => {
  const { contents, come } = contentsOf(t, '<input type="password" value="s3cret">', { name: "Anna" });
  come(answered(post("/enter", { key: "s3cret" }), { to: "e1.2" }));
  document.querySelector("input").value = "";
  contents.see(true);
  assert.match(contents.element.textContent, /"key":"•••"/);
  assert.doesNotMatch(contents.element.textContent, /s3cret/);
});

test("a sign-out takes the user's data out of a drawer that was opened and closed", (t) => {
  const { page, contents, come } = contentsOf(t, "", { note: "for me alone" });
  contents.see(true);
  assert.match(contents.element.textContent, /for me alone/);
  contents.see(false);
  page.state = undefined;
  come({ method: "GET", session: "/sessions/login/s1", path: "", status: 401 });
  assert.doesNotMatch(contents.element.textContent, /for me alone/);
});

test("an exchange with a hidden text keeps its elements until its text is another one", (t) => {
  const { contents, come } = contentsOf(t, "", { name: "" });
  contents.see(true);
  come(answered(put("name", "Anna"), { to: "e1.2" }));
  const line = contents.element.querySelector(".exchanges .line");
  come(answered(put("other", 7), { to: "e1.3" }));
  assert.equal(contents.element.querySelector(".exchanges .line"), line);
  const patch = [{ op: "replace", path: "/name", value: "Anna" }];
  document.dispatchEvent(new document.defaultView.CustomEvent("vm:frame", { detail: { to: "e1.4", patch } }));
  assert.match(contents.element.querySelector(".exchanges pre").textContent, /"Anna"/);
});

/** A source whose requests are answered by these, one after the other. */
function sourceOf(t, ...answers) {
  pageOf(t);
  t.mock.method(globalThis, "fetch", async () => {
    const answer = answers.shift();
    if (!answer) throw new TypeError("network");
    return answer;
  });
  return new Source("surfaces/login.txt");
}

test("lines of Swift that do not come are asked for again at the next opening", async (t) => {
  const source = sourceOf(t, undefined, new Response("", { status: 503 }), new Response("let a\nlet b\n"));
  for (const expected of [/did not come/, /did not come/, /^let a\nlet b\n$/]) {
    await source.load();
    assert.match(source.element.textContent, expected);
  }
});

test("lines of Swift that have come are not asked for again", async (t) => {
  const source = sourceOf(t, new Response("let a"));
  await source.load();
  await source.load();
  assert.equal(globalThis.fetch.mock.callCount(), 1);
});

test("a text that the state showed before a sign-out does not show the same text of an action afterwards", () => {
  const secrets = secretsOf();
  const entered = { path: "/actions/enter", sent: '"hunter22"' };
  secrets.note({ state: { word: "hunter22" } });
  assert.equal(secrets.sent(entered), "hunter22");
  secrets.forget();
  assert.equal(secrets.sent(entered), HIDDEN);
});
