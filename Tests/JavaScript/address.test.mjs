// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { left, openPage, test } from "./opened.mjs";
import { seeded, seeds } from "./random.mjs";

/** Folders in folders. The address is the path of the open folder. No folder has a name that begins with an x. */
const folders = {
  name: "folders",
  create: () => ({ path: [] }),
  view: ({ path }) => structuredClone({ path, title: path.at(-1) ?? "All" }),
  address: ({ path }) => ["/folders", ...path].join("/"),
  go(model, address) {
    if (!address.startsWith("/folders")) return 422;
    const steps = address.split("/").slice(2).filter(Boolean);
    const end = steps.findIndex((step) => step[0] === "x");
    model.path = end < 0 ? steps : steps.slice(0, end);
  },
  handle: (model, method, [name], value) => ({ then: () => name === "open" && !model.path.includes(value) && model.path.push(value) }),
};

const body = `<main data-vm-root="folders" data-vm-at="/folders"><h1 data-vm-heading data-vm-text="title"></h1><p data-vm-announce></p>
  <a class="own" href="/folders/c">c</a><a class="other" href="/login">login</a><button data-vm-do="open" data-vm-arg="=b">b</button></main>`;

async function open(path, { markup = body, meet = () => {}, ...options } = {}) {
  // jsdom gives no element a box.
  const boxed = (view) => {
    view.find("h1").getClientRects = () => [{}];
    meet(view);
  };
  const it = await openPage(markup, { kind: folders, url: "http://server" + path, meet: boxed, ...options });
  const run = (time = 500) => it.clock.run(time);
  const { history, location } = it.world;
  const shown = () => [location.pathname, it.find("h1").textContent, history.length];
  return { ...it, run, shown, history, location, path: () => it.model().path };
}

test("a session is opened at the page's address, and one that leads nowhere is shown as far as it leads", async () => {
  const it = await open("/folders/a/x/b");
  assert.deepEqual(it.path(), ["a"]);
  assert.deepEqual(it.shown(), ["/folders/a", "a", 1]);
});

test("a page that does not lie at the place has its own address, and opens without one", async () => {
  const it = await open("/other.html");
  it.fire(it.find("button"), "click");
  await it.run();
  assert.deepEqual(it.shown(), ["/other.html", "b", 1]);
});

test("a change of the state's address is an entry of the history, and back and forward are a change of the state", async () => {
  const it = await open("/folders/a");
  it.fire(it.find("button"), "click");
  await it.run();
  assert.deepEqual(it.shown(), ["/folders/a/b", "b", 2]);
  it.history.back();
  await it.run();
  assert.deepEqual([it.shown(), it.path()], [["/folders/a", "a", 2], ["a"]]);
  it.history.forward();
  await it.run();
  assert.deepEqual([it.shown(), it.path()], [["/folders/a/b", "b", 2], ["a", "b"]]);
});

test("a link below the place is followed without a load, and goes into the history once; another is not touched", async () => {
  const it = await open("/folders/a");
  const followed = (selector, init) => !it.fire(it.find(selector), "click", { button: 0, ...init });
  assert.equal(followed(".own"), true);
  await it.run();
  assert.deepEqual(it.shown(), ["/folders/c", "c", 2]);
  assert.equal(followed(".own"), true);
  await it.run();
  assert.deepEqual(it.shown(), ["/folders/c", "c", 2]);
  assert.equal(it.document.activeElement, it.find("h1"), "the heading has the focus");
  assert.equal(it.find("[data-vm-announce]").textContent, "c");
  assert.equal(followed(".own", { ctrlKey: true }), false);
  assert.equal(followed(".other"), false);
});

test("another value in an address's query is a step of the history, and scrolls nowhere", async () => {
  const kind = { ...folders, address: ({ path }) => "/folders?open=" + path.length, go: () => undefined };
  const it = await open("/folders", { kind });
  it.world.scrollTo(0, 300);
  it.fire(it.find("button"), "click");
  await it.run();
  assert.deepEqual([it.location.search, it.history.length, it.world.scrollY], ["?open=1", 2, 300]);
});

test("a page that another window has opened stays where the person has scrolled", async () => {
  const it = await open("/folders/a");
  it.world.scrollTo(0, 300);
  it.server.change(it.server.only(), ({ path }) => path.push("z"));
  await it.run();
  assert.deepEqual([it.shown(), it.world.scrollY], [["/folders/a/z", "z", 2], 300]);
});

test("a link is the browser's affair while nobody could take its address", async () => {
  const it = await open("/folders/a");
  it.connect(false);
  await it.run();
  assert.equal(it.fire(it.find(".own"), "click", { button: 0 }), true);
  await it.run();
  assert.deepEqual(it.shown(), ["/folders/a", "a", 1]);
});

test("back and forward bring the scroll position back, over a reload as well", async () => {
  const it = await open("/folders/a");
  const scrolled = async (view, by) => {
    view.history[by]();
    await view.run();
    return [view.location.pathname, view.world.scrollY];
  };
  it.world.scrollTo(0, 300);
  it.fire(it.find("button"), "click");
  await it.run();
  assert.equal(it.world.scrollY, 0, "a new page begins at its top");
  it.world.scrollTo(0, 120);
  assert.deepEqual(await scrolled(it, "back"), ["/folders/a", 300]);
  it.world.scrollTo(0, 310);
  assert.deepEqual(await scrolled(it, "forward"), ["/folders/a/b", 120]);
  assert.deepEqual(await scrolled(it, "back"), ["/folders/a", 310]);
  const again = await open("/folders/a", { ...left(it), entries: it.history, loading: "reload", seed: 2 });
  assert.deepEqual([again.location.pathname, again.world.scrollY], ["/folders/a", 310]);
  assert.deepEqual(await scrolled(again, "forward"), ["/folders/a/b", 120]);
});

test("back and forward within one round trip end where the person is, and forget no scroll position", async () => {
  const it = await open("/folders/a");
  it.world.scrollTo(0, 300);
  it.fire(it.find("button"), "click");
  await it.run();
  it.world.scrollTo(0, 120);
  it.history.back();
  await it.run(1);
  it.history.forward();
  await it.run(2000);
  assert.deepEqual([it.shown(), it.path(), it.world.scrollY], [["/folders/a/b", "b", 2], ["a", "b"], 120]);
  it.history.back();
  await it.run();
  assert.deepEqual([it.location.pathname, it.world.scrollY], ["/folders/a", 300]);
});

test("a title is that of the last element that has one, set behind the address, and goes with its row", async () => {
  const folder = (model) => folders.view(model);
  const kind = { ...folders, view: (model) => ({ ...folder(model), pages: { order: ["all", ...model.path], items: Object.fromEntries(["all", ...model.path].map((key) => [key, { name: key === "c" ? null : key }])) } }) };
  const rows = '<template data-vm-each="pages"><p data-vm-title="name"></p></template>';
  const titles = [];
  const it = await open("/folders", { kind, markup: `<title>Own</title>${body.replace("<h1", rows + "<h1")}`, meet: ({ document, world }) => {
    const { pushState } = world.history;
    world.history.pushState = function (...more) {
      titles.push(document.title);
      pushState.apply(this, more);
    };
  } });
  assert.equal(it.document.title, "all");
  it.fire(it.find("button"), "click");
  await it.run();
  assert.deepEqual([it.document.title, titles], ["b", ["all"]], "the entry that is left keeps its title");
  it.fire(it.find(".own"), "click", { button: 0 });
  await it.run();
  assert.deepEqual([it.document.title, titles], ["all", ["all", "b"]], "an empty title is none");
  it.history.back();
  await it.run();
  assert.equal(it.document.title, "b");
  it.history.back();
  await it.run();
  assert.equal(it.document.title, "all");
  it.script.root("folders").unmount();
  await it.run();
  assert.equal(it.document.title, "Own");
});

test("an older state's address is no news while a person is on the way elsewhere", async () => {
  const it = await open("/folders/a");
  it.fire(it.find("button"), "click");
  await it.run();
  it.history.back();
  await it.run(1);
  it.server.change(it.server.only(), (model) => model.path.push("z"));
  await it.run(2000);
  assert.deepEqual([it.shown()[0], it.path()], ["/folders/a", ["a"]]);
});

test("a known session follows an address that was typed, and a reload goes on where the session is", async () => {
  const first = await open("/folders/a");
  const typed = await open("/folders/d", { ...left(first), settle: 1000 });
  assert.deepEqual([typed.path(), typed.shown()[0]], [["d"], "/folders/d"]);
  const tab = left(typed);
  const { server } = typed;
  server.only().model.path = ["e"];
  server.only().history.push(folders.view(server.only().model));
  const reloaded = await open("/folders/d", { ...tab, loading: "reload", settle: 1000 });
  assert.deepEqual([reloaded.path(), reloaded.shown()[0]], [["e"], "/folders/e"]);
});

test("a field that is typed into keeps the focus on another page, and another window's step moves no focus", async () => {
  const it = await open("/folders/a");
  const input = it.document.createElement("input");
  it.find("main").append(input);
  it.fire(it.find("button"), "click");
  input.focus();
  await it.run();
  assert.deepEqual([it.shown()[0], it.document.activeElement], ["/folders/a/b", input]);
  input.blur();
  it.server.change(it.server.only(), (model) => model.path.push("z"));
  await it.run(2000);
  assert.deepEqual([it.shown()[0], it.document.activeElement], ["/folders/a/b/z", it.document.body]);
});

test("a place in this page, a download and a link that leads elsewhere are the browser's affair", async () => {
  const it = await open("/folders/a");
  const followed = (html) => {
    const holder = it.document.createElement("p");
    holder.innerHTML = html;
    it.find("main").append(holder);
    return !it.fire(holder.firstChild, "click", { button: 0 });
  };
  assert.equal(followed('<a href="/folders/a#end">end</a>'), false);
  assert.equal(followed('<a download href="/folders/c">file</a>'), false);
  assert.equal(followed('<a target="_blank" href="/folders/c">new</a>'), false);
  assert.equal(followed('<a rel="external" href="/folders/c">all of it</a>'), false);
  assert.equal(followed('<a href="/folders/c/xyz">nowhere</a>'), true);
  await it.run();
  assert.deepEqual(it.location.assigned.map((each) => new URL(each).pathname), ["/folders/c/xyz"]);
});

test("back over a session that was lost leads there in the new one", async () => {
  const it = await open("/folders/a");
  it.fire(it.find("button"), "click");
  await it.run();
  it.server.restart();
  it.history.back();
  await it.run(5000);
  assert.deepEqual([it.shown()[0], it.path()], ["/folders/a", ["a"]]);
});

/**
 * The page that a browser loads after another in the same tab: it has the history and the kept state of that one.
 * `arrives` says whether the requests that were sent as the page was left arrive, or are lost.
 */
async function load(it, loading, seed, arrives) {
  it.fire(it.window, "pagehide");
  it.world.fetch = () => new Promise(() => {});
  if (arrives) await it.run(100);
  const { storage, server, history, location } = it;
  it.close();
  return open(location.pathname, { of: server, storage, entries: history, loading, seed, settle: 0 });
}

/**
 * Runs for `time` milliseconds. If the page has then left for a link that the view model leads elsewhere, loads
 * that page.
 */
async function settle(it, time, seed) {
  await it.run(time);
  const link = it.location.assigned.at(-1);
  if (!link) return it;
  it.history.pushState(null, "", link);
  const next = await load(it, "navigate", seed, true);
  await next.run(time);
  return next;
}

for (const seed of seeds(60)) {
  test(`walk ${seed}: the address shown is that of the state shown after each settled step, over steps, back, forward and reloads`, async () => {
    const dice = seeded(seed);
    let it = await open("/folders", { seed });
    for (let step = 0; step < 14; step++) {
      const kind = Math.floor(dice.random() * 6);
      if (kind === 0) it.fire(it.find("button"), "click");
      else if (kind === 1) it.fire(it.find(".own"), "click", { button: 0 });
      else if (kind === 2) it.history.back();
      else if (kind === 3) it.history.forward();
      else if (kind === 4) it.server.change(it.server.only(), (model) => (model.path = dice.chance(0.5) ? [] : ["o", "p"]));
      else it = await load(it, "reload", 1000 * seed + step, dice.chance(0.5));
      const isSettled = dice.chance(0.5) || step === 13;
      it = await settle(it, isSettled ? 5000 : 10, 1000 * seed + step);
      if (!isSettled) continue;
      const { state } = it.script.root("folders");
      assert.equal(it.location.pathname, folders.address(state), `step ${step}`);
      assert.equal(it.find("h1").textContent, state.title, `step ${step}`);
      assert.deepEqual(state, folders.view(it.server.only().model), `step ${step}`);
    }
  });
}
