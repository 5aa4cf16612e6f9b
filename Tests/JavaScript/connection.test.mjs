// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { answering, test } from "./opened.mjs";
import { addRows, openPeople } from "./people.mjs";

const texts = ["connecting", "live", "retrying", "offline", "expired", "blocked"].map((each) => `data-${each}="${each} now"`).join(" ");
const markup = `<p data-vm-status ${texts}></p><input data-vm-bind="heading">`;
const state = (it) => [it.document.documentElement.dataset.vm, it.find("p").textContent];

test("a page that the server refuses is blocked, says so once a try, asks ever more slowly, keeps the typed text, and is live again when it is let in", async () => {
  const it = await openPeople(markup);
  assert.deepEqual(state(it), ["live", "live now"]);
  let isRefused = true;
  const asked = [];
  answering(it, "/", () => isRefused && asked.push(it.clock.now) && [401, { type: "/problems/bad-credential", title: "The credential contradicts itself", status: 401 }]);
  it.server.change(it.server.only(), (model) => (model.done = ["news"]));
  await it.clock.run(1000);
  const field = it.find("input");
  field.focus();
  it.type(field, "!");
  await it.clock.run(20000);
  assert.deepEqual(state(it), ["blocked", "blocked now"]);
  assert.equal(field.value, "People!");
  assert.equal(it.errors.length, asked.length);
  assert.deepEqual(new Set(it.errors.map(({ type, model }) => `${type} of ${model}`)), new Set(["/problems/bad-credential of people"]));
  assert.ok(asked.length < 20, `${asked.length} times in 20 s`);
  isRefused = false;
  await it.clock.run(60000);
  assert.deepEqual(state(it), ["live", "live now"]);
  assert.equal(it.model().heading, "People!");
});

test("each state of the connection has its text, told of by one event", async () => {
  const states = [];
  const it = await openPeople(markup, { meet: (view) => view.document.addEventListener("vm:state", ({ detail }) => states.push(`${detail.state}: ${view.find("p").textContent}`)), settle: 0 });
  const told = async (time) => {
    await it.clock.run(time);
    return states.splice(0).map((each) => each.split(":")[0]);
  };
  assert.deepEqual([await told(500), state(it)], [["connecting", "live"], ["live", "live now"]]);
  it.weather.busy = 1;
  it.server.change(it.server.only(), () => addRows(it.model(), "a"));
  it.fire(it.document, "visibilitychange");
  assert.deepEqual([await told(500), state(it)], [["retrying"], ["retrying", "retrying now"]]);
  it.connect(false);
  it.fire(it.document, "visibilitychange");
  assert.deepEqual([await told(2000), state(it)], [["offline"], ["offline", "offline now"]]);
  Object.assign(it.weather, { busy: 0, down: false });
  it.world.navigator.onLine = true;
  it.fire(it.window, "online");
  assert.deepEqual([await told(500), state(it)], [["live"], ["live", "live now"]]);
  it.server.restart();
  assert.deepEqual(await told(5000), ["expired", "live"]);
  assert.deepEqual(state(it), ["live", "expired now"], "until the next edit");
  it.type(it.find("input"), "!");
  assert.deepEqual([await told(500), state(it)], [[], ["live", "live now"]]);
});

test("a connection that is dead without a reset is found out within a poll's time, with all that went its way", async () => {
  const it = await openPeople(markup);
  it.weather.silent = true;
  it.fire(it.document, "visibilitychange");
  it.type(it.find("input"), "!");
  await it.clock.run(29_000);
  assert.equal(state(it)[0], "live");
  await it.clock.run(2_000);
  assert.equal(state(it)[0], "retrying");
  it.weather.silent = false;
  await it.clock.run(10_000);
  assert.deepEqual([state(it)[0], it.model().heading], ["live", "People!"]);
});

for (const [sign, give] of [
  ["that it is online", (it) => it.fire(it.window, "online")],
  ["of another network", (it) => it.world.navigator.connection.dispatchEvent(new it.window.Event("change"))],
]) {
  test(`a page whose browser tells ${sign} hears within 5 seconds whether it still has a connection`, async () => {
    const it = await openPeople(markup, { meet: ({ world, window }) => (world.navigator.connection = new window.EventTarget()) });
    give(it);
    await it.clock.run(10_000);
    assert.equal(state(it)[0], "live");
    await it.change((model) => (model.done = ["news"]));
    assert.equal(it.script.root("people").state.done[0], "news", "the page waits for news again");
    it.weather.silent = true;
    it.type(it.find("input"), "!");
    give(it);
    await it.clock.run(4_900);
    assert.equal(state(it)[0], "live");
    await it.clock.run(200);
    assert.equal(state(it)[0], "retrying");
    it.weather.silent = false;
    await it.clock.run(10_000);
    assert.deepEqual([state(it)[0], it.model().heading], ["live", "People!"]);
  });
}

test("a page that was offline hears within 5 seconds of being online whether it has a connection", async () => {
  const it = await openPeople(markup);
  it.connect(false);
  await it.clock.run(1000);
  it.connect(true);
  it.weather.silent = true;
  await it.clock.run(5_100);
  assert.equal(state(it)[0], "retrying");
});

test("a poll that was released for a newer one comes back when the server said, and not before", async () => {
  const it = await openPeople(markup);
  const asked = [];
  answering(it, "/changes", () => asked.push(it.clock.now) && asked.length < 4 && [204, undefined, "2"]);
  it.server.change(it.server.only(), (model) => (model.heading = "news"));
  await it.clock.run(60000);
  const pauses = asked.slice(1, 4).map((at, index) => at - asked[index]);
  assert.ok(pauses.every((each) => each >= 2000 && each < 2200), pauses.join());
});

test("a refusal that says when to come back is obeyed, and waiting edits are sent then", async () => {
  const it = await openPeople(markup);
  let refused = 0;
  answering(it, "/state/", () => !refused++ && [429, { type: "/problems/too-many-requests", title: "Too many requests", status: 429 }, "5"]);
  it.type(it.find("input"), "!");
  await it.clock.run(5000);
  assert.deepEqual([it.model().heading, refused], ["People", 1]);
  await it.clock.run(2000);
  assert.deepEqual([it.model().heading, refused], ["People!", 2]);
  assert.deepEqual(state(it), ["live", "live now"]);
});

test("a proxy's own refusal, which is no JSON, is obeyed as the server's; its page in place of an answer is none", async () => {
  for (const [status, after] of [[503, "5"], [429, "5"], [404, null], [200, null]]) {
    let refused = 0;
    const meet = (view) => {
      const { fetch } = view.world;
      view.world.fetch = async (address, how) => {
        if (!address.includes("/state/") || refused) return fetch(address, how);
        refused++;
        return { ok: status < 300, status, headers: new Map([["retry-after", after]]), json: async () => JSON.parse("<html>") };
      };
    };
    const it = await openPeople(markup, { meet });
    it.type(it.find("input"), "!");
    if (after) await it.clock.run(5000);
    assert.equal(it.model().heading, "People", String(status));
    await it.clock.run(4000);
    assert.deepEqual([it.model().heading, refused], ["People!", 1], String(status));
    it.close();
  }
});

test("a button to try again that came with a template tries again", async () => {
  const it = await openPeople(markup + '<template data-vm-if="heading"><button data-vm-retry hidden><b>Again</b></button></template>');
  let isBusy = true;
  answering(it, "/changes", () => isBusy && [503, { type: "/problems/overloaded", title: "Busy", status: 503 }, "60"]);
  it.fire(it.document, "visibilitychange");
  await it.clock.run(1000);
  assert.deepEqual([state(it)[0], it.find("button").hidden], ["retrying", false]);
  isBusy = false;
  it.fire(it.find("b"), "click");
  await it.clock.run(100);
  assert.deepEqual([state(it)[0], it.find("button").hidden], ["live", true]);
});

test("a page is offline as its browser says so, though a poll would still be taken, and live when a try succeeds", async () => {
  const it = await openPeople(markup);
  it.world.navigator.onLine = false;
  it.fire(it.window, "offline");
  await it.clock.run(90);
  assert.deepEqual(state(it), ["offline", "offline now"]);
  await it.clock.run(1000);
  assert.deepEqual(state(it), ["live", "live now"]);
  // Coming back to the tab makes a new poll, and no failure.
  it.fire(it.document, "visibilitychange");
  await it.clock.run(50);
  assert.deepEqual(state(it), ["live", "live now"]);
});

const buttons = '<button id="say" data-vm-do="say">Say</button><button id="no" data-vm-do="people/none">No</button>';
const refused = (it) => ["#say", "#no"].map((each) => it.find(each).getAttribute("data-vm-refused"));

test("a button's word about a press without a connection goes as the connection is back", async () => {
  const it = await openPeople(markup + buttons);
  it.connect(false);
  await it.clock.run(2000);
  it.fire(it.find("#say"), "click");
  await it.clock.run(2000);
  assert.deepEqual(refused(it), ["offline now", null]);
  it.connect(true);
  await it.clock.run(100);
  assert.deepEqual([refused(it), state(it)], [[null, null], ["live", "live now"]], "live at once, though nothing is new");
});

test("a button's word about a refusal stays over news, and goes with the next action that is taken", async () => {
  const it = await openPeople(markup + buttons);
  it.fire(it.find("#no"), "click");
  await it.change((model) => (model.heading = "News"));
  it.type(it.find("input"), "!");
  await it.clock.run(30000);
  assert.deepEqual(refused(it), [null, "Nothing was applied"]);
  it.fire(it.find("#say"), "click");
  await it.clock.run(500);
  assert.deepEqual(refused(it), [null, null]);
});

test("a press while another session is opened says that the session has ended, and nothing of the connection", async () => {
  const it = await openPeople('<button data-vm-do="say">Say</button>');
  answering(it, "/sessions/people", (method) => method === "POST" && !it.server.sessions.size && [503, { type: "/problems/overloaded", title: "Busy", status: 503 }]);
  it.document.addEventListener("vm:state", ({ detail }) => detail.state === "expired" && it.fire(it.find("button"), "click"));
  it.server.restart();
  await it.clock.run(200);
  assert.equal(it.find("button").dataset.vmRefused, "The session ended before this was answered.");
  assert.equal(it.errors.at(-1).type, "expired");
});

test("a new session gets, of two fields of one path, the text that was typed last, also after a reload", async () => {
  for (const isReloaded of [false, true]) {
    const twice = '<input id="one" data-vm-bind="heading"><input id="two" data-vm-bind="heading">';
    const it = await openPeople(twice);
    it.connect(false);
    await it.clock.run(1000);
    it.type(it.find("#one"), " there");
    it.type(it.find("#two"), " below");
    it.type(it.find("#one"), " above");
    if (isReloaded) {
      it.fire(it.window, "pagehide", { persisted: true });
      const again = await openPeople(twice, { of: it.server, storage: it.storage });
      assert.deepEqual(again.values(), ["People there above", "People there above"]);
    } else {
      it.server.restart();
      it.connect(true);
      await it.clock.run(5000);
      assert.equal(it.model().heading, "People there above");
      assert.deepEqual(it.values(), ["People there above", "People there above"]);
    }
  }
});

test("a button's word about an action that was lost with its session stays in the new one", async () => {
  const it = await openPeople(markup + buttons);
  it.server.restart();
  it.fire(it.find("#say"), "click");
  await it.clock.run(5000);
  assert.deepEqual(state(it), ["live", "expired now"]);
  assert.deepEqual(refused(it), ["expired now", null]);
  assert.deepEqual([it.errors.map(({ type, detail }) => [type, detail]), it.model().done, it.find("#say").getAttribute("aria-busy")], [[["expired", "The session ended before this was answered."]], [], null]);
  it.fire(it.find("#say"), "click");
  await it.clock.run(500);
  assert.deepEqual(refused(it), [null, null]);
});
