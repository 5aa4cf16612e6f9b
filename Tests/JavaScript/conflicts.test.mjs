// SPDX-License-Identifier: MIT
// Two people in one text: the page keeps what its person wrote, shows what the other one wrote, and asks.
import assert from "node:assert/strict";
import { answering, deciding, fair, left, openPage, test } from "./opened.mjs";
import { addRows, openPeople, people } from "./people.mjs";

const markup = `<form data-vm-do="add"><input class="mine" data-vm-bind="heading"><button class="add">Add</button></form>
  <p class="conflict" data-vm-conflict="heading" role="status" hidden><span data-vm-text="heading"></span>
    <button type="button" data-vm-choose="mine">Mine</button><button type="button" data-vm-choose="theirs">Theirs</button></p>
  <button class="elsewhere" data-vm-do="say"></button>`;
const place = markup.slice(markup.indexOf("<p"));
const slow = { weather: { ...fair(), delay: [100, 100] }, settle: 2000 };

async function open(options, html = markup) {
  const it = await openPeople(html, options);
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
  const put = async (text, wait = 500, field = it.find(".mine")) => {
    field.focus();
    field.value = text;
    it.fire(field, "input");
    await it.clock.run(wait);
  };
  /** Somebody else writes, and the page does not hear of it at once. */
  const bob = (text) => it.server.change(it.server.only(), (model) => (model.heading = text));
  return { ...it, field, shown, choose, write, put, bob, heading: () => it.model().heading };
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

test("letters that are typed while the letters before them are on their way are no conflict", async () => {
  const it = await open({ weather: { ...fair(), delay: [100, 100] }, settle: 2000 });
  for (const text of ["A", "An", "Ann", "Anna"]) await it.put(text, 60);
  await it.clock.run(2000);
  assert.deepEqual([it.shown(), it.heading(), it.errors], [["Anna", undefined], "Anna", []]);
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

test("a conflict is still one after the page is loaded again", async () => {
  const it = await open();
  await it.put("Anna's");
  await it.write("Bob's");
  const again = await open({ ...left(it), clock: it.clock, loading: "reload", seed: 2 });
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

/** Opens the page, lets `act` happen, and says what it shows and what the server has in the end. */
const outcome = async (act, options = slow, html) => {
  const it = await open(typeof options === "function" ? options() : { ...options, weather: options.weather && { ...options.weather } }, html);
  await act(it);
  await it.clock.run(3000);
  return [it.shown(), it.heading()];
};
const conflict = [["Anna's", "Bob's"], "Bob's"];

for (const [name, act, options, html] of [
  ["an edit that is on its way", async (it) => {
    await it.put("Anna's", 50);
    it.bob("Bob's");
  }],
  ["a server that was started again", async (it) => {
    await it.put("Anna");
    it.weather.down = true;
    await it.put("Anna's");
    it.server.revive();
    it.bob("Bob's");
    it.weather.down = false;
    await it.clock.run(60_000);
  }, {}],
  ["a room that began anew", async (it) => {
    await it.put("Anna's");
    it.server.restart();
    const { create } = it.server.kind;
    it.server.kind = { ...it.server.kind, create: () => ({ ...create(), heading: "Bob's" }) };
    await it.clock.run(60_000);
  }, {}],
  ["news that is not drawn yet, as another field's edit is under way", async (it) => {
    await it.put("x", 5, it.find(".other"));
    it.bob("Bob's");
    await it.clock.run(150);
    await it.put("Anna's");
  }, slow, markup + '<input class="other" data-vm-bind="other">'],
  ["news that comes into a composition before its first letter", async (it) => {
    it.field.focus();
    it.fire(it.field, "compositionstart");
    await it.write("Bob's");
    await it.put("Anna's");
    it.fire(it.field, "compositionend");
  }, {}],
  ["an action of another group that is answered meanwhile", async (it) => {
    await it.put("Anna's");
    await it.write("Bob's");
    it.find(".elsewhere").click();
    await it.clock.run(500);
    it.submit(it.find("form"));
  }, {}],
  ["an action of another group that is under way", async (it) => {
    it.find(".elsewhere").click();
    await it.clock.run(10);
    it.bob("Bob's");
    await it.put("Anna's");
  }],
  ["an edit, an action and an edit within one trip", async (it) => {
    it.bob("Bob's");
    await it.put("Anna", 20);
    it.find(".elsewhere").click();
    await it.clock.run(5);
    await it.put("Anna's");
  }],
  ["a server that cannot say the state once", async (it) => {
    let refusals = 0;
    answering(it, "/changes", (method, headers) => !headers?.prefer && !refusals++ && [503, { type: "/problems/overloaded", title: "Busy", status: 503 }]);
    await it.put("Anna's", 50);
    it.bob("Bob's");
  }],
  ["a page that is left with text that waits for a pause", async (it) => {
    await it.put("Anna's", 100);
    await it.write("Bob's");
    it.fire(it.window, "pagehide", { persisted: true });
  }, {}, markup.replace('class="mine"', 'class="mine" data-vm-debounce="1000"')],
  ["an edit before it that is refused", async (it) => {
    deciding(it, (model, method, [name], value) => (value === "bad" ? { refused: 422 } : undefined));
    await it.put("bad", 10);
    await it.put("Anna's", 40);
    it.bob("Bob's");
  }],
  ["an action of its own form that is under way", async (it) => {
    it.bob("Bob's");
    it.submit(it.find("form"));
    await it.clock.run(20);
    await it.put("Anna's");
  }],
  ["two fields of one path, each of which is written in", async (it) => {
    await it.put("Anna", 20);
    await it.put("Anna's", 5);
    it.bob("Bob's");
  }, slow, markup + '<input data-vm-bind="heading">'],
  ["two fields of one path", async (it) => {
    await it.put("Anna's");
    await it.write("Bob's");
  }, {}, markup + '<input data-vm-bind="heading">'],
]) {
  test(`nobody's word is lost by ${name}`, async () => assert.deepEqual(await outcome(act, options, html), conflict));
}

test("a conflict whose element has no words, or shows an empty text, keeps the person's", async () => {
  const wordless = markup.replace('<span data-vm-text="heading"></span>', "<span></span>");
  const act = async (it) => {
    await it.put("Anna's");
    await it.write("");
  };
  assert.deepEqual(await outcome(act, {}, wordless), [["Anna's", ""], ""]);
});

for (const [name, wait, html] of [["a newer edit in the queue", 50, markup], ["a pause that is not over", 650, markup.replace('class="mine"', 'class="mine" data-vm-debounce="600"')]]) {
  test(`a person who chooses the other's text is not overruled by ${name}`, async () => {
    const chosen = await outcome(async (it) => {
      await it.put("Anna", wait);
      await it.put("Anna B", 10);
      it.bob("Bob's");
      while (it.find(".conflict").hidden) await it.clock.run(10);
      await it.choose("theirs");
    }, slow, html);
    assert.deepEqual(chosen, [["Bob's", undefined], "Bob's"]);
  });
}

for (const [name, input, first, mine, theirs] of [
  ["choice among radio buttons", ["A", "B", "C"].map((each) => `<input type="radio" name="r" value="${each}" data-vm-bind="heading">`).join(""), "A", "[value=B]", "C"],
  ["choice of a select", '<select data-vm-bind="heading"><option>A<option>B<option>C</select>', "A", "select", "C"],
  ["day whose hour somebody else changes", '<input type="date" data-vm-bind="heading">', "2026-11-23T10:00:00Z", "input", "2026-11-23T15:00:00Z"],
]) {
  test(`a ${name} is not overwritten unseen`, async () => {
    const it = await open({ ...slow, weather: { ...slow.weather }, prepare: (model) => (model.heading = first) }, input + place);
    const field = it.find(mine);
    if (field.type === "radio") field.checked = true;
    else field.value = field.type === "date" ? "2026-11-25" : "B";
    it.fire(field, "input");
    await it.clock.run(50);
    it.bob(theirs);
    await it.clock.run(3000);
    assert.equal(it.heading(), theirs);
    assert.equal(it.find(".conflict").hidden, false);
    it.find("[data-vm-choose=mine]").click();
    await it.clock.run(1000);
    assert.equal(it.heading(), field.value);
  });
}

test("edits that go out together as a page is left are one request, with the version of each", async () => {
  const it = await open({}, '<input class="mine" data-vm-debounce="9999" data-vm-bind="heading"><input class="two" data-vm-debounce="9999" data-vm-bind="other">' + place);
  await it.put("Anna's", 10);
  await it.put("also", 10, it.find(".two"));
  it.fire(it.window, "pagehide", { persisted: true });
  await it.clock.run(500);
  const [{ body }] = it.server.log.filter(({ path }) => path.endsWith("/actions"));
  assert.deepEqual(JSON.parse(body), [{ set: "/heading", value: "Anna's", ifMatch: '"e1.1"' }, { set: "/other", value: "also" }]);
});

test("an edit of a row that has left the window does not overwrite what somebody else wrote there", async () => {
  const list = `<div data-vm-window="people"><ul><template data-vm-each="people"><li><input data-vm-bind="title"><p data-vm-conflict="title" hidden></p></li></template></ul></div>`;
  const it = await openPeople(list, { ...slow, weather: { ...slow.weather }, prepare: (model) => (addRows(model, "a", "b"), (model.scroll = { first: 0, count: 2 })) });
  const field = it.document.querySelectorAll("input")[1];
  field.focus();
  it.type(field, " of Anna");
  await it.clock.run(50);
  it.server.change(it.server.only(), (model) => {
    model.rows.get("b").title = "Bob's";
    addRows(model, "z");
    model.order.unshift(model.order.pop());
  });
  await it.clock.run(5000);
  assert.equal(it.model().rows.get("b").title, "Bob's");
});

test("a text that its person wrote offline in a row that somebody else has removed is told with the refusal", async () => {
  const list = `<ul><template data-vm-each="people"><li><input data-vm-bind="title"><p data-vm-conflict="title" hidden></p></li></template></ul>`;
  const it = await openPeople(list, { prepare: (model) => addRows(model, "a", "b") });
  const told = [];
  it.document.addEventListener("vm:error", ({ detail }) => told.push(detail));
  it.weather.down = true;
  const field = it.document.querySelectorAll("input")[1];
  field.focus();
  it.type(field, ", and Bert's words");
  await it.clock.run(500);
  it.server.change(it.server.only(), (model) => {
    model.rows.delete("b");
    model.order.pop();
  });
  it.weather.down = false;
  await it.clock.run(60_000);
  assert.equal(field.isConnected, false);
  assert.deepEqual(told.map(({ text, element }) => [text, element === field]), [["title of b, and Bert's words", true]]);
});

test("one person who writes is in no conflict with a view model that trims their text and has a clock", async () => {
  const it = await open({ ...slow, weather: { ...slow.weather } });
  deciding(it, (model, method, [name], value) => (name === "heading" ? { then: () => (model.heading = value.trim()) } : undefined));
  const tick = () => {
    it.server.change(it.server.only(), (model) => model.done.push(model.done.length));
    it.clock.set(tick, 150);
  };
  tick();
  for (let word = 0; word < 20; word++) {
    await it.put(`word ${word} `, 700);
    assert.deepEqual([it.shown(), it.heading(), it.errors], [[`word ${word} `, undefined], `word ${word}`, []]);
  }
});

test("text that the person's own form, script and back button have made is no conflict", async () => {
  const emptied = await open();
  deciding(emptied, (model, method, [name]) => (name === "add" ? { then: () => (model.heading = "") } : undefined));
  await emptied.put("Anna's");
  emptied.submit(emptied.find("form"));
  await emptied.put("Anna's next", 0);
  await emptied.clock.run(1000);
  assert.deepEqual([emptied.shown(), emptied.heading()], [[" next", undefined], " next"]);
  const scripted = await open();
  await scripted.put("Anna's");
  scripted.script.root("people").set("heading", "by script");
  await scripted.clock.run(500);
  assert.equal(scripted.find(".conflict").hidden, true);
  const kind = { ...people, address: (model) => "/p?h=" + model.heading, go: (model, address) => void (model.heading = address.split("=")[1]) };
  const it = await openPage(`<main data-vm-root="people" data-vm-at="/p">${markup}</main>`, { kind, url: "http://server/p?h=one" });
  it.find(".mine").focus();
  it.find(".mine").value = "two";
  it.fire(it.find(".mine"), "input");
  await it.clock.run(500);
  it.world.history.back();
  await it.clock.run(1000);
  assert.deepEqual([it.model().heading, it.find(".conflict").hidden], ["one", true]);
});

test("text that is typed before the session is there is no conflict", async () => {
  const typed = await outcome((it) => it.put("Anna", 3000), { ...slow, settle: 0 });
  assert.deepEqual(typed, [["Anna", undefined], "Anna"]);
});

test("a conflict ends where its element goes, and hands the focus of its buttons back where both texts are the same", async () => {
  const html = `<input class="mine" data-vm-bind="heading"><template data-vm-if="isOpen">${place.slice(0, place.indexOf("</p>") + 4)}</template>`;
  const it = await open({ prepare: (model) => (model.isOpen = true) }, html);
  await it.put("Anna's");
  await it.write("Bob's");
  it.find("[data-vm-choose=mine]").focus();
  await it.write("Anna's");
  assert.equal(it.document.activeElement, it.field);
  await it.put("Anna's text");
  await it.write("Bob's");
  await it.change((model) => (model.isOpen = false));
  it.fire(it.field, "input");
  await it.put("Anna's own");
  assert.deepEqual([it.field.value, it.heading(), it.field.dataset.vmRefused], ["Anna's own", "Bob's", "Somebody else was quicker"]);
});
