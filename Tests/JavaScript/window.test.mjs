// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { fair, test } from "./opened.mjs";
import { addRows, openPeople } from "./people.mjs";

const markup = '<div id="box" data-vm-window="people"><ul><template data-vm-each="people"><li data-vm-text="#"></li></template></ul></div>';
const many = (model) => {
  addRows(model, ...Array.from({ length: 1000 }, (_, at) => `k${at}`));
  model.scroll = { first: 0, count: 50 };
};

/** Rows of 20 px in a box of 200 px, as a browser would measure them. */
function measured(view) {
  Object.defineProperty(view.window.HTMLElement.prototype, "offsetHeight", { get: () => 20 });
  Object.defineProperty(view.window.HTMLElement.prototype, "clientHeight", { get: () => 200 });
}

const puts = (it) => it.server.log.filter(({ method }) => method === "PUT").map(({ names, body }) => [names, JSON.parse(body)]);
const scroll = (it, top) => {
  it.find("#box").scrollTop = top;
  it.fire(it.find("#box"), "scroll");
};
const padding = (it) => it.find("ul").style.paddingBlock;

test("a window follows its container's scrolling by whole pages, one before and one behind the seen ones, with room for all the rows", async () => {
  const it = await openPeople(markup, { prepare: many, meet: measured });
  assert.deepEqual(puts(it), [["people window", { first: 0, count: 30 }]], "three pages of ten");
  assert.deepEqual([it.texts("li").length, padding(it)], [30, "0px 19400px"]);
  scroll(it, 5);
  scroll(it, 199);
  await it.clock.run(500);
  assert.equal(puts(it).length, 1, "within a page nothing is asked");
  scroll(it, 10010);
  await it.clock.run(500);
  assert.deepEqual(puts(it).at(-1), ["people window", { first: 490, count: 30 }]);
  assert.deepEqual([it.texts("li")[0], it.texts("li").at(-1), padding(it)], ["k490", "k519", "9800px 9600px"]);
});

test("one window is asked for at a time, and of those wanted meanwhile the last", async () => {
  const it = await openPeople(markup, { prepare: many, meet: measured, weather: { ...fair(), delay: [100, 100] }, settle: 2000 });
  for (let top = 1000; top <= 9000; top += 200) {
    scroll(it, top);
    await it.clock.run(3);
  }
  await it.clock.run(2000);
  assert.deepEqual(puts(it).slice(1), [["people window", { first: 40, count: 30 }], ["people window", { first: 440, count: 30 }]]);
  assert.equal(it.texts("li")[0], "k440");
});

test("a window that the server grants only in part is not asked for again and again", async () => {
  const it = await openPeople(markup, { prepare: many, meet: measured });
  await it.change((model) => (model.scroll = { first: 0, count: 5 }));
  await it.change((model) => (model.heading = "news"));
  assert.equal(puts(it).length, 1);
  assert.equal(padding(it), "0px 19900px");
});

test("a new session is asked for the window that is seen", async () => {
  const it = await openPeople(markup, { prepare: many, meet: measured });
  scroll(it, 2000);
  await it.clock.run(500);
  it.server.restart();
  await it.clock.run(10000);
  assert.deepEqual(it.model().scroll, { first: 90, count: 30 });
  assert.equal(it.texts("li")[0], "k90");
});

test("a window that is scrolled to is asked for again in another epoch, as after a restart of the server", async () => {
  const it = await openPeople(markup, { prepare: many, meet: measured });
  scroll(it, 10_010);
  await it.clock.run(500);
  const asked = puts(it).length;
  it.server.revive();
  await it.clock.run(60_000);
  assert.deepEqual(puts(it).slice(asked), [["people window", { first: 490, count: 30 }]]);
});

test("an empty list, one without a window and rows of no height ask for nothing", async () => {
  for (const [prepare, meet] of [[(model) => (model.scroll = { first: 0, count: 50 }), measured], [(model) => addRows(model, "a"), measured], [many, () => {}]]) {
    const it = await openPeople(markup, { prepare, meet });
    scroll(it, 0);
    await it.clock.run(500);
    assert.deepEqual(puts(it), []);
    assert.deepEqual(it.errors, []);
    it.close();
  }
});

test("a template is looked for where a row is new or has changed, and nowhere else", async () => {
  const kinded = '<div><template data-vm-each="people"><p data-vm-kind="text" data-vm-text="title"></p></template></div>';
  const keys = Array.from({ length: 100 }, (_, at) => `k${at}`);
  const it = await openPeople(kinded, {
    prepare(model) {
      addRows(model, ...keys);
      for (const row of model.rows.values()) row.kind = "text";
    },
  });
  const template = it.find("template");
  let looked = 0;
  Object.defineProperty(template.content.firstElementChild, "dataset", { get: () => ++looked && { vmKind: "text" } });
  await it.change((model) => (model.rows.get("k50").title = "changed"));
  assert.equal(it.texts("p")[50], "changed");
  assert.equal(looked, 1);
  await it.change((model) => {
    addRows(model, "new");
    model.rows.get("new").kind = "text";
  });
  assert.equal(it.texts("p").at(-1), "title of new");
  assert.equal(looked, 2);
});
