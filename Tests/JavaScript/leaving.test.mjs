// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { deciding, fair, test } from "./opened.mjs";
import { assertInStep, open } from "./login.mjs";
import { seeds } from "./random.mjs";

const many = ["username", "password", "a/b", "c", "d"];
const fieldsOf = (debounce) => `<div data-vm-root="login">${many.map((name) => `<input data-vm-bind="${name.replace("/", "~1")}" data-vm-debounce="${debounce}">`).join("")}<button data-vm-do="touch"></button></div>`;
const typeAll = (it) => it.document.querySelectorAll("input").forEach((field) => it.type(field, field.value ? "y" : "x"));
const shown = ({ model }) => many.map((name) => model[name]);

test("a page that goes away leaves the last edits of all its fields, in whatever order its last requests arrive", async () => {
  for (const seed of seeds(20)) {
    const it = await open({ seed, markup: fieldsOf(9000) });
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
  it.weather.delay = [100, 100];
  typeAll(it);
  it.fire(it.window, "pagehide");
  it.world.fetch = () => new Promise(() => {});
  await it.clock.run(1000);
  assert.deepEqual(shown(it.server.only()), many.map(() => "x"));
  const numbers = it.server.log.filter(({ method, names }) => method !== "GET" && names !== undefined).slice(1);
  assert.deepEqual(numbers.map(({ method, path }) => [method, path.split("/").slice(4).join("/")]), [["PUT", "state/username"], ["PUT", "state/username"], ["POST", "actions"], ["POST", "leaving"]]);
});

test("an action that waits as the page is left is performed behind the edits before it, and before the ones behind it", async () => {
  const it = await open({ markup: fieldsOf("") });
  deciding(it, (model, method) => (method === "POST" ? { then: () => (model.taken = [...(model.taken ?? []), model.c]) } : undefined));
  await it.clock.run(500);
  it.weather.delay = [100, 100];
  typeAll(it);
  it.fire(it.find("button"), "click");
  typeAll(it);
  it.fire(it.window, "pagehide");
  it.world.fetch = () => new Promise(() => {});
  await it.clock.run(1000);
  assert.deepEqual(shown(it.server.only()), many.map(() => "xy"));
  assert.deepEqual(it.model().taken, ["x"]);
});

test("a page that is left and comes back from the history has sent each of its edits once, in their order, though requests and answers were lost", async () => {
  for (const seed of seeds(20)) {
    const it = await open({ seed, markup: fieldsOf(seed % 2 ? "" : 200) });
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

test("a page that is left before it has a session sends nothing but the opening, and its edits when it comes back", async () => {
  const it = await open({ markup: fieldsOf(""), weather: { ...fair(), delay: [100, 100] }, settle: 0 });
  typeAll(it);
  it.fire(it.window, "pagehide");
  await it.clock.run(50);
  it.fire(it.window, "pagehide");
  await it.clock.run(3000);
  assert.deepEqual(it.server.log.filter(({ path }) => path === "/sessions/login").map(({ body }) => body), ['{"client":{"timeZone":"Europe/Vienna"}}']);
  assert.deepEqual(shown(it.server.only()), many.map(() => "x"));
  assert.deepEqual(it.errors, []);
});

test("edits that were sent together as the page was left, and refused for one of them, are sent one by one when the page comes back", async () => {
  const it = await open({ markup: fieldsOf(9000) });
  deciding(it, (model, method, [name]) => (name === "c" ? { refused: 422 } : undefined));
  typeAll(it);
  it.fire(it.window, "pagehide");
  await it.clock.run(3000);
  assert.deepEqual(shown(it.server.only()), ["x", "x", "x", undefined, "x"]);
  assert.deepEqual(it.errors.map(({ status }) => status), [422]);
  assert.equal(it.document.querySelectorAll("[data-vm-pending]").length, 0);
});

/** Types into each field twice, with a press between, as the page is left twice: the requests of the second time are lost. */
async function leaveTwice(it) {
  typeAll(it);
  it.fire(it.window, "pagehide");
  it.weather.down = true;
  it.fire(it.find("button"), "click");
  typeAll(it);
  it.fire(it.window, "pagehide");
  await it.clock.run(100);
  Object.assign(it.weather, fair());
  await it.clock.run(20000);
}

test("edits and an action behind edits that were refused together, as the page was left, go out when the page comes back", async () => {
  // The button stands in a group of its own, so the refusal does not concern it.
  const it = await open({ markup: `<div data-vm-root="login"><form>${many.map((name) => `<input data-vm-bind="${name.replace("/", "~1")}">`).join("")}</form><section><button data-vm-do="touch"></button></section></div>` });
  it.weather.delay = [100, 100];
  deciding(it, (model, method, [name], value) => {
    if (method === "POST") return { then: () => (model.taken = [...(model.taken ?? []), model.d]) };
    return name === "c" && value === "x" ? { refused: 422 } : undefined;
  });
  await leaveTwice(it);
  assert.deepEqual(shown(it.server.only()), many.map(() => "xy"));
  assert.deepEqual(it.model().taken, ["x"]);
});

const farewells = (it) => it.server.log.filter(({ path }) => path.endsWith("/leaving")).map(({ method, path }) => `${method} ${path}`);

test("a page that is closed says so, one that the history keeps does not, and a reload goes on with its session", async () => {
  const it = await open();
  it.type(it.username, "maruko");
  await it.clock.run(500);
  it.fire(it.window, "pagehide", { persisted: true });
  await it.clock.run(500);
  assert.deepEqual(farewells(it), []);
  it.fire(it.window, "pagehide", { persisted: false });
  await it.clock.run(500);
  assert.deepEqual(farewells(it), ["POST /sessions/login/s1/leaving"]);
  it.close();
  const again = await open({ storage: it.storage, of: it.server, clock: it.clock, settle: 1000 });
  assert.equal(again.username.value, "maruko");
  assert.deepEqual([...again.server.sessions.keys()], ["s1"]);
});

test("each root of a page that is closed says so of its session, and one without a session nothing", async () => {
  const two = `${fieldsOf("")}${fieldsOf("")}`;
  const it = await open({ markup: two, settle: 0 });
  it.fire(it.window, "pagehide");
  await it.clock.run(500);
  assert.deepEqual(farewells(it), []);
  it.fire(it.window, "pagehide");
  await it.clock.run(500);
  assert.deepEqual(farewells(it).sort(), ["POST /sessions/login/s1/leaving", "POST /sessions/login/s2/leaving"]);
});

test("a hidden page drops its poll after 5 s and catches up when shown", async () => {
  const it = await open();
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
});
