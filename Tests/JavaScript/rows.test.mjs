// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "./opened.mjs";
import { addRows, openPeople } from "./people.mjs";
import { seeded } from "./random.mjs";

const list = '<ul><template data-vm-each="people"><li data-vm-attr-title="title"><input data-vm-bind="title"></li></template></ul>';
const three = (model) => addRows(model, "a", "b", "c");
const fields = (it) => [...it.document.querySelectorAll("li input")].map((each) => each.value);
const fieldsIn = (it) => [...it.document.querySelectorAll("p input")].map((each) => each.value);
const row = (it, title) => it.find(`li[title="${title}"]`);

/** The mutations of the page while `act` ran. */
async function written(it, act) {
  const records = [];
  const observer = new it.window.MutationObserver((some) => records.push(...some));
  observer.observe(it.document.body, { attributes: true, characterData: true, childList: true, subtree: true });
  await act();
  observer.disconnect();
  return records;
}

test("a list's rows are shown in its order, and come, go, move and change with it", async () => {
  const it = await openPeople(list, { prepare: three });
  const shown = () => [...it.document.querySelectorAll("li")].map((each) => each.title);
  assert.deepEqual(shown(), ["title of a", "title of b", "title of c"]);
  assert.deepEqual(fields(it), ["title of a", "title of b", "title of c"]);
  const [a, b, c] = it.document.querySelectorAll("li");
  await it.change((model) => (model.order = ["c", "a", "b"]));
  assert.deepEqual([...it.document.querySelectorAll("li")], [c, a, b], "the same elements in another order");
  await it.change((model) => {
    addRows(model, "d");
    model.order = ["d", "c", "b"];
    model.rows.get("b").title = "changed";
  });
  assert.deepEqual(shown(), ["title of d", "title of c", "changed"]);
  assert.deepEqual(fields(it), ["title of d", "title of c", "changed"]);
  assert.ok(!a.isConnected);
  await it.change((model) => (model.order = []));
  assert.deepEqual(shown(), []);
});

test("200 random reorders end in the list's order, and the row with the focus is never moved", async () => {
  const dice = seeded(3);
  const keys = ["a", "b", "c", "d", "e", "f", "g", "h"];
  const it = await openPeople(`${list}<p>after</p>`, { prepare: (model) => addRows(model, ...keys) });
  for (let round = 0; round < 200; round++) {
    const focused = row(it, `title of ${dice.pick(it.model().order)}`);
    const field = focused.querySelector("input");
    field.focus();
    field.setSelectionRange(2, 5);
    const order = keys.filter((key) => focused.title.endsWith(key) || dice.chance(0.7)).sort(() => dice.random() - 0.5);
    const records = await written(it, () => it.change((model) => (model.order = order)));
    const moved = records.flatMap((record) => [...record.removedNodes]);
    assert.ok(!moved.includes(focused), `round ${round}: the row with the focus was moved`);
    assert.deepEqual([...it.document.querySelectorAll("li")].map((each) => each.title.at(-1)), order, `round ${round}`);
    assert.equal(it.document.activeElement, field);
    assert.deepEqual([field.selectionStart, field.selectionEnd], [2, 5]);
    assert.equal(it.find("ul").lastElementChild.localName, "li");
  }
});

test("rows change places by few moves: a swap moves two, and a list that is turned round all but one", async () => {
  const keys = [..."abcdefghij"];
  const it = await openPeople(list, { prepare: (model) => addRows(model, ...keys) });
  const moves = async (order) => (await written(it, () => it.change((model) => (model.order = order)))).filter(({ type, removedNodes }) => type === "childList" && removedNodes.length).length;
  assert.equal(await moves([..."aicdefghbj"]), 2);
  assert.equal(await moves([..."jbhgfedcia"]), 9);
});

test("the focus of a row that goes is the next row's, in the same place, and in the end the heading's", async () => {
  const markup = '<h2 id="title">People</h2><ul aria-labelledby="title"><template data-vm-each="people"><li data-vm-attr-title="title"><button>x</button><button>y</button></li></template></ul>';
  const it = await openPeople(markup, { prepare: three });
  const at = () => [it.document.activeElement.textContent, it.document.activeElement.closest("li")?.title.at(-1)];
  row(it, "title of b").lastElementChild.focus();
  for (const [order, expected] of [["ac", "c"], ["a", "a"], ["", undefined]]) {
    await it.change((model) => (model.order = [...order]));
    assert.deepEqual(at(), [expected ? "y" : "People", expected], order);
  }
});

test("a keystroke in a row's field reads as many fields among 20 rows as among 400", async () => {
  const counts = [];
  for (const count of [20, 400]) {
    const it = await openPeople(list, { prepare: (model) => addRows(model, ...Array.from({ length: count }, (_, at) => `k${at}`)) });
    let reads = 0;
    const { prototype } = it.window.HTMLInputElement;
    const { get, set } = Object.getOwnPropertyDescriptor(prototype, "value");
    Object.defineProperty(prototype, "value", { get() { reads++; return get.call(this); }, set });
    const [field] = it.document.querySelectorAll("input");
    set.call(field, "new");
    it.fire(field, "input");
    await it.clock.run(500);
    assert.equal(it.model().rows.get("k0").title, "new");
    counts.push(reads);
  }
  assert.equal(counts[0], counts[1]);
  assert.ok(counts[0] < 20, `${counts[0]} reads of fields`);
});

test("a keystroke outside of the rows takes the same steps beside 20 rows as beside 400", async () => {
  const steps = [];
  for (const count of [20, 400]) {
    const keys = Array.from({ length: count }, (_, at) => `k${at}`);
    const it = await openPeople(`<input id="heading" data-vm-bind="heading">${list}`, { prepare: (model) => addRows(model, ...keys) });
    const field = it.find("#heading");
    const { prototype } = it.window.Element;
    const { get } = Object.getOwnPropertyDescriptor(prototype, "nextElementSibling");
    let looks = 0;
    Object.defineProperty(prototype, "nextElementSibling", { get() { looks++; return get.call(this); } });
    let reads = 0;
    const { hasOwn } = Object;
    Object.hasOwn = (...member) => {
      reads++;
      return hasOwn(...member);
    };
    try {
      it.type(field, "!");
      await it.clock.run(500);
    } finally {
      Object.hasOwn = hasOwn;
    }
    steps.push([looks, reads]);
    assert.equal(it.model().heading, "People!");
    assert.equal(it.document.querySelectorAll("li").length, count);
  }
  assert.deepEqual(steps[0], steps[1], "looks at elements and reads of values");
  assert.ok(Math.max(...steps[0]) < 100, `${steps[0]}`);
});

test("a row of a list in a row stays while somebody composes in it, and goes with the end of that", async () => {
  const nested = '<template data-vm-each="people"><section><template data-vm-each="tags"><p><input data-vm-bind="name"></p></template></section></template>';
  const tags = (...keys) => ({ order: keys, items: Object.fromEntries(keys.map((key) => [key, { name: key }])) });
  const it = await openPeople(nested, {
    prepare(model) {
      addRows(model, "a");
      model.rows.get("a").tags = tags("x", "y");
    },
  });
  const [field] = it.document.querySelectorAll("input");
  field.focus();
  it.fire(field, "compositionstart");
  await it.change((model) => (model.rows.get("a").tags = tags("y")));
  assert.deepEqual(fieldsIn(it), ["x", "y"]);
  it.fire(field, "compositionend");
  assert.deepEqual(fieldsIn(it), ["y"]);
});

test("rows stay between the elements before and behind them, and two lists of one parent stay apart", async () => {
  const two = '<div><h2>one</h2><template data-vm-each="people"><p data-vm-text="title"></p></template><h2>two</h2><template data-vm-each="people"><b data-vm-text="#"></b></template><i>end</i></div>';
  const it = await openPeople(two, { prepare: (model) => addRows(model, "a", "b") });
  await it.change((model) => {
    addRows(model, "c");
    model.order = ["c", "b", "a"];
  });
  assert.deepEqual(it.texts("div > :not(template)"), ["one", "title of c", "title of b", "title of a", "two", "c", "b", "a", "end"]);
});

test("moveBefore is used where there is one, and only for rows that are on the page", async () => {
  const it = await openPeople(list, {
    prepare: three,
    meet(view) {
      view.moves = [];
      view.window.Element.prototype.moveBefore = function (node, next) {
        assert.ok(node.isConnected);
        view.moves.push(node.title);
        this.insertBefore(node, next);
      };
    },
  });
  assert.deepEqual(it.moves, []);
  await it.change((model) => {
    addRows(model, "d");
    model.order = ["c", "a", "b", "d"];
  });
  assert.deepEqual(it.moves, ["title of c"]);
  assert.deepEqual(fields(it).map((each) => each.at(-1)), ["c", "a", "b", "d"]);
});

test("a row with the same object as before is left alone", async () => {
  const it = await openPeople(list, { prepare: three });
  const records = await written(it, () => it.change((model) => (model.rows.get("b").title = "changed")));
  const touched = new Set(records.map((record) => record.target.closest("li")?.title ?? "outside"));
  assert.deepEqual([...touched], ["changed"]);
});

test("a path that leads out of a row is shown anew though the row's object is the same one", async () => {
  const it = await openPeople('<template data-vm-each="people"><p><b data-vm-text="../heading"></b><i data-vm-text="/heading"></i></p></template>', { prepare: three });
  assert.deepEqual(it.texts("p"), ["PeoplePeople", "PeoplePeople", "PeoplePeople"]);
  await it.change((model) => (model.heading = "All"));
  assert.deepEqual(it.texts("p"), ["AllAll", "AllAll", "AllAll"]);
});

test("lists nest: `../` is the enclosing row, `#` is a row's key", async () => {
  const nested = '<template data-vm-each="people"><section><template data-vm-each="tags"><p><a data-vm-text="#"></a> <b data-vm-text="name"></b> <i data-vm-text="../title"></i> <u data-vm-text="../#"></u> <s data-vm-text="../../heading"></s></p></template></section></template>';
  const tags = (...keys) => ({ order: keys, items: Object.fromEntries(keys.map((key) => [key, { name: `name of ${key}` }])) });
  const it = await openPeople(nested, {
    prepare(model) {
      addRows(model, "a", "b");
      model.rows.get("a").tags = tags("x", "y");
      model.rows.get("b").tags = tags("x");
    },
  });
  assert.deepEqual(it.texts("p"), ["x name of x title of a a People", "y name of y title of a a People", "x name of x title of b b People"]);
  await it.change((model) => {
    model.heading = "All";
    model.rows.get("a").tags = tags("z", "x");
    model.rows.get("b").title = "B";
  });
  assert.deepEqual(it.texts("p"), ["z name of z title of a a All", "x name of x title of a a All", "x name of x B b All"]);
});

const kinds = '<template data-vm-each="people"><p data-vm-kind="text" data-vm-text="title"></p><h2 data-vm-kind="top" data-vm-text="title"></h2></template>';
const kindly = (model) => {
  three(model);
  for (const [key, kind] of [["a", "text"], ["b", "top"], ["c", "text"]]) model.rows.get(key).kind = kind;
};

test("a row's template is chosen by its kind, and again when the kind changes", async () => {
  const it = await openPeople(`<div>${kinds}</div>`, { prepare: kindly });
  const names = () => [...it.document.querySelectorAll("div > :not(template)")].map((each) => `${each.localName} ${each.textContent}`);
  assert.deepEqual(names(), ["p title of a", "h2 title of b", "p title of c"]);
  const [a] = it.document.querySelectorAll("p");
  await it.change((model) => {
    model.rows.get("c").kind = "top";
    model.order = ["b", "c", "a"];
  });
  assert.deepEqual(names(), ["h2 title of b", "h2 title of c", "p title of a"]);
  assert.equal(it.find("p"), a);
});

test("a row of a kind that has no template is not shown and hinders no other; a template without a kind is for all the rest", async () => {
  const strange = (model) => {
    kindly(model);
    model.rows.get("b").kind = "unheard";
  };
  const it = await openPeople(kinds, { prepare: strange });
  assert.deepEqual(it.texts("main > :not(template)"), ["title of a", "title of c"]);
  await it.change((model) => (model.rows.get("b").kind = "top"));
  assert.deepEqual(it.texts("main > :not(template)"), ["title of a", "title of b", "title of c"]);
  it.close();
  const rest = await openPeople(kinds.replace("</h2>", '</h2><b data-vm-text="kind"></b>'), { prepare: strange });
  assert.deepEqual(rest.texts("main > :not(template)"), ["title of a", "unheard", "title of c"]);
});

test("the content of an if-template exists while its path holds, with fields and rows of its own", async () => {
  const it = await openPeople('<template data-vm-if="heading=open"><div><input id="h" data-vm-bind="heading"><template data-vm-each="people"><p data-vm-text="title"></p></template></div></template>', { prepare: three });
  assert.equal(it.find("div"), null);
  await it.change((model) => (model.heading = "open"));
  assert.equal(it.find("#h").value, "open");
  assert.deepEqual(it.texts("p"), ["title of a", "title of b", "title of c"]);
  const kept = it.find("div");
  await it.change((model) => (model.rows.get("b").title = "B"));
  assert.deepEqual(it.texts("p"), ["title of a", "B", "title of c"]);
  assert.equal(it.find("div"), kept);
  it.type(it.find("#h"), "ed");
  await it.clock.run(500);
  assert.equal(it.model().heading, "opened");
  assert.equal(it.find("div"), null);
});

test("a field in a row is two-way under its row's key, whatever characters that has", async () => {
  const odd = ["a/b", "m~n", "~1", "%2F ü", "#?", "__proto__", "constructor"];
  const it = await openPeople(list.replace("</li>", '<button data-vm-do="touch"></button></li>'), { prepare: (model) => addRows(model, ...odd) });
  assert.deepEqual(fields(it), odd.map((key) => `title of ${key}`));
  for (const field of it.document.querySelectorAll("li input")) {
    it.type(field, "!");
    it.fire(field.nextElementSibling, "click");
    await it.clock.run(300);
  }
  assert.deepEqual([...it.model().rows.values()].map((each) => each.title), odd.map((key) => `title of ${key}!`));
  assert.deepEqual(it.model().done.map(([path]) => path), odd.map((key) => `people items ${key} touch`));
  assert.deepEqual(it.errors, []);
});

test("a choice between rows shows the server's value as soon as its options are there", async () => {
  const it = await openPeople('<select data-vm-bind="heading"><template data-vm-each="people"><option data-vm-attr-value="#" data-vm-text="title"></option></template></select>', {
    prepare(model) {
      three(model);
      model.heading = "b";
    },
    storage: new Map(),
  });
  assert.equal(it.model().heading, "b");
  assert.equal(it.find("select").value, "b");
  it.find("select").value = "c";
  it.fire(it.find("select"), "input");
  await it.clock.run(500);
  assert.equal(it.model().heading, "c");
});

test("a row that goes takes its fields along: they are written to no more, and the last edit is sent", async () => {
  const it = await openPeople(list.replace("data-vm-bind", 'data-vm-debounce="300" data-vm-bind'), { prepare: three });
  const [field] = it.document.querySelectorAll("li input");
  it.type(field, "!");
  await it.change((model) => (model.order = ["b", "c"]));
  await it.change((model) => (model.rows.get("a").title = "anew"));
  assert.equal(field.value, "title of a!");
  assert.deepEqual(it.sent("PUT").map(({ names, body }) => [names, body]), [["people items a title", '"title of a!"']]);
  it.type(field, "?");
  it.fire(field, "focusout");
  await it.change((model) => (model.heading = "news"));
  assert.equal(it.sent("PUT").length, 1, "nobody listens to a row that is gone");
});

test("a submit with errors marks and focuses a field of its own form", async () => {
  const forms = '<template data-vm-each="people"><form data-vm-do="save"><input data-vm-bind="note" data-vm-error="wrong"><button type="submit"></button></form></template>';
  const it = await openPeople(forms, {
    prepare(model) {
      addRows(model, "a", "b");
      for (const each of model.rows.values()) Object.assign(each, { note: "", wrong: "write something" });
    },
  });
  const marks = () => [...it.document.querySelectorAll("input")].map((each) => each.getAttribute("aria-invalid"));
  assert.deepEqual(marks(), ["false", "false"]);
  it.submit(it.document.querySelectorAll("form")[1]);
  await it.clock.run(500);
  assert.deepEqual(marks(), ["false", "true"]);
  assert.equal(it.document.activeElement, it.document.querySelectorAll("input")[1]);
  assert.equal(it.document.activeElement.validationMessage, "write something");
});
