// SPDX-License-Identifier: MIT
// Files against a server that loses answers.
import assert from "node:assert/strict";
import test from "node:test";
import { open } from "./client.js";
import { download, upload } from "./files.js";

const OPENED = { url: "/sessions/m/i", token: "t", version: "e.1", state: {} };

/** A session that takes one file. The answers to some of its requests are lost, by the requests' numbers. */
async function spool(...lost) {
  const here = { asked: [], bytes: Buffer.alloc(0), complete: "?0", fields: undefined, answerTo };
  async function answerTo(method, path, { headers, body }) {
    if (path === "/sessions/m") return new Response(JSON.stringify(OPENED), { status: 201 });
    if (path.endsWith("/changes")) return new Response(null, { status: 204 });
    assert.equal(headers.authorization, "Bearer t");
    if (method === "PUT") here.fields = headers;
    if (method === "PATCH") {
      if (Number(headers["upload-offset"]) !== here.bytes.length || here.complete === "?1") return new Response('{"type":"/problems/upload-offset"}', { status: 409 });
      here.bytes = Buffer.concat([here.bytes, Buffer.from(body)]);
      here.complete = headers["upload-complete"];
    }
    return new Response(null, { headers: { "upload-offset": String(here.bytes.length), "upload-complete": here.complete } });
  }
  const fetch = async (url, request) => {
    const path = new URL(url).pathname;
    here.asked.push(`${request.method} ${path}`);
    const number = here.asked.length;
    const answer = await here.answerTo(request.method, path, request);
    if (lost.includes(number)) throw TypeError("lost");
    return answer;
  };
  here.session = await open("http://h", "m", { fetch, pause: async () => {} });
  return here;
}

const data = Buffer.alloc(2_500_000, "0123456789abcdef");
const photo = new Blob([data], { type: "image/png" });

test("a file is sent in parts, once, whichever answer is lost", async () => {
  const whole = await spool();
  await upload(whole.session, "photos", photo, { name: "Möwe's.png" });
  for (let lost = 2; lost <= whole.asked.length; lost++) {
    const here = await spool(lost);
    const key = await upload(here.session, "photos", photo);
    assert.ok(here.bytes.equals(data));
    assert.deepEqual([here.complete, here.asked[1]], ["?1", `PUT /sessions/m/i/uploads/photos/${key}`]);
  }
  assert.equal(whole.fields["content-disposition"], "attachment; filename*=UTF-8''M%C3%B6we%27s.png");
  assert.deepEqual([whole.fields["upload-length"], whole.fields["content-type"]], ["2500000", "image/png"]);
  assert.equal(whole.asked.at(-1), "GET /sessions/m/i/changes");
});

for (const told of [204, 410]) {
  test(`a file goes to a store of the app's, which gets no token, and the server, which answers ${told}, is told`, async (context) => {
    const here = await spool();
    here.answerTo = async (method, path, { headers }) => {
      if (method === "PUT") return new Response(JSON.stringify({ url: "http://store/a?signed", fields: { "content-type": "image/png" } }));
      if (method === "PATCH") here.fields = headers;
      return new Response(method === "PATCH" && told === 410 ? "{}" : null, { status: method === "PATCH" ? told : 204 });
    };
    const stored = context.mock.method(globalThis, "fetch", async () => new Response(null)).mock;
    await upload(here.session, "photos", photo);
    const [url, { method, headers, body }] = stored.calls[0].arguments;
    assert.deepEqual([url, method, headers, body], ["http://store/a?signed", "PUT", { "content-type": "image/png" }, photo]);
    assert.deepEqual([here.fields["upload-offset"], here.fields["upload-complete"], stored.callCount()], ["2500000", "?1", 1]);
    stored.mockImplementation(async () => new Response(null, { status: 403 }));
    await assert.rejects(upload(here.session, "photos", photo), { status: 403 });
  });
}

test("an empty file is complete too", async () => {
  const here = await spool();
  await upload(here.session, "papers", new Blob([]), { name: "nothing.txt", type: "text/plain" });
  assert.deepEqual([here.bytes.length, here.complete], [0, "?1"]);
});

test("a file that an action has taken before the answer came is sent", async () => {
  const here = await spool(3);
  const { answerTo } = here;
  here.answerTo = async (method, ...rest) => (method === "HEAD" ? new Response(null, { status: 410 }) : answerTo(method, ...rest));
  await upload(here.session, "papers", new Blob(["abc"]), { name: "a.txt", type: "text/plain" });
  assert.deepEqual([String(here.bytes), here.complete], ["abc", "?1"]);
});

test("a refusal of a file is thrown", async () => {
  const here = await spool();
  here.answerTo = async () => new Response('{"type":"/problems/wrong-file-type"}', { status: 415 });
  await assert.rejects(upload(here.session, "photos", photo), { kind: "wrong-file-type", status: 415 });
});

test("an offered file is fetched until it has come", async () => {
  const here = await spool();
  const answers = [new Response("", { status: 503, headers: { "retry-after": "1" } }), undefined, new Response("a,b")];
  here.answerTo = async () => answers.shift() ?? Promise.reject(TypeError("lost"));
  assert.equal(await (await download(here.session, "/sessions/m/i/downloads/k")).text(), "a,b");
  assert.deepEqual(here.asked.slice(1), Array(3).fill("GET /sessions/m/i/downloads/k"));
});
