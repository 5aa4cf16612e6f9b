// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { deciding, seen, test } from "./opened.mjs";
import { seeds } from "./random.mjs";
import { open } from "./todo.mjs";

/** Types the text, one key every `pace` milliseconds. ⏎ submits the field's form, and ⌫ takes the last letter back. */
async function keys(it, text, pace = 60) {
  it.field.focus();
  for (const key of text) {
    if (key === "⏎") it.submit(it.form);
    else if (key === "⌫") {
      it.field.value = it.field.value.slice(0, -1);
      it.fire(it.field, "input");
    } else it.type(it.field, key);
    await it.clock.run(pace);
  }
}

for (const latency of [0, 5, 30, 100, 200, 1000]) {
  test(`typed on and on at ${latency} ms of latency each way, three things to do are three`, async () => {
    const it = await open({ delay: [latency, latency] });
    await keys(it, "milk⏎eggs⏎bread⏎");
    await it.clock.run(20000);
    assert.deepEqual([it.model().items, it.model().draft, it.field.value], [["milk", "eggs", "bread"], "", ""]);
    assert.deepEqual(it.errors, []);
  });
}

test("a field that an action empties by null is empty but for the text typed on", async () => {
  const it = await open();
  deciding(it, (model, method, [name]) => (name === "add" ? { then: () => model.items.push(model.draft) && (model.draft = null) } : undefined));
  await keys(it, "milk⏎eggs⏎");
  await it.clock.run(2000);
  assert.deepEqual([it.model().items, it.model().draft, it.field.value], [["milk", "eggs"], null, ""]);
});

test("a text that is typed on is seen at once, and is all that is left when the action is answered", async () => {
  const it = await open();
  await keys(it, "milk⏎eg");
  assert.deepEqual(await seen(it, () => it.field.value), ["milkeg", "eg"]);
  await keys(it, "gs");
  await it.clock.run(1000);
  assert.deepEqual([it.field.value, it.model().draft, it.model().items], ["eggs", "eggs", ["milk"]]);
});

test("the caret stays in the text typed on", async () => {
  const it = await open();
  await keys(it, "milk⏎eggs", 0);
  it.field.setSelectionRange(5, 7);
  await it.clock.run(2000);
  assert.deepEqual([it.field.value, it.field.selectionStart, it.field.selectionEnd], ["eggs", 1, 3]);
});

test("a text that replaces another while an action is under way is no typing on: it stays as it is", async () => {
  const it = await open();
  await keys(it, "milk⏎", 0);
  it.field.select();
  it.type(it.field, "milestone");
  await it.clock.run(2000);
  assert.deepEqual([it.field.value, it.model().draft, it.model().items], ["milestone", "milestone", ["milk"]]);
});

test("each of several actions under way leaves the text typed on after it, also where the text was replaced in between", async () => {
  const it = await open({ delay: [300, 300] });
  await keys(it, "milk⏎eggs⏎");
  it.field.select();
  await keys(it, "bread⏎s");
  await it.clock.run(20000);
  assert.deepEqual([it.model().items, it.model().draft, it.field.value], [["milk", "eggs", "bread"], "s", "s"]);
});

test("a text that an action does not change is left as it was typed, spaces and all", async () => {
  const it = await open();
  await keys(it, "milk ");
  await it.clock.run(1000);
  assert.deepEqual([it.field.value, it.model().draft], ["milk ", "milk"]);
  it.fire(it.find("i"), "click");
  await keys(it, "and eggs");
  await it.clock.run(1000);
  assert.deepEqual([it.field.value, it.model().draft, it.model().items], ["milk and eggs", "milk and eggs", ["touched"]]);
});

test("an action's effect that a poll has shown before its answer came is not put before the text behind it again", async () => {
  const it = await open({ delay: [5, 5] });
  const { handle } = it.server;
  it.server.handle = function (method, address, headers, body, answer) {
    handle.call(this, method, address, headers, body, (...result) => {
      if (address.includes("/actions/")) it.clock.set(() => answer(...result), 500);
      else answer(...result);
    });
  };
  it.fire(it.find("b"), "click");
  await it.clock.run(100);
  const note = it.find("#note");
  assert.equal(note.value, "noted: ", "the poll was first");
  note.focus();
  it.type(note, "x");
  await it.clock.run(2000);
  assert.deepEqual([note.value, it.model().note], ["noted: x", "noted: x"]);
});

test("an answer that comes during a composition leaves it undisturbed, takes the text before it off what is sent, and holds nothing up", async () => {
  const it = await open();
  await keys(it, "milk⏎", 0);
  it.fire(it.field, "compositionstart");
  for (const text of ["n", "ni", "nihao"]) {
    it.field.value = "milk" + text;
    it.fire(it.field, "input", { isComposing: true });
    await it.clock.run(1000);
    assert.deepEqual([it.field.value, it.model().draft], ["milk" + text, text]);
  }
  it.field.value = "milk你好";
  it.fire(it.field, "compositionend");
  await it.clock.run(2000);
  assert.deepEqual([it.field.value, it.model().draft, it.model().items], ["你好", "你好", ["milk"]]);
});

test("a composition in a field that goes away holds nothing up", async () => {
  const it = await open();
  await keys(it, "milk⏎", 0);
  it.fire(it.field, "compositionstart");
  it.field.remove();
  await it.clock.run(2000);
  it.fire(it.find("i"), "click");
  await it.clock.run(2000);
  assert.deepEqual(it.model().items, ["milk", "touched"]);
});

for (const returns of [true, false]) {
  test(`a page that is left while an action is under way takes along the text typed on, as it is shown${returns ? ", and leaves it so when it comes back" : ""}`, async () => {
    const it = await open();
    await keys(it, "milk⏎eggs");
    it.fire(it.window, "pagehide");
    if (!returns) it.world.fetch = () => new Promise(() => {});
    await it.clock.run(5000);
    assert.deepEqual([it.model().items, it.model().draft], [["milk"], "milkeggs"]);
    if (returns) assert.equal(it.field.value, "milkeggs");
    assert.deepEqual(it.server.applied.map(({ names, body }) => body ?? names), ['"m"', '"milk"', "add", '"milkeggs"']);
  });
}

test("a choice is no text: one made after an action stands, though its name begins as the one before it", async () => {
  const choice = '<select data-vm-bind="note"><option></option><option>1</option><option>10</option><option>2</option></select><i data-vm-do="touch"></i>';
  const it = await open({ markup: `<form><input></form>${choice}` });
  deciding(it, (model, method, [name]) => (name === "touch" ? { then: () => (model.note = "2") } : undefined));
  const choose = (value) => {
    it.find("select").value = value;
    it.fire(it.find("select"), "input");
  };
  choose("1");
  await it.clock.run(1000);
  it.fire(it.find("i"), "click");
  choose("10");
  await it.clock.run(2000);
  assert.deepEqual([it.find("select").value, it.model().note], ["10", "10"]);
});

test("a range or a colour that has no value of its own takes the server's: the browser's is nobody's edit", async () => {
  for (const [type, value] of [["range", 25], ["color", "#112233"]]) {
    const it = await open({ markup: `<form><input type="${type}" data-vm-bind="note"></form>`, prepare: (model) => (model.note = value) });
    assert.equal(it.field.value, String(value));
    assert.deepEqual(it.server.applied, []);
    it.field.value = type === "range" ? "75" : "#445566";
    it.fire(it.field, "input");
    await it.clock.run(1000);
    assert.equal(String(it.model().note), it.field.value);
    it.close();
  }
});

test("with compose=end only what a composition ends with is sent", async () => {
  const late = await open({ markup: '<form><input data-vm-bind="note" data-vm-compose="end"></form>' });
  late.fire(late.field, "compositionstart");
  late.field.value = "ni";
  late.fire(late.field, "input", { isComposing: true });
  await late.clock.run(500);
  assert.deepEqual(late.server.applied, []);
  late.fire(late.field, "compositionend");
  await late.clock.run(500);
  assert.equal(late.model().note, "ni");
});

for (const [name, count, weather] of [
  ["slow", 20, { delay: [20, 600], lose: 0, busy: 0 }],
  ["bad", 40, { delay: [5, 300], lose: 0.1, busy: 0.1 }],
]) {
  test(`over a ${name} network, people type things to do without waiting: each letter is in one thing or in the field, in its order and once`, async () => {
    for (const seed of seeds(count)) {
      const it = await open({ seed });
      const { dice } = it;
      Object.assign(it.weather, weather);
      const words = [""];
      for (let step = 0; step < 60; step++) {
        const key = dice.chance(0.25) ? "⏎" : dice.pick(["a", "b", "字", "é"]);
        if (key === "⏎") words.push("");
        else words.push(words.pop() + key);
        await keys(it, key, dice.below(dice.chance(0.1) ? 2000 : 120));
        if (dice.chance(0.05)) it.field.blur();
      }
      Object.assign(it.weather, { delay: [5, 40], lose: 0, busy: 0 });
      await it.clock.run(120000);
      const { items, draft } = it.model();
      const note = `seed ${seed}`;
      assert.equal([...items, draft].join(""), words.join(""), note);
      // A client whose connection is lost for long refuses an Enter, and says so.
      if (!it.errors.some(({ type }) => /offline|session-ended/.test(type))) assert.deepEqual([...items, draft], [...words.slice(0, -1).filter(Boolean), words.at(-1)], note);
      else assert.equal(name, "bad", note);
      assert.equal(it.field.value, draft, note);
      assert.equal(it.document.querySelectorAll("[data-vm-pending], [aria-busy]").length, 0, note);
      it.close();
    }
  });
}
