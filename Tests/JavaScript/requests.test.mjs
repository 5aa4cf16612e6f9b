// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { answering, deciding, seen, test } from "./opened.mjs";
import { assertInStep, open, state } from "./login.mjs";
import { openPeople } from "./people.mjs";

test("an edit that failed is sent again under its number and as it was, for it may have arrived; the text typed meanwhile is the next one", async () => {
  const it = await open();
  it.weather.busy = 1;
  it.type(it.username, "m");
  it.type(it.username, "a");
  await it.clock.run(90);
  it.type(it.username, "r");
  it.type(it.username, "u");
  it.weather.busy = 0;
  await it.clock.run(60000);
  assert.deepEqual(it.server.applied.map(({ body }) => body), ['"m"', '"maru"']);
  assertInStep(it);
});

const lateAnswers = async (it, lost) => {
  const { handle } = it.server;
  it.server.handle = function (method, address, headers, body, answer) {
    handle.call(this, method, address, headers, body, (...result) => {
      it.weather.lose = address.includes(lost) ? 1 : 0;
      answer(...result);
      it.weather.lose = 0;
    });
  };
  await it.clock.run(2000);
  it.server.handle = handle;
};

test("an action with a lost answer is sent again under its number until it is answered, and performed once", async () => {
  const it = await open();
  it.type(it.username, "maruko");
  it.type(it.password, "123456");
  await it.clock.run(500);
  it.submit(it.form);
  await lateAnswers(it, "/actions/");
  assert.equal(it.button.getAttribute("aria-busy"), "true", "busy for as long as it is not answered");
  await it.clock.run(60000);
  assert.equal(it.model().logins.length, 1);
  assert.ok(it.server.log.filter(({ path }) => path.includes("/actions/")).length > 1);
  assert.deepEqual(it.errors, []);
  assert.equal(it.find("#message").textContent, "登录成功(*^▽^*)", "the state tells");
  assertInStep(it);
});

test("an edit with a lost answer does not come back over another view's later text", async () => {
  const it = await open();
  it.type(it.username, "mine");
  await lateAnswers(it, "/state/");
  it.server.change(it.server.only(), (model) => (model.username = "theirs"));
  await it.clock.run(60000);
  assert.equal(it.model().username, "theirs");
});

test("an answer from an epoch that the page has left shows nothing any more, however late it comes", async () => {
  const it = await open();
  const { handle } = it.server;
  let arrive;
  it.server.handle = function (method, address, headers, body, answer) {
    if (!address.includes("/state/")) return handle.call(this, method, address, headers, body, answer);
    handle.call(this, method, address, headers, body, (status, frame) => {
      const old = { from: null, to: frame.to, state: it.server.only().history.at(-1), result: null };
      arrive = () => answer(status, old);
    });
  };
  it.type(it.username, "maruko");
  await it.clock.run(500);
  it.server.revive();
  it.server.change(it.server.only(), (model) => (model.username = "abc"));
  await it.clock.run(500);
  arrive();
  assert.deepEqual(await seen(it, () => it.find("#message").textContent), ["*用户名必须超过6个字符"]);
});

test("a request that the server did not decide about leaves its number free, and the next one takes it", async () => {
  const it = await open();
  deciding(it, (model, method, names, value) => (value === "too large" ? { refused: 413 } : undefined));
  it.username.focus();
  it.type(it.username, "too large");
  await it.clock.run(500);
  it.type(it.username, "!");
  it.type(it.password, "123456");
  await it.clock.run(5000);
  assert.deepEqual(it.errors.map(({ status }) => status), [413]);
  assert.deepEqual(it.server.applied.map(({ body }) => body), ['"too large!"', '"123456"']);
  assertInStep(it);
});

test("a session that has forgotten its names takes the next request as the first of one", async () => {
  const it = await open();
  it.type(it.username, "maru");
  await it.clock.run(500);
  it.server.only().names.clear();
  it.type(it.username, "k");
  it.type(it.username, "o");
  await it.clock.run(5000);
  assert.equal(it.model().username, "maruko");
  assert.deepEqual(it.errors, []);
  assertInStep(it);
});

test("without a connection an action is refused, never queued", async () => {
  const it = await open();
  it.connect(false);
  await it.clock.run(1000);
  assert.equal(state(it.document), "offline");
  assert.match(it.find("[data-vm-status]").textContent, /offline/);
  it.type(it.username, "maruko");
  it.submit(it.form);
  assert.equal(it.errors.at(-1).type, "offline");
  assert.equal(it.button.getAttribute("aria-busy"), null);
  await it.clock.run(60);
  it.connect(true);
  await it.clock.run(100);
  assert.equal(it.model().username, "maruko", "being online again is retried at once");
  await it.clock.run(30000);
  assert.equal(it.model().logins.length, 0);
  assertInStep(it);
});

test("a browser that keeps no cookie opens new sessions ever more slowly", async () => {
  const it = await open();
  answering(it, "/changes", () => [404, { type: "/problems/no-session", title: "No such session", status: 404 }]);
  await it.clock.run(60000);
  assert.ok(it.server.sessions.size < 20, `${it.server.sessions.size} sessions in a minute`);
});

test("an answer without a state that is of another epoch is acknowledged only once that epoch's state is there", async () => {
  const it = await openPeople('<input data-vm-bind="heading">');
  const { handle } = it.server;
  // The server was started again since it decided the request, and has decided others. So its answer has no frame,
  // only a version.
  it.server.handle = function (method, address, headers, body, answer) {
    if (!address.includes("/state/")) return handle.call(this, method, address, headers, body, answer);
    handle.call(this, method, address, headers, body, () => {});
    const session = this.only();
    session.epoch += "r";
    answer(200, { replayed: true, version: `${session.epoch}.${session.history.length}` });
  };
  const field = it.find("input");
  field.focus();
  it.type(field, "!");
  field.blur();
  assert.deepEqual([await seen(it, () => field.value), it.model().heading], [["People!"], "People!"]);
});
