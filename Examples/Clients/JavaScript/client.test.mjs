// SPDX-License-Identifier: MIT
// The client against a server that answers by a script.
import assert from "node:assert/strict";
import test from "node:test";
import { Problem, open, step } from "./client.js";
import { apply } from "./patch.js";

const OPENED = {
  url: "/sessions/m/i", token: "t", version: "e.1", state: { n: 1, rows: { order: ["a"], items: { a: { "x/~": 0 } } } },
};
const frame = (from, to, patch = [], more = {}) => [200, { from, to, patch, ...more }];
const problem = (status, kind, more = {}, headers = {}) => [status, { type: `/problems/${kind}`, ...more }, headers];

/** A session with its requests and its waits. `null` in the script is an answer that is lost. */
async function scripted(...script) {
  const [asked, waits] = [[], []];
  const lines = [[201, OPENED], ...script];
  const fetch = async (url, { method, headers, body, signal }) => {
    asked.push({ target: `${method} ${new URL(url).pathname}${new URL(url).search}`, headers, body });
    signal.throwIfAborted();
    const line = lines.shift();
    if (!line) throw TypeError("lost");
    const [status, json, fields] = line;
    return new Response(typeof json === "string" ? json : json && JSON.stringify(json), { status, headers: fields });
  };
  const session = await open("http://h/", "m", { fetch, pause: async (ms) => waits.push(ms) });
  const keys = () => asked.map(({ headers }) => headers["idempotency-key"]?.split("/").at(-1)).filter(Boolean);
  return { session, asked, waits, keys };
}

test("a client opens with a token, and holds the state", async () => {
  const { session, asked } = await scripted();
  assert.deepEqual(session.state, OPENED.state);
  assert.deepEqual([asked[0].target, asked[0].body], ["POST /sessions/m", '{"auth":"bearer"}']);
});

test("a value is written only if it was not changed since a version", async () => {
  const { session, asked, keys } = await scripted(problem(412, "value-changed", { value: "Bob's" }), frame("e.1", "e.2"));
  await assert.rejects(session.set("title", "Anna's", { since: "e.1" }), { kind: "value-changed", value: "Bob's" });
  await session.set("title", "Anna's");
  assert.deepEqual(asked.map(({ headers }) => headers["if-match"]), [undefined, '"e.1"', undefined]);
  assert.deepEqual(keys(), ["1", "2"]);
});

test("patches have four operations, and change nothing in place", () => {
  const patch = [
    { op: "replace", path: "/n", value: 2 }, { op: "add", path: "/rows/items/b", value: {} },
    { op: "add", path: "/rows/order/0", value: "b" }, { op: "move", from: "/rows/order/0", path: "/rows/order/1" },
    { op: "replace", path: "/rows/items/a/x~1~0", value: null }, { op: "remove", path: "/rows/items/b" },
    { op: "remove", path: "/rows/order/1" },
  ];
  const before = structuredClone(OPENED.state);
  assert.deepEqual(patch.reduce(apply, before), { n: 2, rows: { order: ["a"], items: { a: { "x/~": null } } } });
  assert.deepEqual(before, OPENED.state);
  assert.equal(apply(before, patch[0]).rows, before.rows);
});

test("a change is sent with the same number until it has an answer, and the next one with the next", async () => {
  const { session, waits, keys } = await scripted(
    null, problem(429, "too-many-requests", {}, { "retry-after": "3" }), frame("e.1", "e.2", [], { result: 7 }), frame("e.2", "e.3"));
  assert.equal(await session.perform("add"), 7);
  await session.set("n", 1);
  assert.deepEqual(keys(), ["1", "1", "1", "2"]);
  assert.deepEqual(waits, [1000, 3000]);
});

test("a proxy that got no answer, or says something by itself, has decided nothing; a page that it refuses with is a problem", async () => {
  const page = (status, fields) => [status, "<html>", fields];
  const { session, waits, keys } = await scripted(
    page(502), page(503, { "retry-after": "Wed, 25 Nov 2026 07:28:00 GMT" }), page(200), problem(504, "overloaded"), frame("e.1", "e.2"), page(403));
  await session.perform("add");
  assert.deepEqual([keys(), waits], [["1", "1", "1", "1", "1"], [1000, 2000, 4000, 8000]]);
  await assert.rejects(session.perform("add"), { status: 403, kind: "" });
});

test("a refusal uses up its number where it is a decision or the number is another request's, and nowhere else", async () => {
  const { session, keys } = await scripted(
    problem(409, "action-disabled"), problem(422, "key-reused"), problem(413, "body-too-large"), frame("e.1", "e.2"));
  const refused = await session.perform("add").catch((error) => error);
  assert.ok(refused instanceof Problem);
  assert.deepEqual([refused.kind, refused.status], ["action-disabled", 409]);
  for (const kind of ["key-reused", "body-too-large"]) await assert.rejects(session.perform("add"), { kind });
  await session.perform("add");
  assert.deepEqual(keys(), ["1", "2", "3", "3"]);
});

test("a client goes on with the number that the server expects", async () => {
  const { session, keys } = await scripted(problem(409, "out-of-order", { expected: 5 }), frame("e.1", "e.2"), frame("e.2", "e.3"));
  await session.perform("add");
  await session.perform("add");
  assert.deepEqual(keys(), ["1", "5", "6"]);
});

test("a frame that does not fit is dropped, and asked for before a change counts as seen", async () => {
  const { session, asked } = await scripted(
    frame("e.7", "e.8", [{ op: "replace", path: "/n", value: 8 }]), [200, { from: "e.1", to: "e.8", state: { n: 9 } }]);
  await session.perform("add");
  assert.deepEqual(session.state, { n: 9 });
  assert.equal(asked.at(-1).target, "GET /sessions/m/i/changes?since=e.1");
});

test("the state of another epoch is taken, and nothing of one that was left", async () => {
  const { session } = await scripted([200, { from: null, to: "f.1", state: { n: 2 } }], [200, { from: null, to: "f.1", state: { n: 3 } }]);
  assert.deepEqual(await session.next(), { n: 2 });
  assert.deepEqual(await session.next(), { n: 2 });
});

test("an answer to a request of an epoch that was left is dropped", async () => {
  let answerLate;
  const late = new Promise((resolve) => (answerLate = resolve));
  const fetch = async (url) => {
    if (url.includes("/changes")) return new Response(JSON.stringify({ from: null, to: "f.1", state: { n: 2 } }));
    const [status, json] = url.includes("/actions/") ? await late : [201, OPENED];
    return new Response(JSON.stringify(json), { status });
  };
  const session = await open("http://h", "m", { fetch });
  const change = session.perform("add");
  // The change is sent once the event loop has come round.
  await new Promise(setImmediate);
  await session.next();
  answerLate([200, { from: "e.1", to: "e.2", state: { n: 1 } }]);
  await change;
  assert.deepEqual([session.state, session.version], [{ n: 2 }, "f.1"]);
});

test("a request was done whose answer is no longer known", async () => {
  const { session } = await scripted([200, { replayed: true, version: "e.2" }], frame("e.1", "e.2"));
  assert.equal(await session.perform("add"), null);
  assert.equal(session.version, "e.2");
});

test("changes go one after the other, in their order", async () => {
  const { session, asked, keys } = await scripted(frame("e.1", "e.2"), problem(422, "invalid-action"), frame("e.2", "e.3"));
  const changes = [session.set("n", 1), session.set("n", "x"), session.perform("a")];
  assert.deepEqual((await Promise.allSettled(changes)).map(({ status }) => status), ["fulfilled", "rejected", "fulfilled"]);
  assert.deepEqual(asked.slice(1).map(({ body }) => body), ["1", '"x"', undefined]);
  assert.deepEqual(keys(), ["1", "2", "3"]);
});

test("a sign-in brings a new key, which the next request has", async () => {
  const { session, asked } = await scripted(frame("e.1", "e.2", [], { token: "u" }), [204]);
  await session.perform("signIn");
  await session.next();
  assert.deepEqual(asked.map(({ headers }) => headers.authorization), [undefined, "Bearer t", "Bearer u"]);
});

test("following tells of each state, until it is told to end", async () => {
  const { session } = await scripted(frame("e.1", "e.2", [{ op: "replace", path: "/n", value: 2 }]), [204, null, { "retry-after": "2" }]);
  const [end, seen] = [new AbortController(), []];
  await session.follow((state) => seen.push(state.n) === 2 && end.abort(), end.signal);
  assert.deepEqual(seen, [1, 2]);
});

test("a session that is gone is thrown, also of following", async () => {
  const { session } = await scripted(problem(410, "session-closed"));
  await assert.rejects(session.follow(() => {}), { kind: "session-closed" });
});

test("a key is a step of a path whatever is in it", () => assert.equal(step("a/b~ ü"), "a~1b~0%20%C3%BC"));
