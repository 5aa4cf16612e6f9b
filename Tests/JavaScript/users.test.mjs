// SPDX-License-Identifier: MIT
// Users on a page: signing in and out elsewhere, and sessions that a person has to open (CLIENT.md, "Users").
import assert from "node:assert/strict";
import { answering, fair, left, test } from "./opened.mjs";
import { addRows, openPeople } from "./people.mjs";

const refusal = (status, kind, more) => [status, { type: `/problems/${kind}`, title: `The server's ${kind}`, status, ...more }];
const replaced = [...refusal(401, "credential-replaced"), "1"];
const signedOut = refusal(401, "signed-out");
const needed = refusal(401, "sign-in-needed");
const superseded = refusal(410, "session-closed", { reason: "superseded" });

const texts = 'data-live="live" data-retrying="retrying" data-expired="expired"';
const page = (words = "") => `<p data-vm-status ${texts} ${words}></p><button id="retry" data-vm-retry hidden>Again</button>
  <a data-vm-signin hidden href="/gate.html">Sign in</a>
  <h1 data-vm-text="heading"></h1><input id="heading" data-vm-bind="heading"><input id="secret" type="password" data-vm-bind="secret">
  <template data-vm-each="people"><b data-vm-text="title"></b></template><button id="say" data-vm-do="say">Say</button>`;
const words = 'data-signed-out="out" data-sign-in-needed="needed" data-superseded="ended"';

const openings = (it) => it.server.log.filter(({ method, path }) => method === "POST" && path === "/sessions/people").length;
const shown = (it) => [it.document.documentElement.dataset.vm, it.find("p").textContent];
const offered = (it) => ["#retry", "a"].map((each) => !it.find(each).hidden);
/** Each state that the page tells of from now on. */
function statesOf(view) {
  const states = [];
  view.document.addEventListener("vm:state", ({ detail }) => states.push(detail.state));
  return states;
}

/** The things that may happen to a page that nobody touches. */
async function waitLong(it) {
  for (let minute = 0; minute < 10; minute++) {
    await it.clock.run(60_000);
    it.fire(it.window, "online");
    it.fire(it.document, "visibilitychange");
  }
}

test("a request that another tab's signing in overtook is sent again under its keys, in its order, and the person notices nothing", async () => {
  const it = await openPeople(page());
  const states = statesOf(it);
  const keys = [];
  let isReplaced = true;
  answering(it, "/sessions/people/", (method, headers) => {
    if (method !== "GET") keys.push(headers["idempotency-key"].split("/").at(-1));
    return isReplaced && replaced;
  });
  it.type(it.find("#heading"), "!");
  it.fire(it.find("#say"), "click");
  it.type(it.find("#heading"), "!");
  it.server.change(it.server.only(), (model) => addRows(model, "a"));
  await it.clock.run(2500);
  assert.deepEqual([it.find("#heading").value, shown(it), offered(it)], ["People!!", ["live", "live"], [false, false]]);
  isReplaced = false;
  await it.clock.run(3000);
  assert.deepEqual(it.server.applied.map(({ method, names, body }) => `${method} ${names} ${body}`), ['PUT heading "People!"', "POST say undefined", 'PUT heading "People!!"']);
  assert.match(keys.join(""), /^11+23$/, "each under its own key, the first one again and again");
  assert.deepEqual([it.find("#heading").value, it.texts("b"), states, it.errors], ["People!!", ["title of a"], [], []]);
});

test("an opening that another tab's signing in overtook is tried again, and nothing is said", async () => {
  let states;
  let times = 0;
  const it = await openPeople(page(), { settle: 0, meet: (view) => (states = statesOf(view)) });
  answering(it, "/sessions/people", () => times++ < 2 && replaced);
  await it.clock.run(2900);
  assert.deepEqual([states, openings(it), it.find("h1").textContent], [["connecting", "live"], 1, "People"]);
});

test("a credential that stays replaced is said in the end", async () => {
  const it = await openPeople(page());
  answering(it, "/", () => replaced);
  it.type(it.find("#heading"), "!");
  await it.clock.run(4000);
  assert.deepEqual(shown(it), ["live", "live"]);
  await it.clock.run(30_000);
  assert.deepEqual(shown(it), ["blocked", "The server's credential-replaced"]);
});

for (const [how, learn] of [
  ["by its poll", (it) => it.server.change(it.server.only(), (model) => (model.done = ["news"]))],
  ["by an edit", (it) => it.type(it.find("#heading"), "!")],
]) {
  test(`a page that learns ${how} that its user is signed out says so, shows and keeps nothing of the user's, and opens a session only when it is told to`, async () => {
    const it = await openPeople(page(words), { prepare: (model) => addRows(model, "a") });
    it.type(it.find("#secret"), "password");
    await it.clock.run(500);
    it.fire(it.window, "pagehide", { persisted: true });
    it.storage.set("euripus:other:state", "of another page");
    it.storage.set("the-page's-own", "kept");
    assert.equal(it.texts("b").length, 1);
    let isOut = true;
    answering(it, "/sessions/people/", () => isOut && signedOut);
    learn(it);
    await it.clock.run(26_000);
    assert.deepEqual([shown(it), offered(it)], [["blocked", "out"], [true, true]]);
    assert.deepEqual([it.find("h1").textContent, it.find("#heading").value, it.find("#secret").value, it.texts("b")], ["", "", "", []]);
    assert.equal("vmReady" in it.find("main").dataset, false);
    assert.equal(it.script.root("people").state, undefined);
    it.fire(it.window, "pagehide", { persisted: true });
    assert.deepEqual([...it.storage].filter(([, value]) => value), [["the-page's-own", "kept"]]);
    await waitLong(it);
    assert.equal(openings(it), 1);
    it.fire(it.find("#retry"), "click");
    isOut = false;
    await it.clock.run(1000);
    assert.deepEqual([openings(it), shown(it), offered(it), it.find("h1").textContent], [2, ["live", "live"], [false, false], "People"]);
    assert.equal("vmReady" in it.find("main").dataset, true);
    it.type(it.find("#heading"), "?");
    await it.clock.run(1000);
    assert.equal(it.model().heading, "People?");
  });
}

for (const [when, poll, action] of [["before", 0, 100], ["after", 100, 0]]) {
  test(`a page whose own action signs its user out is empty one trip later, where its poll is let go ${when} the answer`, async () => {
    const trip = 10;
    const it = await openPeople(page(words), { prepare: (model) => addRows(model, "a"), weather: { ...fair(), delay: [trip, trip] } });
    const { handle } = it.server;
    let isOut = false;
    const polls = [];
    it.server.handle = function (method, address, headers, body, answer) {
      if (address.includes("/changes")) return isOut ? answer(...signedOut) : polls.push(answer);
      isOut = true;
      it.clock.set(() => polls.forEach((letGo) => letGo(204, undefined, "2")), poll);
      it.clock.set(() => handle.call(this, method, address, headers, body, answer), action);
    };
    // The poll that the server holds is answered, and the next one is held by the test.
    await it.change((model) => (model.done = ["news"]));
    assert.equal(polls.length, 1);
    it.fire(it.find("#say"), "click");
    await it.clock.run(trip + 100 + trip);
    assert.deepEqual(it.texts("b"), ["title of a"]);
    await it.clock.run(2 * trip);
    assert.deepEqual([it.texts("b"), it.find("#heading").value, shown(it)], [[], "", ["blocked", "needed"]]);
  });
}

for (const crossing of [false, true]) {
  test(`a page whose own action signs its user out is empty with the answer that says so${crossing ? ", though news came before it" : ""}, and asks nothing`, async () => {
    const it = await openPeople(page(words), { prepare: (model) => addRows(model, "a") });
    const { handle } = it.server;
    const asked = [];
    let isOut = false;
    it.server.handle = function (method, address, headers, body, answer) {
      if (isOut) asked.push(address);
      if (!address.includes("/actions")) return isOut ? answer(...signedOut) : handle.call(this, method, address, headers, body, answer);
      handle.call(this, method, address, headers, body, (status, told, ...more) => {
        // A frame that another device's edit has overtaken does not fit any more.
        const { from } = told;
        answer(status, { ...told, ...(crossing && { from: from + "1" }), ended: true }, ...more);
        isOut = true;
      });
    };
    const states = statesOf(it);
    it.fire(it.find("#say"), "click");
    it.type(it.find("#heading"), "!");
    // Two trips.
    await it.clock.run(80);
    assert.deepEqual([it.texts("b"), it.find("#heading").value], [[], ""], "with the answer, by no timer");
    await it.clock.run(60_000);
    assert.deepEqual([it.texts("b"), it.find("#heading").value, it.find("#say").dataset.vmRefused], [[], "", undefined]);
    assert.deepEqual([shown(it), offered(it)], [["blocked", "needed"], [true, true]]);
    assert.deepEqual([states, asked], [["blocked"], []], "nothing is said of a loss");
  });
}

test("a press that finds its user signed out says so at the button, and so does one after it", async () => {
  const it = await openPeople(page(words));
  answering(it, "/sessions/people/", () => signedOut);
  it.fire(it.find("#say"), "click");
  await it.clock.run(1000);
  assert.equal(it.find("#say").getAttribute("data-vm-refused"), "out");
  it.fire(it.find("#say"), "click");
  assert.equal(it.find("#say").getAttribute("data-vm-refused"), "out");
});

test("where nobody has signed in the page says so and asks nothing, until somebody comes back to it or presses the button", async () => {
  let isNeeded = true;
  let states;
  const it = await openPeople(page(words), { settle: 0, meet: (view) => (states = statesOf(view)) });
  const asked = [];
  answering(it, "/sessions/people", (method) => isNeeded && asked.push(method) && needed);
  await it.clock.run(600_000);
  assert.deepEqual([asked, shown(it), offered(it), states], [["POST"], ["blocked", "needed"], [true, true], ["connecting", "blocked"]]);
  it.fire(it.document, "visibilitychange");
  await it.clock.run(600_000);
  assert.deepEqual([asked.length, shown(it), offered(it)], [2, ["blocked", "needed"], [true, true]]);
  isNeeded = false;
  it.fire(it.find("#retry"), "click");
  await it.clock.run(1000);
  assert.deepEqual([openings(it), shown(it), offered(it), it.find("h1").textContent], [1, ["live", "live"], [false, false], "People"]);
});

test("a session that ended for others in this browser is said to have, and no other ends for it, until the person wants one, which has the edits", async () => {
  const it = await openPeople(page(words));
  it.type(it.find("#heading"), "!");
  await it.clock.run(500);
  let isEnded = true;
  answering(it, "/sessions/people/s1", () => isEnded && superseded);
  it.server.change(it.server.only(), (model) => (model.done = ["news"]));
  await it.clock.run(1000);
  assert.deepEqual([shown(it), offered(it)], [["blocked", "ended"], [true, false]]);
  assert.deepEqual([it.find("h1").textContent, it.find("#heading").value], ["People!", "People!"]);
  it.type(it.find("#heading"), "?");
  await waitLong(it);
  assert.equal(openings(it), 1);
  it.fire(it.find("#retry"), "click");
  await it.clock.run(1000);
  assert.deepEqual([openings(it), shown(it)[0], offered(it), it.model().heading], [2, "live", [false, false], "People!?"]);
});

test("a hidden page that learns of its end by an edit opens no session as it is shown, and one that is unmounted none at all", async () => {
  for (const [answer, isUnmounted] of [[signedOut, false], [needed, true]]) {
    const it = await openPeople(page(words));
    let isHidden = true;
    Object.defineProperty(it.document, "hidden", { get: () => isHidden });
    it.fire(it.document, "visibilitychange");
    await it.clock.run(6000);
    answering(it, "/sessions/people/", () => answer);
    it.type(it.find("#heading"), "!");
    await it.clock.run(1000);
    assert.equal(shown(it)[0], "blocked");
    const before = openings(it);
    if (isUnmounted) it.script.root("people").unmount();
    isHidden = false;
    it.fire(it.document, "visibilitychange");
    await it.clock.run(60_000);
    assert.equal(openings(it), before);
    it.close();
  }
});

test("a reload of a session that ended for others opens none by itself", async () => {
  const first = await openPeople(page(words));
  const it = await openPeople(page(words), { ...left(first), settle: 0 });
  answering(it, "/sessions/people/s1", () => superseded);
  await it.clock.run(60_000);
  assert.deepEqual([openings(it), shown(it), offered(it)], [1, ["blocked", "ended"], [true, false]]);
});

test("a page without words of its own has some for each ending", async () => {
  for (const [answer, said] of [
    [signedOut, "You are signed out."],
    [superseded, "Closed, as too many others were opened here."],
  ]) {
    const it = await openPeople(page());
    answering(it, "/sessions/people/", () => answer);
    it.type(it.find("#heading"), "!");
    await it.clock.run(1000);
    assert.deepEqual(shown(it), ["blocked", said]);
    it.close();
  }
  const it = await openPeople(page(), { settle: 0 });
  answering(it, "/sessions/people", () => needed);
  await it.clock.run(1000);
  assert.deepEqual(shown(it), ["blocked", "Please sign in."]);
});

test("a wait that ends later hides no button that a person needs", async () => {
  const it = await openPeople(`${page(words)}<i data-vm-countdown></i>`);
  let isBusy = true;
  answering(it, "/state/", () => isBusy && [...refusal(503, "overloaded"), "20"]);
  it.type(it.find("#heading"), "!");
  await it.clock.run(1000);
  assert.match(it.find("i").textContent, /^(19|2[01])$/);
  answering(it, "/changes", () => superseded);
  it.server.change(it.server.only(), (model) => (model.done = ["news"]));
  await it.clock.run(60_000);
  assert.deepEqual([it.find("i").textContent, offered(it)], ["", [true, false]]);
});

for (const [told, refused, own] of [
  ["that is for others", refusal(403, "not-allowed", { detail: "'say' is for the role admin alone" }), 'data-not-allowed="Not for you."'],
  ["over which the server went down", refusal(500, "poisoned", { detail: "the server went down over this before" }), 'data-poisoned="Not for you."'],
]) {
  test(`an action ${told} is refused at its button, in the server's words or the page's, and is not sent again`, async () => {
    for (const [attribute, said] of [["", refused[1].detail], [own, "Not for you."]]) {
      const it = await openPeople(page(attribute));
      let sent = 0;
      answering(it, "/actions/say", () => (sent++, refused));
      it.fire(it.find("#say"), "click");
      await it.clock.run(60_000);
      assert.equal(it.find("#say").getAttribute("data-vm-refused"), said);
      assert.equal(sent, 1);
      assert.deepEqual(shown(it), ["live", "live"]);
      it.type(it.find("#heading"), "!");
      await it.clock.run(1000);
      assert.equal(it.model().heading, "People!", "all else goes on");
      it.close();
    }
  });
}
