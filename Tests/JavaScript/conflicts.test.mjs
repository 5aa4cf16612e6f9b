// SPDX-License-Identifier: MIT
// Two people in one text: the page keeps what its person wrote, shows what the other one wrote, and asks.
import assert from "node:assert/strict";
import { deciding, fair, test } from "./opened.mjs";
import { openPeople } from "./people.mjs";

const markup = `<form data-vm-do="add"><input class="mine" data-vm-bind="heading"><button class="add">Add</button></form>
  <p class="conflict" data-vm-conflict="heading" role="status" hidden><span data-vm-text="heading"></span>
    <button type="button" data-vm-choose="mine">Mine</button><button type="button" data-vm-choose="theirs">Theirs</button></p>`;

async function open(options) {
  const it = await openPeople(markup, options);
  const field = it.find(".mine");
  /** The texts that the page shows: the one in the field, and the other one, if the page asks. */
  const shown = () => [field.value, it.find(".conflict").hidden ? undefined : it.find(".conflict span").textContent];
  const choose = async (whose) => {
    it.find(`[data-vm-choose=${whose}]`).click();
    await it.clock.run(500);
  };
  /** Somebody else writes. */
  const write = (text) => it.change((model) => (model.heading = text));
  /** The person writes a text, and goes on to be in the field. */
  const put = async (text, wait = 500) => {
    field.focus();
    field.value = text;
    it.fire(field, "input");
    await it.clock.run(wait);
  };
  return { ...it, field, shown, choose, write, put, heading: () => it.model().heading };
}

test("a page has no conflict while one person alone writes", async () => {
  const it = await open();
  assert.deepEqual(it.shown(), ["People", undefined]);
  for (const text of ["a", "ab", "abc"]) await it.put(text, 3);
  await it.clock.run(500);
  await it.put("abcd");
  it.field.blur();
  await it.write("News");
  assert.deepEqual([it.shown(), it.heading(), it.errors], [["News", undefined], "News", []]);
});

test("a text that somebody else changes while a person is in its field is a conflict, and the person's text stays", async () => {
  const it = await open();
  await it.put("Anna's");
  await it.write("Bob's");
  assert.deepEqual(it.shown(), ["Anna's", "Bob's"]);
  assert.deepEqual([it.field.validationMessage, it.field.getAttribute("aria-invalid"), it.field.dataset.vmRefused], ["Bob's", "true", undefined]);
  it.field.blur();
  await it.clock.run(500);
  assert.deepEqual([it.shown(), it.heading()], [["Anna's", "Bob's"], "Bob's"]);
});

test("text that is typed on during a conflict is not sent, and the newest text of the other one is shown", async () => {
  const it = await open();
  await it.put("Anna's");
  await it.write("Bob's");
  await it.put("Anna's own");
  await it.write("Bob's newest");
  assert.deepEqual([it.shown(), it.heading()], [["Anna's own", "Bob's newest"], "Bob's newest"]);
});

test("a person who chooses their own text has it sent, and one who chooses the other's has that in the field", async () => {
  for (const [whose, text] of [["mine", "Anna's own"], ["theirs", "Bob's"]]) {
    const it = await open();
    await it.put("Anna's");
    await it.write("Bob's");
    await it.put("Anna's own");
    await it.choose(whose);
    assert.deepEqual([it.shown(), it.heading(), it.document.activeElement], [[text, undefined], text, it.field]);
    await it.put("and on");
    assert.deepEqual([it.shown(), it.heading()], [["and on", undefined], "and on"]);
  }
});

test("an edit that is on its way when somebody else writes does not take their text away", async () => {
  const it = await open({ weather: { ...fair(), delay: [100, 100] }, settle: 2000 });
  await it.put("Anna's", 50);
  it.server.change(it.server.only(), (model) => (model.heading = "Bob's"));
  await it.clock.run(2000);
  assert.deepEqual([it.shown(), it.heading()], [["Anna's", "Bob's"], "Bob's"]);
});

test("letters that are typed while the letters before them are on their way are no conflict", async () => {
  const it = await open({ weather: { ...fair(), delay: [100, 100] }, settle: 2000 });
  for (const text of ["A", "An", "Ann", "Anna"]) await it.put(text, 60);
  await it.clock.run(2000);
  assert.deepEqual([it.shown(), it.heading(), it.errors], [["Anna", undefined], "Anna", []]);
});

test("a value that the view model writes in its own way is no conflict", async () => {
  const it = await open();
  deciding(it, (model, method, [name], value) => (name === "heading" ? { then: () => (model.heading = value.trim()) } : undefined));
  await it.put("Anna ");
  assert.deepEqual([it.shown(), it.heading()], [["Anna ", undefined], "Anna"]);
  await it.put("Anna B");
  assert.deepEqual([it.shown(), it.heading(), it.errors], [["Anna B", undefined], "Anna B", []]);
});

test("a conflict is over when both have written the same", async () => {
  const it = await open();
  await it.put("Anna's");
  await it.write("Bob's");
  await it.write("Anna's");
  assert.deepEqual(it.shown(), ["Anna's", undefined]);
});

test("a person may choose their own text and lose again to somebody who was quicker", async () => {
  const it = await open({ weather: { ...fair(), delay: [100, 100] }, settle: 2000 });
  await it.put("Anna's", 2000);
  await it.write("Bob's");
  it.find("[data-vm-choose=mine]").click();
  await it.clock.run(20);
  it.server.change(it.server.only(), (model) => (model.heading = "Bob's newest"));
  await it.clock.run(2000);
  assert.deepEqual([it.shown(), it.heading()], [["Anna's", "Bob's newest"], "Bob's newest"]);
});

test("an action of the same group waits until the person has chosen, and says why", async () => {
  const it = await open();
  await it.put("Anna's");
  await it.write("Bob's");
  it.submit(it.find("form"));
  await it.clock.run(1000);
  assert.deepEqual([it.model().done, it.find(".add").dataset.vmRefused, it.shown()], [[], "Somebody else was quicker", ["Anna's", "Bob's"]]);
  await it.choose("mine");
  it.submit(it.find("form"));
  await it.clock.run(1000);
  assert.deepEqual([it.model().done.length, it.heading()], [1, "Anna's"]);
});

test("a server that was started again is no conflict, and neither is a value that it did not change", async () => {
  const it = await open();
  await it.put("Anna's");
  it.weather.down = true;
  await it.put("Anna's own");
  it.server.revive();
  it.weather.down = false;
  await it.clock.run(60_000);
  assert.deepEqual([it.shown(), it.heading()], [["Anna's own", undefined], "Anna's own"]);
});

test("a server that was started again, with another text, is a conflict", async () => {
  const it = await open();
  await it.put("Anna's");
  it.weather.down = true;
  await it.put("Anna's own");
  it.server.revive();
  it.server.change(it.server.only(), (model) => (model.heading = "Bob's"));
  it.weather.down = false;
  await it.clock.run(60_000);
  assert.deepEqual([it.shown(), it.heading()], [["Anna's own", "Bob's"], "Bob's"]);
});

test("a conflict is still one after the page is loaded again", async () => {
  const it = await open();
  await it.put("Anna's");
  await it.write("Bob's");
  it.fire(it.window, "pagehide", { persisted: false });
  await it.clock.run(500);
  it.close();
  const again = await open({ of: it.server, storage: it.storage, clock: it.clock, loading: "reload", seed: 2 });
  assert.deepEqual([again.shown(), again.heading()], [["Anna's", "Bob's"], "Bob's"]);
  await again.choose("mine");
  assert.deepEqual([again.shown(), again.heading()], [["Anna's", undefined], "Anna's"]);
});

test("a page without a place for conflicts sends no condition, and its last writer wins", async () => {
  const it = await openPeople('<input data-vm-bind="heading">');
  let conditions = 0;
  const { handle } = it.server;
  it.server.handle = function (method, address, headers, ...rest) {
    if (headers?.["if-match"]) conditions++;
    handle.call(this, method, address, headers, ...rest);
  };
  it.find("input").focus();
  it.type(it.find("input"), "!");
  await it.clock.run(500);
  await it.change((model) => (model.heading = "Bob's"));
  it.type(it.find("input"), "?");
  await it.clock.run(500);
  assert.deepEqual([it.model().heading, conditions], ["People!?", 0]);
});
