// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { fair, seen, test } from "./opened.mjs";
import { assertInStep, html, open } from "./login.mjs";

/** Has the server trim each user name. */
function trimming(server) {
  const { change } = server;
  server.change = function (session, act) {
    change.call(this, session, (model) => {
      act(model);
      model.username = model.username.trim();
    });
  };
}

test("an untouched empty field is not marked; an edited, a filled and a submitted one is", async () => {
  const it = await open();
  const marks = () => [it.username, it.password].map((field) => field.getAttribute("aria-invalid"));
  assert.deepEqual(marks(), ["false", "false"]);
  it.type(it.username, "m");
  await it.clock.run(500);
  assert.deepEqual(marks(), ["true", "false"]);
  it.submit(it.form);
  await it.clock.run(500);
  assert.deepEqual(marks(), ["true", "true"]);
  assert.equal(it.document.activeElement, it.username, "focus goes to the first invalid field");
  assert.equal(it.errors.at(-1).type, "action-disabled");
  assert.ok(!it.server.log.some(({ path }) => path.includes("/actions/")), "a disabled action is not sent");
});

test("Enter right after the last letter is not refused for a state that is out of date", async () => {
  const it = await open({ weather: { ...fair(), delay: [200, 300] }, settle: 2000 });
  it.type(it.username, "maruko");
  it.type(it.password, "123456");
  it.submit(it.form);
  it.submit(it.form);
  assert.equal(it.button.getAttribute("aria-busy"), "true");
  await it.clock.run(5000);
  assert.equal(it.find("#message").textContent, "登录成功(*^▽^*)");
  assert.equal(it.model().logins.length, 1, "a second Enter before the answer is not a second login");
});

test("M2: an answer that no longer fits counts only once the tree has reached its version: until then the field keeps the typed text", async () => {
  const it = await open({ weather: { ...fair(), delay: [100, 100] } });
  const { clock, server, username } = it;
  trimming(server);
  server.change(server.only(), (model) => (model.username = "old"));
  await clock.run(500);
  const frames = [];
  it.document.addEventListener("vm:frame", ({ detail: { from, to } }) => frames.push([from, to]));
  username.focus();
  username.select();
  it.type(username, " typed ");
  username.blur();
  await clock.run(50);
  server.change(server.only(), (model) => (model.password = "123456"));
  const shown = await seen(it, () => JSON.stringify([username.value, username.hasAttribute("data-vm-pending"), frames.length]), 1);
  assert.deepEqual(frames, [["e1.2", "e1.3"], ["e1.3", "e1.4"]], "the poll was first, and the answer from e1.2 to e1.4 did not fit");
  for (const [value, pending, taken] of shown.map((each) => JSON.parse(each))) {
    assert.equal(value, pending || taken < 2 ? " typed " : "typed");
    assert.ok(pending || taken === 2, "acknowledged before its version was reached");
  }
  assertInStep(it);
});

test("M3: a text that is typed after an action waits for its answer, and the action gets the text typed before it", async () => {
  const it = await open();
  it.type(it.username, "maruko");
  it.type(it.password, "123456");
  it.submit(it.form);
  it.type(it.username, "s");
  it.type(it.password, "7");
  await it.clock.run(2000);
  const writes = it.server.log.filter(({ method, path }) => method === "PUT" || path.includes("/actions/")).map(({ path, body }) => [path.split("/").pop(), body]);
  const before = [["username", '"maruko"'], ["password", '"123456"']];
  assert.deepEqual(writes, [...before, ["loginTouched", undefined], ["username", '"marukos"'], ["password", '"1234567"']]);
});

test("rule 4: an action does not release a field that was typed into after it: the server's form of that waits for blur", async () => {
  const it = await open({ weather: { ...fair(), delay: [100, 100] } });
  trimming(it.server);
  it.username.focus();
  it.type(it.username, "maruko");
  it.type(it.password, "123456");
  await it.clock.run(1000);
  it.submit(it.form);
  it.type(it.username, " ");
  await it.clock.run(3000);
  assert.equal(it.model().logins.length, 1);
  assert.deepEqual([it.username.value, it.model().username], ["maruko ", "maruko"]);
  it.username.blur();
  await it.clock.run(500);
  assertInStep(it);
});

test("a composed text is sent as it is typed, and nothing is written into its field until the composition ends", async () => {
  const it = await open();
  it.username.focus();
  it.fire(it.username, "compositionstart");
  for (const text of ["n", "ni", "nih", "niha"]) {
    it.username.value = text;
    it.fire(it.username, "input", { isComposing: true });
    it.server.change(it.server.only(), (model) => (model.username = "other " + text));
    await it.clock.run(300);
    assert.equal(it.username.value, text);
  }
  it.username.value = "你好";
  it.fire(it.username, "compositionend");
  await it.clock.run(500);
  assert.equal(it.model().username, "你好");
  assert.deepEqual(it.server.log.filter(({ method }) => method === "PUT").map(({ body }) => body), ['"n"', '"ni"', '"nih"', '"niha"', '"你好"']);
});

test("a caret in the middle stays in its place when another view changes the text", async () => {
  const it = await open();
  it.server.change(it.server.only(), (model) => (model.username = "hello world"));
  await it.clock.run(500);
  it.username.focus();
  it.username.setSelectionRange(5, 8);
  it.server.change(it.server.only(), (model) => (model.username = "oh, hello world"));
  await it.clock.run(500);
  assert.deepEqual([it.username.value, it.username.selectionStart, it.username.selectionEnd], ["oh, hello world", 9, 12]);
});

test("a text that was typed or filled in before the page was connected counts", async () => {
  const early = html.replace('id="username"', 'id="username" data-early');
  const it = await open({ markup: early, meet: ({ find }) => (find("#username").value = "early bird"), settle: 1000 });
  assert.equal(it.username.value, "early bird");
  assert.equal(it.model().username, "early bird");
  it.password.value = "autofilled";
  it.submit(it.form);
  await it.clock.run(1000);
  assert.equal(it.model().password, "autofilled", "a value that no event told of goes before the action");
  assert.equal(it.model().logins.length, 1);
});

test("a reload and a duplicated tab go on with the session", async () => {
  const it = await open();
  it.type(it.username, "maruko");
  await it.clock.run(500);
  const other = await open({ seed: 2, of: it.server, clock: it.clock, storage: new Map(it.storage) });
  assert.equal(other.username.value, "maruko");
  assert.equal(it.server.sessions.size, 1);
  other.type(other.password, "123456");
  await it.clock.run(500);
  assert.equal(it.find("button").getAttribute("aria-disabled"), "false", "two windows in step");
  assert.equal(it.password.value, "", "a secret is never shown");
});

test("M1: a state that is not newer than the one that is held is dropped, and another epoch's is taken", async () => {
  const it = await open();
  const { frame } = it.server;
  const old = structuredClone(it.server.only().history[0]);
  it.server.change(it.server.only(), (model) => (model.username = "newer"));
  await it.clock.run(500);
  let late = 3;
  it.server.frame = function (session, since) {
    return late-- > 0 ? { from: null, to: ["e1.1", "e1.2", "e1.0"][late], state: old } : frame.call(this, session, since);
  };
  it.server.change(it.server.only(), (model) => (model.username = "newest"));
  assert.deepEqual(await seen(it, () => it.username.value), ["newer", "newest"]);
  it.server.only().epoch = "e2";
  it.server.only().history.length = 1;
  it.server.change(it.server.only(), (model) => (model.username = "restored"));
  await it.clock.run(30000);
  assertInStep(it);
});

test("rule 5: a value that a field shows already is never assigned to it", async () => {
  const it = await open();
  const { get, set } = Object.getOwnPropertyDescriptor(it.window.HTMLInputElement.prototype, "value");
  const assigned = [];
  Object.defineProperty(it.username, "value", { get, set: (value) => assigned.push([get.call(it.username), value]) && set.call(it.username, value) });
  it.username.focus();
  for (const letter of "maruko") {
    set.call(it.username, get.call(it.username) + letter);
    it.fire(it.username, "input");
    await it.clock.run(100);
  }
  it.submit(it.form);
  it.username.blur();
  await it.clock.run(1000);
  assert.deepEqual(assigned, []);
  it.server.change(it.server.only(), (model) => (model.username = "other"));
  await it.clock.run(500);
  assert.deepEqual(assigned, [["maruko", "other"]]);
});

const refused = [
  ["a path that is not there", { op: "remove", path: "/nothing" }],
  ["an operation outside the protocol", { op: "test", path: "", value: { username: "wrong" } }],
  ["a pointer without a slash", { op: "replace", path: "username", value: { username: "wrong" } }],
  ["no value", { op: "add", path: "/username" }],
];
for (const [what, operation] of refused) {
  test(`M5: a patch with ${what} is refused whole: the state is asked for anew, once, and nothing of it is shown`, async () => {
    const it = await open();
    it.username.value = "held";
    it.fire(it.username, "input");
    await it.clock.run(500);
    const { frame } = it.server;
    const asked = [];
    it.server.frame = function (session, since) {
      const right = frame.call(this, session, since);
      asked.push(since);
      return asked.length > 1 ? right : { ...right, patch: [{ op: "replace", path: "/instruction", value: "wrong" }, operation] };
    };
    it.server.change(it.server.only(), (model) => (model.username = "changed"));
    const shown = await seen(it, () => `${it.username.value} ${it.find("#message").textContent}`);
    assert.deepEqual(asked.slice(1), [undefined], "the one that was refused, then one without a version");
    assert.equal(shown.length, 2, shown.join(" · "));
    assert.equal(it.username.value, "changed");
    assertInStep(it);
  });
}

test("debounce waits, blur sends, an action takes waiting edits along", async () => {
  const body = (debounce) => `<div data-vm-root="login"><input id="username" data-vm-bind="username" data-vm-debounce="${debounce}"><button data-vm-do="loginTouched"></button></div>`;
  const puts = (it) => it.server.log.filter(({ method }) => method === "PUT").length;
  const late = await open({ markup: body("300") });
  late.type(late.username, "a");
  await late.clock.run(250);
  late.type(late.username, "b");
  await late.clock.run(250);
  assert.equal(puts(late), 0);
  assert.ok(late.username.hasAttribute("data-vm-pending"));
  await late.clock.run(200);
  assert.equal(puts(late), 1);
  late.type(late.username, "c");
  late.fire(late.button, "click");
  await late.clock.run(100);
  assert.equal(late.model().username, "abc");
  late.close();
  const blurred = await open({ markup: body("blur") });
  blurred.username.focus();
  blurred.type(blurred.username, "a");
  await blurred.clock.run(5000);
  assert.equal(puts(blurred), 0);
  blurred.username.blur();
  await blurred.clock.run(500);
  assert.equal(puts(blurred), 1);
});
