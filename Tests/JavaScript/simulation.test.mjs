// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { seeded } from "./random.mjs";
import { start } from "./start.mjs";
import { Clock, Server, login, network, page } from "./world.mjs";

const html = readFileSync(new URL("../../Public/login.html", import.meta.url), "utf8");
const fair = () => ({ delay: [5, 40], lose: 0, busy: 0, down: false });

async function open({ seed = 1, weather = fair(), markup = html, storage, server, clock } = {}) {
  const dice = seeded(seed);
  clock ??= new Clock();
  server ??= new Server(clock);
  const view = page(markup, { clock, dice, storage, fetch: network(server, clock, dice, weather) });
  start(view.world);
  return { dice, clock, server, weather, ...view, username: view.find("#username"), password: view.find("#password"), form: view.find("form"), button: view.find("button") };
}

const state = (document) => document.documentElement.dataset.vm;

/** At rest the page shows what the server says. */
function assertInStep({ server, document, username, find, button }, note) {
  const { model, history } = server.only();
  const now = history.at(-1);
  assert.equal(state(document), "live", note);
  assert.equal(username.value, model.username, note);
  assert.equal(find("#message").textContent, now.instruction, note);
  assert.equal(button.getAttribute("aria-disabled"), String(!now.loginEnabled), note);
  assert.equal(document.querySelectorAll("form [data-vm-pending], [aria-busy]").length, 0, note);
}

for (const [name, seeds, conditions] of [
  ["slow", 60, { delay: [50, 600], lose: 0, busy: 0, down: false }],
  ["bad", 140, { delay: [5, 300], lose: 0.15, busy: 0.1, down: false }],
]) {
  test(`over a ${name} network, ${seeds} people type at random: no keystroke is lost, a login acts on what was there at its tap, and the page is in step at rest`, async () => {
    for (let seed = 1; seed <= seeds; seed++) {
      const it = await open({ seed, weather: { ...conditions } });
      const { dice, clock, server } = it;
      const mine = new Map([[it.username, ""], [it.password, ""]]);
      const tapped = [];
      const note = () => `seed ${seed}, ${clock.now} ms`;
      for (let step = 0; step < 40; step++) {
        await clock.run(dice.below(dice.chance(0.1) ? 3000 : 250));
        for (const [field, text] of mine) assert.equal(field.value, text, `${note()}: what was typed has changed`);
        const field = dice.pick([it.username, it.username, it.password]);
        field.focus();
        const at = dice.chance(0.7) ? field.value.length : dice.below(field.value.length + 1);
        field.setSelectionRange(at, dice.chance(0.1) ? field.value.length : at);
        if (dice.chance(0.15)) {
          tapped.push([...mine.values()].join("\n"));
          it.submit(it.form);
        } else it.type(field, dice.pick(["a", "b", "字", "🙂", "xyz"]));
        mine.set(field, field.value);
        if (dice.chance(0.1)) field.blur();
      }
      Object.assign(it.weather, fair());
      await clock.run(120000);
      it.username.blur();
      it.password.blur();
      await clock.run(1000);
      for (const [field, text] of mine) assert.equal(field.value, text, `${note()}: a keystroke is gone from the page`);
      const { model } = server.only();
      assert.deepEqual([model.username, model.password], [...mine.values()], `${note()}: a keystroke never arrived`);
      for (const login of model.logins) {
        const tap = tapped.indexOf(login);
        assert.ok(tap >= 0, `${note()}: no tap, or no further one, meant the login of ${login}`);
        tapped.splice(0, tap + 1);
      }
      assertInStep(it, note());
      it.close();
    }
  });
}

test("60 times, what another view writes arrives at rest, and never in the middle of what a person types", async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const it = await open({ seed, weather: { delay: [5, 200], lose: 0.05, busy: 0.05, down: false } });
    const { dice, clock, server } = it;
    await clock.run(10000);
    const session = server.only();
    it.username.focus();
    let mine = "";
    for (let step = 0; step < 25; step++) {
      await clock.run(dice.below(400));
      if (mine) assert.equal(it.username.value, mine, `seed ${seed}`);
      if (dice.chance(0.3)) server.change(session, (model) => (model.username = `other ${step}`));
      else {
        it.type(it.username, dice.pick(["a", "字"]));
        mine = it.username.value;
      }
      if (dice.chance(0.1)) server.change(session, (model) => (model.password = dice.pick(["", "123456"])));
    }
    Object.assign(it.weather, fair());
    await clock.run(60000);
    it.username.blur();
    await clock.run(1000);
    assertInStep(it, `seed ${seed}`);
    it.close();
  }
});

test("20 times, a server that forgot everything gets the user name again, and the password is cleared", async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const it = await open({ seed });
    const { dice, clock, server, weather } = it;
    await clock.run(500);
    it.username.focus();
    it.type(it.username, "maruko");
    await clock.run(dice.below(200));
    it.password.focus();
    it.type(it.password, "123456");
    await clock.run(dice.below(500));
    weather.down = true;
    server.restart();
    it.username.focus();
    it.username.setSelectionRange(6, 6);
    it.type(it.username, "-chan");
    await clock.run(dice.below(20000));
    assert.match(state(it.document), /retrying|live/, `seed ${seed}`);
    weather.down = false;
    await clock.run(60000);
    assert.equal(it.username.value, "maruko-chan", `seed ${seed}`);
    assert.equal(it.password.value, "", `seed ${seed}`);
    assert.equal(server.only().model.password, "", `seed ${seed}`);
    assert.match(it.find("[data-vm-status]").textContent, /type your password again/);
    assertInStep(it, `seed ${seed}`);
    it.type(it.username, "!");
    assert.equal(it.find("[data-vm-status]").textContent, "", "the notice goes with the next edit");
    it.close();
  }
});

test("an untouched empty field is not marked; an edited, a filled and a submitted one is", async () => {
  const it = await open();
  await it.clock.run(500);
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
  it.close();
});

test("Enter right after the last letter is not refused for a state that is out of date", async () => {
  const it = await open({ weather: { ...fair(), delay: [200, 300] } });
  await it.clock.run(2000);
  it.type(it.username, "maruko");
  it.type(it.password, "123456");
  it.submit(it.form);
  it.submit(it.form);
  assert.equal(it.button.getAttribute("aria-busy"), "true");
  await it.clock.run(5000);
  assert.equal(it.find("#message").textContent, "登录成功(*^▽^*)");
  assert.equal(it.server.only().model.logins.length, 1, "a second Enter before the answer is not a second login");
  it.close();
});

test("M2: an answer that no longer fits counts only once the tree has reached its version: until then the field keeps what was typed", async () => {
  const it = await open({ weather: { ...fair(), delay: [100, 100] } });
  const { clock, server, username } = it;
  const { change } = server;
  server.change = function (session, act) {
    change.call(this, session, (model) => {
      act(model);
      model.username = model.username.trim();
    });
  };
  await clock.run(500);
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
  const shown = [];
  for (let time = 0; time < 1000; time++) {
    shown.push([username.value, username.hasAttribute("data-vm-pending"), frames.length]);
    await clock.run(1);
  }
  assert.deepEqual(frames, [["e1.2", "e1.3"], ["e1.3", "e1.4"]], "the poll was first, and the answer from e1.2 to e1.4 did not fit");
  for (const [value, pending, taken] of shown) {
    assert.equal(value, pending || taken < 2 ? " typed " : "typed");
    assert.ok(pending || taken === 2, "acknowledged before its version was reached");
  }
  assertInStep(it);
  it.close();
});

test("M3: what is typed after an action waits for its answer, and the action gets what was typed before it", async () => {
  const it = await open();
  await it.clock.run(500);
  it.type(it.username, "maruko");
  it.type(it.password, "123456");
  it.submit(it.form);
  it.type(it.username, "s");
  it.type(it.password, "7");
  await it.clock.run(2000);
  const writes = it.server.log.filter(({ method, path }) => method === "PUT" || path.includes("/actions/")).map(({ path, body }) => [path.split("/").pop(), body]);
  const before = [["username", '"maruko"'], ["password", '"123456"']];
  assert.deepEqual(writes, [...before, ["loginTouched", undefined], ["username", '"marukos"'], ["password", '"1234567"']]);
  it.close();
});

test("rule 4: an action does not release a field that was typed into after it: the server's form of that waits for blur", async () => {
  const it = await open({ weather: { ...fair(), delay: [100, 100] } });
  const { change } = it.server;
  it.server.change = function (session, act) {
    change.call(this, session, (model) => {
      act(model);
      model.username = model.username.trim();
    });
  };
  await it.clock.run(500);
  it.username.focus();
  it.type(it.username, "maruko");
  it.type(it.password, "123456");
  await it.clock.run(1000);
  it.submit(it.form);
  it.type(it.username, " ");
  await it.clock.run(3000);
  assert.equal(it.server.only().model.logins.length, 1);
  assert.deepEqual([it.username.value, it.server.only().model.username], ["maruko ", "maruko"]);
  it.username.blur();
  await it.clock.run(500);
  assertInStep(it);
  it.close();
});

test("an edit that failed is sent again under its number and as it was, for it may have arrived; what was typed meanwhile is the next one", async () => {
  const it = await open();
  await it.clock.run(500);
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
  it.close();
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

test("an action whose answer was lost is sent again under its number until it is answered, and performed once", async () => {
  const it = await open();
  await it.clock.run(500);
  it.type(it.username, "maruko");
  it.type(it.password, "123456");
  await it.clock.run(500);
  it.submit(it.form);
  await lateAnswers(it, "/actions/");
  assert.equal(it.button.getAttribute("aria-busy"), "true", "busy for as long as it is not answered");
  await it.clock.run(60000);
  assert.equal(it.server.only().model.logins.length, 1);
  assert.ok(it.server.log.filter(({ path }) => path.includes("/actions/")).length > 1);
  assert.deepEqual(it.errors, []);
  assert.equal(it.find("#message").textContent, "登录成功(*^▽^*)", "the state tells");
  assertInStep(it);
  it.close();
});

test("an edit whose answer was lost does not come back over what another view wrote meanwhile", async () => {
  const it = await open();
  await it.clock.run(500);
  it.type(it.username, "mine");
  await lateAnswers(it, "/state/");
  it.server.change(it.server.only(), (model) => (model.username = "theirs"));
  await it.clock.run(60000);
  assert.equal(it.server.only().model.username, "theirs");
  it.close();
});

test("a request that the server did not decide about leaves its number free, and the next one takes it", async () => {
  const it = await open();
  await it.clock.run(500);
  const { handle } = login;
  it.server.kind = { ...login, handle: (model, method, names, value) => (value === "too large" ? { refused: 413 } : handle(model, method, names, value)) };
  it.username.focus();
  it.type(it.username, "too large");
  await it.clock.run(500);
  it.type(it.username, "!");
  it.type(it.password, "123456");
  await it.clock.run(5000);
  assert.deepEqual(it.errors.map(({ status }) => status), [413]);
  assert.deepEqual(it.server.applied.map(({ body }) => body), ['"too large!"', '"123456"']);
  assertInStep(it);
  it.close();
});

test("a session whose server has forgotten its names takes what comes as the first of them", async () => {
  const it = await open();
  await it.clock.run(500);
  it.type(it.username, "maru");
  await it.clock.run(500);
  it.server.only().names.clear();
  it.type(it.username, "k");
  it.type(it.username, "o");
  await it.clock.run(5000);
  assert.equal(it.server.only().model.username, "maruko");
  assert.deepEqual(it.errors, []);
  assertInStep(it);
  it.close();
});

test("a session that ends while an action is under way says so, and the action is not performed in the next one", async () => {
  const it = await open();
  await it.clock.run(500);
  it.type(it.username, "maruko");
  it.type(it.password, "123456");
  await it.clock.run(500);
  it.submit(it.form);
  it.server.restart();
  await it.clock.run(30000);
  assert.deepEqual(it.errors.map(({ type }) => type), ["offline"]);
  assert.equal(it.server.only().model.logins.length, 0);
  assert.equal(it.button.getAttribute("aria-busy"), null);
  it.close();
});

test("without a connection an action is refused, never queued", async () => {
  const it = await open();
  await it.clock.run(500);
  it.weather.down = true;
  it.world.navigator.onLine = false;
  it.fire(it.window, "offline");
  await it.clock.run(1000);
  assert.equal(state(it.document), "offline");
  assert.match(it.find("[data-vm-status]").textContent, /offline/);
  it.type(it.username, "maruko");
  it.submit(it.form);
  assert.equal(it.errors.at(-1).type, "offline");
  assert.equal(it.button.getAttribute("aria-busy"), null);
  await it.clock.run(60);
  it.weather.down = false;
  it.world.navigator.onLine = true;
  it.fire(it.window, "online");
  await it.clock.run(100);
  assert.equal(it.server.only().model.username, "maruko", "being online again is retried at once");
  await it.clock.run(30000);
  assert.equal(it.server.only().model.logins.length, 0);
  assertInStep(it);
  it.close();
});

test("a page whose connection comes back is live at once, though nothing is new", async () => {
  const it = await open();
  await it.clock.run(500);
  it.weather.down = true;
  it.world.navigator.onLine = false;
  it.fire(it.window, "offline");
  await it.clock.run(1000);
  assert.equal(state(it.document), "offline");
  it.weather.down = false;
  it.world.navigator.onLine = true;
  it.fire(it.window, "online");
  await it.clock.run(100);
  assertInStep(it);
  it.close();
});

test("what a composition holds is not sent, and nothing is written into its field until it ends", async () => {
  const it = await open();
  await it.clock.run(500);
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
  assert.equal(it.server.only().model.username, "你好");
  assert.deepEqual(it.server.log.filter(({ method }) => method === "PUT").map(({ body }) => body), ['"你好"']);
  it.close();
});

test("a caret in the middle stays in its place when another view changes the text", async () => {
  const it = await open();
  await it.clock.run(500);
  it.server.change(it.server.only(), (model) => (model.username = "hello world"));
  await it.clock.run(500);
  it.username.focus();
  it.username.setSelectionRange(5, 8);
  it.server.change(it.server.only(), (model) => (model.username = "oh, hello world"));
  await it.clock.run(500);
  assert.deepEqual([it.username.value, it.username.selectionStart, it.username.selectionEnd], ["oh, hello world", 9, 12]);
  it.close();
});

test("what was typed or filled in before the page was connected counts", async () => {
  const early = html.replace('id="username"', 'id="username" data-early');
  const clock = new Clock();
  const server = new Server(clock);
  const dice = seeded(7);
  const view = page(early, { clock, dice, fetch: network(server, clock, dice, fair()) });
  view.find("#username").value = "early bird";
  start(view.world);
  await clock.run(1000);
  assert.equal(view.find("#username").value, "early bird");
  assert.equal(server.only().model.username, "early bird");
  view.find("#password").value = "autofilled";
  view.submit(view.find("form"));
  await clock.run(1000);
  assert.equal(server.only().model.password, "autofilled", "a value that no event told of goes before the action");
  assert.equal(server.only().model.logins.length, 1);
  view.close();
});

test("a reload and a duplicated tab go on with the session", async () => {
  const it = await open();
  await it.clock.run(500);
  it.type(it.username, "maruko");
  await it.clock.run(500);
  const other = await open({ seed: 2, server: it.server, clock: it.clock, storage: new Map(it.storage) });
  await it.clock.run(500);
  assert.equal(other.username.value, "maruko");
  assert.equal(it.server.sessions.size, 1);
  other.type(other.password, "123456");
  await it.clock.run(500);
  assert.equal(it.find("button").getAttribute("aria-disabled"), "false", "two windows in step");
  assert.equal(it.password.value, "", "a secret is never shown");
  it.close();
  other.close();
});

test("a page that goes away takes what is unsent along", async () => {
  const it = await open();
  await it.clock.run(500);
  it.weather.delay = [300, 300];
  it.type(it.username, "m");
  it.type(it.username, "a");
  it.type(it.password, "1");
  it.fire(it.window, "pagehide");
  await it.clock.run(350);
  const { username, password } = it.server.only().model;
  assert.deepEqual([username, password], ["ma", "1"]);
  it.close();
});

const many = ["username", "password", "a/b", "c", "d"];
const fieldsOf = (debounce) => `<div data-vm-root="login">${many.map((name) => `<input data-vm-bind="${name.replace("/", "~1")}" data-vm-debounce="${debounce}">`).join("")}<button data-vm-do="touch"></button></div>`;
const typeAll = (it) => it.document.querySelectorAll("input").forEach((field) => it.type(field, field.value ? "y" : "x"));
const shown = ({ model }) => many.map((name) => model[name]);

test("20 times, a page that goes away leaves the last edits of all its fields, in whatever order its last requests arrive", async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const it = await open({ seed, markup: fieldsOf(9000) });
    await it.clock.run(500);
    typeAll(it);
    typeAll(it);
    it.weather.delay = [50, 500];
    it.fire(it.window, "pagehide");
    it.world.fetch = () => new Promise(() => {});
    await it.clock.run(1000);
    assert.deepEqual(shown(it.server.only()), many.map(() => "xy"), `seed ${seed}`);
    it.close();
  }
});

test("a page that goes away while an edit is under way leaves that, and all that waits in one request behind it", async () => {
  const it = await open({ markup: fieldsOf("") });
  await it.clock.run(500);
  it.weather.delay = [100, 100];
  typeAll(it);
  it.fire(it.window, "pagehide");
  it.world.fetch = () => new Promise(() => {});
  await it.clock.run(1000);
  assert.deepEqual(shown(it.server.only()), many.map(() => "x"));
  const numbers = it.server.log.filter(({ method, names }) => method !== "GET" && names !== undefined).slice(1);
  assert.deepEqual(numbers.map(({ method, path }) => [method, path.split("/").slice(4).join("/")]), [["PUT", "state/username"], ["PUT", "state/username"], ["POST", "actions"]]);
  it.close();
});

test("an action that waits as the page is left is performed behind the edits before it, and before the ones behind it", async () => {
  const it = await open({ markup: fieldsOf("") });
  const { handle } = it.server.kind;
  it.server.kind = { ...it.server.kind, handle: (model, method, [name], value) => (method === "POST" ? { then: () => (model.taken = [...(model.taken ?? []), model.c]) } : handle(model, method, [name], value)) };
  await it.clock.run(500);
  it.weather.delay = [100, 100];
  typeAll(it);
  it.fire(it.find("button"), "click");
  typeAll(it);
  it.fire(it.window, "pagehide");
  it.world.fetch = () => new Promise(() => {});
  await it.clock.run(1000);
  assert.deepEqual(shown(it.server.only()), many.map(() => "xy"));
  assert.deepEqual(it.server.only().model.taken, ["x"]);
  it.close();
});

test("40 times, a page that is left and comes back from the history has sent each of its edits once, in their order, though requests and answers were lost", async () => {
  for (let seed = 1; seed <= 40; seed++) {
    const it = await open({ seed, markup: fieldsOf(seed % 2 ? "" : 200) });
    await it.clock.run(500);
    Object.assign(it.weather, { delay: [50, 400], lose: 0.2, busy: 0.2 });
    for (let round = 0; round < 3; round++) {
      typeAll(it);
      await it.clock.run(it.dice.below(300));
      it.fire(it.window, "pagehide");
      await it.clock.run(it.dice.below(300));
    }
    Object.assign(it.weather, fair());
    await it.clock.run(120000);
    assert.deepEqual(shown(it.server.only()), many.map(() => "xyy"), `seed ${seed}`);
    for (const name of many) {
      const values = it.server.applied.filter(({ names }) => names === name).map(({ body }) => JSON.parse(body));
      assert.deepEqual(values, [...new Set(values)].sort(), `seed ${seed}: ${name}`);
    }
    assert.equal(it.document.querySelectorAll("[data-vm-pending]").length, 0);
    assert.deepEqual(it.errors, []);
    it.close();
  }
});

test("a page that is left before it has a session sends nothing but the opening, and what was typed when it comes back", async () => {
  const it = await open({ markup: fieldsOf(""), weather: { ...fair(), delay: [100, 100] } });
  typeAll(it);
  it.fire(it.window, "pagehide");
  await it.clock.run(50);
  it.fire(it.window, "pagehide");
  await it.clock.run(3000);
  assert.deepEqual(it.server.log.filter(({ path }) => path === "/sessions/login").map(({ body }) => body), [undefined]);
  assert.deepEqual(shown(it.server.only()), many.map(() => "x"));
  assert.deepEqual(it.errors, []);
  it.close();
});

test("what was sent together as the page was left, and refused for one of it, is sent one by one when the page comes back", async () => {
  const it = await open({ markup: fieldsOf(9000) });
  const { handle } = it.server.kind;
  it.server.kind = { ...it.server.kind, handle: (model, method, names, value) => (names[0] === "c" ? { refused: 422 } : handle(model, method, names, value)) };
  await it.clock.run(500);
  typeAll(it);
  it.fire(it.window, "pagehide");
  await it.clock.run(3000);
  assert.deepEqual(shown(it.server.only()), ["x", "x", "x", undefined, "x"]);
  assert.deepEqual(it.errors.map(({ status }) => status), [422]);
  assert.equal(it.document.querySelectorAll("[data-vm-pending]").length, 0);
  it.close();
});

test("a hidden page drops its poll after 5 s and catches up when shown", async () => {
  const it = await open();
  await it.clock.run(500);
  let hidden = true;
  Object.defineProperty(it.document, "hidden", { get: () => hidden });
  it.fire(it.document, "visibilitychange");
  await it.clock.run(6000);
  const asked = it.server.log.length;
  it.server.change(it.server.only(), (model) => (model.username = "meanwhile"));
  await it.clock.run(100000);
  assert.equal(it.server.log.length, asked, "a hidden page asks nothing");
  hidden = false;
  it.fire(it.document, "visibilitychange");
  await it.clock.run(100);
  assert.equal(it.username.value, "meanwhile");
  assertInStep(it);
  it.close();
});

test("M1: a state that is not newer than the one that is held is dropped, and another epoch's is taken", async () => {
  const it = await open();
  await it.clock.run(500);
  const { frame } = it.server;
  const old = structuredClone(it.server.only().history[0]);
  it.server.change(it.server.only(), (model) => (model.username = "newer"));
  await it.clock.run(500);
  const shown = new Set();
  let late = 3;
  it.server.frame = function (session, since) {
    return late-- > 0 ? { from: null, to: ["e1.1", "e1.2", "e1.0"][late], state: old } : frame.call(this, session, since);
  };
  it.server.change(it.server.only(), (model) => (model.username = "newest"));
  for (let time = 0; time < 1000; time += 5) {
    shown.add(it.username.value);
    await it.clock.run(5);
  }
  assert.deepEqual([...shown], ["newer", "newest"]);
  it.server.only().epoch = "e2";
  it.server.only().history.length = 1;
  it.server.change(it.server.only(), (model) => (model.username = "restored"));
  await it.clock.run(30000);
  assertInStep(it);
  it.close();
});

test("rule 5: what a field shows already is never assigned to it", async () => {
  const it = await open();
  await it.clock.run(500);
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
  it.close();
});

test("M5: a patch that does not fit leads to one snapshot", async () => {
  const it = await open();
  await it.clock.run(500);
  const { frame } = it.server;
  let broken = 1;
  it.server.frame = function (session, since) {
    const right = frame.call(this, session, since);
    return right.patch && broken-- > 0 ? { ...right, patch: [{ op: "remove", path: "/nothing" }] } : right;
  };
  it.server.change(it.server.only(), (model) => (model.username = "changed"));
  await it.clock.run(1000);
  assert.equal(it.username.value, "changed");
  assertInStep(it);
  it.close();
});

test("debounce waits, blur sends, an action takes what waits along", async () => {
  const body = (debounce) => `<div data-vm-root="login"><input id="username" data-vm-bind="username" data-vm-debounce="${debounce}"><button data-vm-do="loginTouched"></button></div>`;
  const puts = (it) => it.server.log.filter(({ method }) => method === "PUT").length;
  const late = await open({ markup: body("300") });
  await late.clock.run(500);
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
  assert.equal(late.server.only().model.username, "abc");
  late.close();
  const blurred = await open({ markup: body("blur") });
  await blurred.clock.run(500);
  blurred.username.focus();
  blurred.type(blurred.username, "a");
  await blurred.clock.run(5000);
  assert.equal(puts(blurred), 0);
  blurred.username.blur();
  await blurred.clock.run(500);
  assert.equal(puts(blurred), 1);
  blurred.close();
});

test("a browser that keeps no cookie opens new sessions ever more slowly", async () => {
  const it = await open();
  const { handle } = it.server;
  it.server.handle = function (method, address, headers, body, answer) {
    if (address.includes("/changes")) return answer(404, { type: "/problems/no-session", title: "No such session", status: 404 });
    handle.call(this, method, address, headers, body, answer);
  };
  await it.clock.run(60000);
  assert.ok(it.server.sessions.size < 20, `${it.server.sessions.size} sessions in a minute`);
  it.close();
});
