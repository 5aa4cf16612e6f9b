// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "./opened.mjs";
import { addRows, openPeople } from "./people.mjs";

const markup = '<input data-vm-bind="heading"><template data-vm-each="people"><p data-vm-text="title"></p></template>';

test("a page's script finds a root by its name or its element, and mounting it twice is mounting it once", async () => {
  const it = await openPeople(markup);
  const handle = it.script.root("people");
  assert.equal(handle.model, "people");
  assert.equal(it.script.root(it.find("main")), handle);
  assert.equal(it.script.mount(it.find("main")), handle);
  assert.equal(it.script.root("others"), undefined);
  assert.equal(handle.state.heading, "People");
});

test("a script's edits and actions go through the page's queue, in the order in which they are made", async () => {
  const it = await openPeople(markup);
  const handle = it.script.root("people");
  const told = [];
  it.type(it.find("input"), "!");
  handle.perform("say", 1).then(() => told.push("said"));
  handle.set("heading", "All").then(() => told.push("set"));
  await it.clock.run(2000);
  assert.deepEqual(told, ["said", "set"]);
  assert.deepEqual(it.server.applied.map(({ method, names, body }) => `${method} ${names} ${body}`), ['PUT heading "People!"', "POST say 1", 'PUT heading "All"']);
  assert.equal(it.find("input").value, "All");
});

test("an action that is refused rejects with the problem, and a write that another one takes the place of is acknowledged with it", async () => {
  const it = await openPeople(markup, { prepare: (model) => addRows(model, "a") });
  const handle = it.script.root("people");
  const refused = handle.perform("people/items/none/follow").catch(({ status }) => status);
  const writes = Promise.all([handle.set("heading", "a"), handle.set("heading", "b"), handle.set("heading", "c")]);
  await it.clock.run(2000);
  assert.equal(await refused, 422);
  await writes;
  assert.equal(it.model().heading, "c");
  await it.change((model) => (model.rows.get("a").follow.executing = true));
  const cancelled = handle.cancel("people/items/a/follow");
  await it.clock.run(1000);
  await cancelled;
  assert.equal(it.model().rows.get("a").follow.executing, false);
});

test("a script follows a path from its present value on, told only of another one, until it ends that", async () => {
  const it = await openPeople(markup, { prepare: (model) => addRows(model, "a") });
  const told = [];
  const end = it.script.root("people").follow("people/items/a/title", (title) => told.push(title));
  await it.change((model) => (model.heading = "other"));
  await it.change((model) => (model.rows.get("a").title = "new"));
  await it.change((model) => Object.assign(model, { order: [], rows: new Map() }));
  end();
  await it.change((model) => addRows(model, "a"));
  assert.deepEqual(told, ["title of a", "new", undefined]);
});

test("a script that follows a list or an object is not told of an equal one, as after a restart of the server", async () => {
  const it = await openPeople(markup, { prepare: (model) => addRows(model, "a", "b") });
  const told = [];
  for (const path of ["people", "people/order", "people/items/a", "done"]) it.script.root("people").follow(path, (value) => told.push([path, value]));
  const [first] = it.document.querySelectorAll("p");
  assert.equal(told.splice(0).length, 4);
  it.server.revive();
  await it.change((model) => (model.heading = "other"));
  assert.equal(it.find("input").value, "other");
  assert.deepEqual(told, []);
  it.server.revive();
  await it.change((model) => (model.rows.get("b").title = "new"));
  assert.deepEqual(told.map(([path]) => path), ["people"]);
  assert.deepEqual(it.texts("p"), ["title of a", "new"]);
  assert.equal(it.find("p"), first);
});

test("a script tells the person's preferences, behind the text typed before, and a session that takes the place of this one learns of it", async () => {
  const it = await openPeople(markup);
  const { handle } = it.server;
  const told = [];
  it.server.handle = function (method, address, headers, body, answer) {
    if (method !== "GET") told.push([`${method} ${address.split("?")[0]}`, body, headers["idempotency-key"]?.split("/").at(-1)]);
    if (!address.includes("/client")) return handle.call(this, method, address, headers, body, answer);
    const session = this.only();
    this.once(session, headers["idempotency-key"], body, undefined, answer, () => [200, { ...this.frame(session, `${session.epoch}.${session.history.length}`), result: null }]);
  };
  it.type(it.find("input"), "!");
  const page = it.script.root("people");
  const preferring = page.prefer({ languages: ["de-AT", "en"] });
  await it.clock.run(500);
  await preferring;
  assert.deepEqual(told.splice(0), [
    ["PUT /sessions/people/s1/state/heading", '"People!"', "1"],
    ["PUT /sessions/people/s1/client", '{"languages":["de-AT","en"]}', "2"],
  ]);
  it.server.restart();
  await it.clock.run(5000);
  assert.deepEqual(told[0], ["POST /sessions/people", '{"client":{"timeZone":"Europe/Vienna","languages":["de-AT","en"]}}', undefined]);
});

test("an unmounted root lets go: it neither polls nor hears, and can be mounted again", async () => {
  const it = await openPeople(markup);
  it.script.root("people").unmount();
  assert.equal(it.script.root("people"), undefined);
  await it.clock.run(60_000);
  const asked = it.server.log.length;
  it.type(it.find("input"), "!");
  await it.clock.run(120_000);
  assert.equal(it.server.log.length, asked);
  const handle = it.script.mount(it.find("main"));
  await it.clock.run(1000);
  assert.equal(handle.state.heading, "People");
});

test("a script's requests are answered or reject as their root is unmounted, and later ones reject", async () => {
  const it = await openPeople(markup);
  const handle = it.script.root("people");
  const told = [];
  const ask = (name, promise) => promise.then(() => told.push(name), ({ type, detail }) => told.push([name, type, detail]));
  ask("said", handle.perform("say"));
  await it.clock.run(1);
  for (const [name, act] of [["set", () => handle.set("heading", "All")], ["said more", () => handle.perform("say", 2)], ["cancelled", () => handle.cancel("say")], ["preferred", () => handle.prefer({})]]) ask(name, act());
  await it.clock.run(1);
  handle.unmount();
  await it.clock.run(1000);
  const why = ["unmounted", "Unmounted before this was answered."];
  assert.deepEqual(told.splice(0), ["said", ["set", ...why], ["said more", ...why], ["cancelled", ...why], ["preferred", ...why]]);
  for (const [name, promise] of [["set", handle.set("heading", "Some")], ["said", handle.perform("say")]]) ask(name, promise);
  await it.clock.run(1);
  assert.deepEqual(told, [["set", ...why], ["said", ...why]]);
});

test("a request rejects as its root is unmounted before there is a session, or without a connection", async () => {
  for (const isOpened of [false, true]) {
    const it = await openPeople(markup, { settle: isOpened ? 500 : 1 });
    const handle = it.script.root("people");
    if (isOpened) it.connect(false);
    await it.clock.run(isOpened ? 500 : 1);
    const told = handle.set("heading", "All").catch(({ type }) => type);
    await it.clock.run(1);
    handle.unmount();
    await it.clock.run(1000);
    assert.equal(await told, "unmounted");
  }
});

test("a root whose elements have changed since it was unmounted is mounted as it is then", async () => {
  const it = await openPeople(markup);
  it.script.root("people").unmount();
  it.find("input").value = "";
  it.find("main").prepend(it.document.createElement("p"), it.document.createElement("p"));
  it.script.mount(it.find("main"));
  await it.clock.run(1000);
  assert.equal(it.find("input").value, "People");
  it.type(it.find("input"), "!");
  await it.clock.run(1000);
  assert.deepEqual(it.sent("PUT").map(({ body }) => body), ['"People!"']);
});

test("a pulse is an event at its element, those that came together are one, and those before the page are none", async () => {
  const it = await openPeople('<p data-vm-event="rang"></p>', { prepare: (model) => (model.rang = { count: 3, value: "early" }) });
  const told = [];
  it.find("p").addEventListener("vm:pulse", ({ detail }) => told.push([detail.name, detail.value, detail.count]));
  // The people's view shows only the members that it knows, so this one is added.
  it.server.kind.view = ((view) => (model) => ({ ...view(model), rang: structuredClone(model.rang) }))(it.server.kind.view);
  await it.change((model) => (model.rang = { count: 4, value: "one" }));
  await it.change((model) => (model.rang = { count: 4, value: "one" }));
  await it.change((model) => (model.rang = { count: 6, value: "three" }));
  assert.deepEqual(told, [["rang", "one", 1], ["rang", "three", 2]]);
});
