// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "./opened.mjs";
import { addRows, openPeople } from "./people.mjs";

const set = (it, members) => it.change((model) => Object.assign(model, { done: [members] }));
/** A part of the state that has these members. */
const saying = (members) => ({ prepare: (model) => (model.done = [members]) });

test("an attribute is set to a text, removed for null and absent, and true and false are the empty one and none, but for aria's", async () => {
  const it = await openPeople('<p data-vm-attr-title="done/0/x" data-vm-attr-aria-label="done/0/x"></p>', saying({ x: "a" }));
  const shown = () => ["title", "aria-label"].map((name) => it.find("p").getAttribute(name));
  for (const [value, ...attributes] of [["b", "b", "b"], [0, "0", "0"], ["", "", ""], [null, null, null], [true, "", "true"], [false, null, "false"], [undefined, null, null]]) {
    await set(it, { x: value });
    assert.deepEqual(shown(), attributes, String(value));
  }
});

test("an attribute is set only when it differs, as it would load anew", async () => {
  const it = await openPeople('<iframe data-vm-attr-title="done/0/x"></iframe>', saying({ x: "a" }));
  const [frame, assigned] = [it.find("iframe"), []];
  const { setAttribute } = frame;
  frame.setAttribute = function (name, text) {
    assigned.push(text);
    setAttribute.call(this, name, text);
  };
  for (const [x, y] of [["a", 1], ["b", 1], ["b", 2], [3, 2], [3, 3]]) await set(it, { x, y });
  assert.deepEqual(assigned.map(String), ["b", "3"]);
});

test("a property is set with its type, under its name in JavaScript, and only when it differs", async () => {
  const it = await openPeople('<p data-vm-prop-some-thing="done/0/x"></p>', saying({ x: 1 }));
  const assigned = [];
  let value = 1;
  Object.defineProperty(it.find("p"), "someThing", { get: () => value, set: (next) => assigned.push((value = next)) });
  for (const x of [1, 2, 2, true, null]) await set(it, { x });
  assert.deepEqual(assigned, [2, true, null]);
});

test("an address that is refused is neither an attribute nor a property, and one that was good before is taken away", async () => {
  const markup = '<a data-vm-attr-href="done/0/x"></a><i data-vm-prop-src="done/0/x"></i><b data-vm-prop-code-base="done/0/x"></b><img data-vm-attr-srcset="done/0/x">';
  const it = await openPeople(markup, saying({ x: "/good" }));
  const shown = () => [it.find("a").getAttribute("href"), it.find("i").src, it.find("b").codeBase, it.find("img").getAttribute("srcset")];
  assert.deepEqual(shown(), ["/good", "/good", "/good", "/good"]);
  for (const x of ["javascript:alert(1)", " data:text/html,x", "blob:http://server/x", "intent:x"]) {
    await set(it, { x });
    assert.deepEqual(shown(), [null, "/good", "/good", null]);
    await set(it, { x: "/good" });
    assert.deepEqual(shown(), ["/good", "/good", "/good", "/good"]);
  }
  await set(it, { x: "/good 1x, javascript:alert(1) 2x" });
  assert.equal(it.find("img").getAttribute("srcset"), null);
});

for (const attribute of ["data-vm-attr-onclick", "data-vm-attr-style", "data-vm-prop-inner-html", "data-vm-prop-srcdoc", "data-vm-attr-on-load", "data-vm-prop-protocol"]) {
  test(`${attribute} is refused with a warning that names it`, async () => {
    const it = await openPeople(`<a ${attribute}="heading"></a>`);
    assert.deepEqual(it.warned, [[`Euripus: people: ${attribute}="heading" on <a>: refused, as it could run code`]]);
  });
}

for (const markup of ['<style data-vm-text="heading"></style>', '<svg><style data-vm-text="heading"></style></svg>', '<script type="text/plain" data-vm-attr-src="heading"></script>', '<svg><script data-vm-text="heading"></script></svg>']) {
  test(`${markup} takes no value`, async () => {
    const it = await openPeople(markup);
    const [element, name] = [it.find("style, script"), /data-vm-[a-z-]+/.exec(markup)[0]];
    assert.deepEqual([element.textContent, element.getAttribute("src")], ["", null]);
    assert.deepEqual(it.warned, [[`Euripus: people: ${name}="heading" on <${element.localName}>: refused, as it could run code`]]);
  });
}

for (const [element, name] of [["animate", "values"], ["animate", "attributename"], ["set", "to"], ["animateTransform", "from"], ["animateMotion", "by"]]) {
  test(`an SVG link's ${element} with data-vm-attr-${name} is refused, in a row too`, async () => {
    const link = `<svg><a href="/good"><${element} attributeName="href" data-vm-attr-${name}="heading" /></a></svg>`;
    for (const markup of [link, `<template data-vm-each="people">${link}</template>`]) {
      const it = await openPeople(markup, { prepare: (model) => addRows(model, "a") });
      assert.deepEqual(it.warned, [[`Euripus: people: data-vm-attr-${name}="heading" on <${element}>: refused, as it could run code`]]);
      it.close();
    }
  });
}

test("an attribute that cannot be shown, in a row too, hinders no other", async () => {
  const wrong = '<p data-vm-text="../a"></p><template data-vm-each="people"><b data-vm-text="a//b"></b></template><i data-vm-prop-some-thing="heading"></i>';
  const it = await openPeople(`${wrong}<u data-vm-text="heading"></u><input data-vm-bind="heading">`, {
    prepare: (model) => addRows(model, "a"),
    meet: ({ find }) =>
      Object.defineProperty(find("i"), "someThing", {
        set(value) {
          throw Error("not " + value);
        },
      }),
  });
  const reported = () => it.reported.splice(0).map(({ message }) => message);
  assert.deepEqual(reported(), ['<i> {"vmPropSomeThing":"heading"}: not People']);
  assert.equal(it.document.documentElement.dataset.vm, "live");
  it.type(it.find("input"), "!");
  await it.clock.run(500);
  assert.deepEqual([it.find("u").textContent, it.model().heading], ["People!", "People!"]);
  assert.deepEqual([...new Set(reported())], ['<i> {"vmPropSomeThing":"heading"}: not People!']);
});

test("attributes that cannot be, in each row too, are in the console of production by one warning an hour", async () => {
  const keys = [..."abcdefghij"];
  const wrong = '<p data-vm-text="../a"></p><template data-vm-each="people"><b data-vm-text="a//b"></b></template>';
  const it = await openPeople(wrong, { prepare: (model) => addRows(model, ...keys) });
  assert.equal(it.document.querySelectorAll("b").length, keys.length);
  assert.deepEqual(it.warned, [['Euripus: people: data-vm-text="../a" on <p>: no scope']]);
  await it.clock.run(3_600_000);
  it.server.change(it.server.only(), (model) => addRows(model, "k", "l"));
  await it.clock.run(500);
  assert.deepEqual(it.warned.slice(1), [['Euripus: people: data-vm-text="a//b" on <b>: not a path: a//b']]);
  assert.deepEqual([it.reported, it.complained], [[], []]);
});

test("the document's language is the state's, from the first one on", async () => {
  const it = await openPeople('<i hidden data-vm-lang="done/0/x"></i>', saying({ x: "zh" }));
  assert.equal(it.document.documentElement.lang, "zh");
  await set(it, { x: "en" });
  assert.equal(it.document.documentElement.lang, "en");
});

test("a class with a name that no attribute may have is a class", async () => {
  const it = await openPeople('<p class="own" data-vm-class-style="heading" data-vm-class-on="!heading"></p>');
  assert.equal(it.find("p").className, "own style");
});

test("a textarea, a number, a check box and a custom element are two-way, each with its type", async () => {
  const it = await openPeople(
    '<textarea data-vm-bind="heading"></textarea><input type="number" data-vm-bind="n"><input type="checkbox" data-vm-bind="on"><x-stars data-vm-bind="stars" data-vm-error="wrong"></x-stars>',
    {
      prepare: (model) => Object.assign(model, { heading: "one\ntwo", n: 1.5, on: true, stars: "3", wrong: "" }),
      meet({ window }) {
        class Stars extends window.HTMLElement {
          value = "";
          validity = [];
          setCustomValidity(text) {
            this.validity.push(text);
          }
        }
        window.customElements.define("x-stars", Stars);
      },
    },
  );
  const [text, number, check, stars] = ["textarea", "[type=number]", "[type=checkbox]", "x-stars"].map(it.find);
  assert.deepEqual([text.value, number.value, check.checked, stars.value], ["one\ntwo", "1.5", true, "3"]);
  for (const [field, member, value] of [[text, "value", "three"], [number, "value", "2"], [check, "checked", false], [stars, "value", "5"]]) {
    field[member] = value;
    it.fire(field, "input");
    await it.clock.run(200);
  }
  assert.deepEqual([it.model().heading, it.model().n, it.model().on, it.model().stars], ["three", 2, false, "5"]);
  await it.change((model) => Object.assign(model, { stars: "1", wrong: "too few" }));
  assert.deepEqual([stars.value, stars.validity.at(-1), stars.getAttribute("aria-invalid")], ["1", "too few", "true"]);
});
