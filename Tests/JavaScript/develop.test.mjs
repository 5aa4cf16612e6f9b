// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { answering, openPage, test } from "./opened.mjs";
import { addRows, openPeople, people } from "./people.mjs";

const ref = (name) => ({ $ref: "#/components/schemas/" + name });
const object = (properties) => ({ type: "object", properties, additionalProperties: false });
/** The description of the people's view model, in the form in which a server gives it. */
const description = {
  components: {
    schemas: {
      State: object({ heading: { type: "string" }, people: ref("List"), done: { type: "array", items: {} }, modules: ref("Modules") }),
      Modules: object({ order: { type: "array", items: { type: "string" } }, items: { type: "object", additionalProperties: ref("Module") } }),
      Module: { oneOf: [object({ kind: { const: "top" }, title: { type: "string" } }), object({ kind: { const: "text" }, text: { type: "string" } })] },
      List: object({ order: { type: "array", items: { type: "string" } }, items: { type: "object", additionalProperties: ref("Row") } }),
      Row: { oneOf: [object({ title: { type: "string" }, follow: ref("Command") }), { type: "null" }] },
      Command: object({ enabled: { type: "boolean" }, executing: { type: "boolean" } }),
      Opening: object({ params: ref("Params") }),
      Params: object({ start: { type: "integer" }, boardName: { type: "string" } }),
      Opened: object({ url: { type: "string" }, state: ref("State"), address: { type: "string", pattern: "^/people([/?#][!-~]*)?$" } }),
    },
  },
  paths: {
    "/sessions/people": { post: { requestBody: { content: { "application/json": { schema: ref("Opening") } } }, responses: { 201: { content: { "application/json": { schema: ref("Opened") } } } } } },
    "/sessions/people/{id}/actions/add": {},
    "/sessions/people/{id}/actions/remove": {},
    "/sessions/people/{id}/actions/people/items/{key}/follow": {},
  },
};

/** A server in development. */
const developing = { isDeveloping: true, described: { "/models/people/openapi.json": description } };

/** The console's lines on a page of a server in development: the sentence, and the local name of the element. */
async function complaints(markup, described = developing.described) {
  return linesOf(await openPeople(markup, { settle: 0, prepare: (model) => addRows(model, "a", "b") }), described);
}

/** The console's lines on a whole page. */
async function complaintsOf(html, url, described = developing.described) {
  return linesOf(await openPage(html, { kind: { ...people, go: () => undefined }, url, settle: 0 }), described);
}

/** The console's lines once the page has read the server's description. */
async function linesOf(it, described) {
  Object.assign(it.server, developing, { described });
  await it.clock.run(3000);
  return it.complained.map(([text, node]) => text.replace("Euripus: ", "") + (node ? ` <${node.localName}>` : ""));
}

test("each path and action that there is not is in the console, with its element and the names that there are, in rows that are not there as well", async () => {
  const markup = `<h1 data-vm-text="headin"></h1><h2 data-vm-text="heading + 1"></h2><button data-vm-do="ad">Add</button>
    <template data-vm-each="people"><p><b data-vm-text="titel"></b><i data-vm-show="follow/runs"></i><u data-vm-do="folow"></u><s data-vm-text="../heading"></s></p></template>`;
  assert.deepEqual(await complaints(markup), [
    `data-vm-text="headin": there is no value 'headin' on people; the nearest is 'heading'; expected one of: done, heading, modules, people <h1>`,
    `data-vm-text="heading + 1": there is no value 'heading + 1' on people; the nearest is 'heading'; expected one of: done, heading, modules, people <h2>`,
    `data-vm-do="ad": there is no action 'ad' on people; the nearest is 'add'; expected one of: add, remove <button>`,
    `data-vm-text="titel": there is no value 'titel' on people/people/items/*; the nearest is 'title'; expected one of: follow, title <b>`,
    `data-vm-show="follow/runs": there is no value 'runs' on people/people/items/*/follow; expected one of: enabled, executing <i>`,
    `data-vm-do="folow": there is no action 'folow' on people/people/items/*; expected one of: follow <u>`,
  ]);
});

test("an attribute that there is not, one that stands alone and a list on no template are in the console", async () => {
  const said = await complaints('<p data-vm-txt="heading" data-vm-confirm="=Really?"></p><ul data-vm-each="people"></ul><p data-vm-text="a//b"></p>');
  assert.match(said[0], /^data-vm-txt="heading": is no attribute of Euripus; the nearest is 'data-vm-text'; expected one of: .*data-vm-text, .* <p>$/);
  assert.deepEqual(said.slice(1), [
    'data-vm-confirm="=Really?": does nothing here; expected it beside data-vm-do or data-vm-cancel <p>',
    'data-vm-each="people": stands on <ul>; expected a <template> <ul>',
    'data-vm-text="a//b": not a path: a//b; expected a path such as name, ../name or items/key/name <p>',
  ]);
});

const wrong = [
  ["an event that stands in the attribute's name", '<b data-vm-do="add" data-vm-on-click="heading"></b>',
    `data-vm-on-click="heading": is no attribute of Euripus; expected data-vm-on, whose value says the event: data-vm-on="click" <b>`],
  ["a choice that there is not", '<p data-vm-conflict="heading"><button data-vm-choose="his"></button></p>', 'data-vm-choose="his": is no choice; expected mine or theirs <button>'],
  ["a choice outside of a conflict", '<button data-vm-choose="mine"></button>',
    'data-vm-choose="mine": does nothing here; expected it on a button in an element with data-vm-conflict <button>'],
  ["a name behind an attribute that takes none", '<b data-vm-text-heading="heading"></b>',
    `data-vm-text-heading="heading": is no attribute of Euripus; expected data-vm-text, whose value says what it is about <b>`],
  ["a key of an event that has none", '<b data-vm-do="add" data-vm-on="click.enter"></b>', `data-vm-on="click.enter": 'click' has no key; expected keydown.enter <b>`],
  ["a debounce that is no time", '<input data-vm-bind="heading" data-vm-debounce="3s">', `data-vm-debounce="3s": is no time; expected milliseconds, such as 300, or blur <input>`],
  ["a second element in a row's template", '<template data-vm-each="people"><b></b><i></i></template>',
    `<i>: is never shown, as the element before it has its rows; expected one root element in the template, or another data-vm-kind on each <i>`],
  ["a second element of one kind", '<template data-vm-each="modules"><b data-vm-kind="top"></b><i data-vm-kind="top"></i></template>',
    `data-vm-kind="top": is never shown, as the element before it has its rows; expected one root element in the template, or another data-vm-kind on each <i>`],
  ["a template without an element", '<template data-vm-each="people">text</template>', `<template>: has no element in it; expected one root element for its rows <template>`],
  ["a kind that hides each row", '<template data-vm-each="people"><b data-vm-kind="top"></b></template>', `data-vm-kind="top": no row is of this kind; the rows have no 'kind' <b>`],
  ["a kind that there is not", '<template data-vm-each="modules"><b data-vm-kind="tip"></b></template>', `data-vm-kind="tip": no row is of this kind; the nearest is 'top'; expected one of: text, top <b>`],
  ["a name of another kind's rows", '<template data-vm-each="modules"><b data-vm-kind="top" data-vm-text="text"></b><i data-vm-text="text"></i></template>',
    `data-vm-text="text": there is no value 'text' on people/modules/items/*; expected one of: kind, title <b>`],
  ["a name that none of the remaining kinds has", '<template data-vm-each="modules"><b data-vm-kind="text"></b><i data-vm-do="/remove" data-vm-arg="#"><u data-vm-text="text"></u></i></template>',
    `data-vm-text="text": there is no value 'text' on people/modules/items/*; expected one of: kind, title <u>`],
  ["an action of the view model in a row, which has none", '<template data-vm-each="modules"><b data-vm-do="remove"></b></template>',
    `data-vm-do="remove": there is no action 'remove' on people/modules/items/*; the nearest is '/remove'; expected one of: /add, /people/items/*/follow, /remove <b>`],
  ["a name below a value that has none", '<b data-vm-text="heading/x"></b>', `data-vm-text="heading/x": there is no value 'x' on people/heading; there is none <b>`],
  ["an argument that is a text without its equals sign", '<b data-vm-do="add" data-vm-arg="hello"></b>',
    `data-vm-arg="hello": there is no value 'hello' on people; expected one of: done, heading, modules, people; for the text itself: =hello <b>`],
  ["a question without its equals sign", '<b data-vm-do="add" data-vm-confirm="Go / stay?"></b>',
    `data-vm-confirm="Go / stay?": there is no value 'Go ' on people; expected one of: done, heading, modules, people; for the text itself: =Go / stay? <b>`],
  ["a text where only a path may stand", '<b data-vm-text="=hello"></b>', `data-vm-text="=hello": not a path: =hello; expected a path such as name, ../name or items/key/name <b>`],
  ["a kind on no row", '<b data-vm-kind="top"></b>', `data-vm-kind="top": does nothing here; expected it on a root element in a <template> <b>`],
  ["an element without a value", '<span data-vm-bind="heading"></span>',
    `data-vm-bind="heading": stands on <span>, which has no value; expected an input, a textarea, a select or a custom element <span>`],
  ["a select of several values", '<select multiple data-vm-bind="heading"></select>', `data-vm-bind="heading": stands on <select multiple>, which cannot be bound yet <select>`],
  ["an input of files", '<input type="file" data-vm-bind="heading">', `data-vm-bind="heading": stands on <input type="file">, which cannot be bound yet <input>`],
  ["a class without a name", '<b data-vm-class="heading"></b>', `data-vm-class="heading": has no name; expected data-vm-class-NAME <b>`],
  ["an attribute without a name", '<b data-vm-attr-="heading"></b>', `data-vm-attr-="heading": has no name; expected data-vm-attr-NAME <b>`],
  ["the order of a list, and nothing below it", '<template data-vm-each="people/order"><b data-vm-text="titel"></b></template>', `data-vm-each="people/order": is no list; expected the path of one: people <template>`],
  ["a list that is none, and nothing below it", '<template data-vm-each="heading"><b data-vm-text="titel"></b></template>',
    `data-vm-each="heading": is no list; expected the path of one, which has 'order' and 'items' <template>`],
  ["a list that there is not, and nothing below it", '<template data-vm-each="peple"><b data-vm-text="titel"></b><u data-vm-do="x"></u></template>',
    `data-vm-each="peple": there is no value 'peple' on people; the nearest is 'people'; expected one of: done, heading, modules, people <template>`],
];
for (const [name, markup, said] of wrong) {
  test(`${name}, is in the console, once`, async () => assert.deepEqual(await complaints(markup), [said]));
}

for (const [name, markup, start, one] of [
  ["event", '<b data-vm-do="add" data-vm-on="clik"></b>', `data-vm-on="clik": there is no event 'clik'; the nearest is 'click'; expected one of: `, "keydown"],
  ["key", '<b data-vm-do="add" data-vm-on="keydown.entre"></b>', `data-vm-on="keydown.entre": there is no key 'entre'; the nearest is 'enter'; expected one of: `, "escape"],
]) {
  test(`an unknown ${name} is in the console, once, with the nearest and all that there are`, async () => {
    const [said, ...more] = await complaints(markup);
    assert.deepEqual(more, []);
    assert.ok(said.startsWith(start), said);
    assert.ok(said.slice(start.length).replace(" <b>", "").split(", ").includes(one), said);
  });
}

test("the page's own events, kinds that there are and rows that are shown are not in the console", async () => {
  const markup = `<b data-vm-do="add" data-vm-on="vm:pulse"></b><b data-vm-do="add" data-vm-on="our:event"></b><b data-vm-do="add" data-vm-on="visible"></b>
    <input data-vm-do="add" data-vm-on="keydown.f2"><x-board data-vm-do="add" data-vm-on="chosen" data-vm-bind="heading" data-vm-debounce="blur"></x-board>
    <template data-vm-each="modules"><b data-vm-kind="top" data-vm-text="title"></b><b data-vm-kind="text" data-vm-text="text"></b><b></b></template>
    <template data-vm-each="people"><p data-vm-attr-id="#"><b data-vm-do="follow" data-vm-arg="=x" data-vm-show="follow/enabled"></b><i data-vm-text="../heading"></i></p></template>`;
  assert.deepEqual(await complaints(markup), []);
});

/** The description with two secrets: a value and a field. */
const withSecrets = structuredClone(description);
Object.assign(withSecrets.components.schemas.State.properties, { code: { const: "" }, pin: object({ value: { const: "" }, error: {} }) });

for (const [name, attribute] of [["secret", 'data-vm-bind="code"'], ["field of a secret", 'data-vm-field="pin"']]) {
  test(`a ${name} in an input that is not for a password is in the console, once`, async () => {
    const said = `${attribute}: is a secret, and the browser keeps what is typed here without a connection; expected <input type="password">, of which nothing is kept <input>`;
    assert.deepEqual(await complaints(`<input ${attribute}>`, { "/models/people/openapi.json": withSecrets }), [said]);
  });
}

test("secrets in inputs of passwords are not in the console", async () => {
  const markup = '<input type="password" data-vm-bind="code"><input type="password" data-vm-field="pin">';
  assert.deepEqual(await complaints(markup, { "/models/people/openapi.json": withSecrets }), []);
});

test("markup outside of all roots is in the console, once for each element, but for attributes that are found anywhere", async () => {
  const html = `<h1 data-vm-text="heading" data-vm-show="heading">x</h1><p data-vm-announce></p><main data-vm-root="people"><p data-vm-text="heading"></p></main><main data-vm-root="people"></main>`;
  assert.deepEqual(await complaintsOf(html), [`data-vm-text="heading": stands outside of each element with data-vm-root, where nothing reads it <h1>`]);
});

test("a place where the page does not lie, and one that is not the view model's, are in the console", async () => {
  const at = (place) => `<main data-vm-root="people" data-vm-at="${place}"></main>`;
  assert.deepEqual(await complaintsOf(at("/people"), "http://server/people/a"), []);
  assert.deepEqual(await complaintsOf(at("/people"), "http://server/people.html"), [
    'data-vm-at="/people": this page lies at /people.html, so its address and that of people do not follow each other; expected it at /people or below <main>',
  ]);
  assert.deepEqual(await complaintsOf(at("/persons"), "http://server/persons"), [`data-vm-at="/persons": the addresses of people are at /people and below <main>`]);
});

test("a place of a view model that has nothing in the address is in the console", async () => {
  const { components, paths } = description;
  const without = { paths, components: { schemas: { ...components.schemas, Opened: object({ url: { type: "string" }, state: ref("State") }) } } };
  const html = '<main data-vm-root="people" data-vm-at="/people"></main>';
  assert.deepEqual(await complaintsOf(html, "http://server/people", { "/models/people/openapi.json": without }), ['data-vm-at="/people": people has no address <main>']);
});

test("a parameter that there is not, one that is no JSON, and one that stands on no root are in the console", async () => {
  const whole = "data-vm-params='={\"start\":1}'";
  assert.deepEqual(await complaintsOf(`<main data-vm-root="people" ${whole} data-vm-params-start="=1" data-vm-params-board-name="a"><a data-vm-signin></a></main>`), []);
  const wrong = `<main data-vm-root="people" data-vm-params-boardname="a" data-vm-params-start="=1o" data-vm-params="a"><b data-vm-params-start="=1"></b></main>`;
  assert.deepEqual(await complaintsOf(wrong), [
    "data-vm-params-boardname=\"a\": there is no parameter 'boardname' of people; the nearest is 'boardName'; expected one of: boardName, start <main>",
    'data-vm-params-start="=1o": is no JSON behind the equals sign; expected JSON, such as =10, or no equals sign, for a text <main>',
    'data-vm-params="a": is no object; expected = and JSON, such as ={"boardName":1} <main>',
    'data-vm-params-start="=1": does nothing here; expected it beside data-vm-root <b>',
  ]);
});

test("two roots of one view model say a refusal once, and each word of it once", async () => {
  const it = await openPeople('<form data-vm-do="people/none"><button type="submit">No</button></form>', { settle: 0 });
  Object.assign(it.server, developing);
  const detail = "no action 'none'; expected one of: add";
  const errors = [{ pointer: "", detail }, { pointer: "/0/do", detail: "another" }];
  answering(it, "/actions/", () => [422, { type: "/problems/invalid-action", title: "Nothing was applied", status: 422, detail, errors }]);
  const other = it.document.createElement("main");
  other.dataset.vmRoot = "people";
  it.document.body.append(other);
  it.script.mount(other);
  await it.clock.run(3000);
  const before = it.complained.length;
  it.submit(it.find("form"));
  await it.clock.run(1000);
  assert.deepEqual(it.complained.slice(before), [
    [`Euripus: data-vm-do="people/none": refused (422): Nothing was applied\n  ${detail}\n  /0/do: another`, it.find("button")],
  ]);
});

test("a view model that is not hosted is in the console, with those that are", async () => {
  assert.deepEqual(await complaints("", { "/models": { models: [{ name: "board" }, { name: "login" }] } }), [
    `data-vm-root="people": no view model 'people' is hosted here; expected one of: board, login <main>`,
  ]);
});

test("a refusal that meets a root each time that it is opened is in the console once", async () => {
  const it = await openPeople("", { settle: 0 });
  Object.assign(it.server, { isDeveloping: true, described: { "/models": { models: [{ name: "board" }] } } });
  let openings = 0;
  answering(it, "/sessions/", (method) => method === "POST" && ++openings && [404, { type: "/problems/not-found", title: "There is nothing here", status: 404, detail: "no view model 'peple' is hosted here" }]);
  const other = it.document.createElement("main");
  other.dataset.vmRoot = "peple";
  it.document.body.append(other);
  it.script.mount(other);
  await it.clock.run(30_000);
  const refused = it.complained.filter(([text]) => text.startsWith("Euripus: peple: refused (404)"));
  assert.ok(openings > 2, `${openings} openings`);
  assert.equal(refused.length, 1, JSON.stringify(it.complained.map(([text]) => text)));
});

/** A page of a server that `euripus dev` has started, and the news that the page gets. */
async function openDeveloped(markup) {
  const news = { edits: { "/a.css": 1 }, fault: null };
  const it = await openPeople(markup, { settle: 0 });
  Object.assign(it.server, developing, { described: { ...developing.described, "/euripus-development.json": news } });
  await it.clock.run(3000);
  const shown = () => it.document.querySelector("[data-vm-permanent=euripus-development]")?.textContent ?? "";
  return { ...it, news, shown };
}

test("an edited style is loaded anew, and the old one counts until the new one is there", async () => {
  const it = await openDeveloped('<link rel="stylesheet" href="/a.css"><link rel="stylesheet" href="/b.css">');
  const styles = () => [...it.document.querySelectorAll("link")].map((each) => each.getAttribute("href"));
  assert.deepEqual(styles(), ["/a.css", "/b.css"], "what was edited before the page was opened is not news");
  it.news.edits = { "/a.css": 2 };
  await it.clock.run(1000);
  assert.deepEqual(styles(), ["/a.css", "/a.css?edit=2", "/b.css"]);
  it.fire(it.document.querySelectorAll("link")[1], "load");
  assert.deepEqual(styles(), ["/a.css?edit=2", "/b.css"]);
  it.news.edits = { "/a.css": 3, "/other.css": 1 };
  await it.clock.run(1000);
  assert.deepEqual(styles(), ["/a.css?edit=2", "/a.css?edit=3", "/b.css"]);
});

test("a fault of the program is shown above the page as text, once, and goes when it is mended", async () => {
  const it = await openDeveloped("<p></p>");
  assert.equal(it.shown(), "");
  it.news.fault = { title: "The program was not built.", text: "A.swift:1:2: error: <b>no</b>" };
  await it.clock.run(1000);
  assert.equal(it.shown(), "The program was not built.A.swift:1:2: error: <b>no</b>");
  assert.equal(it.document.querySelectorAll("[data-vm-permanent] b").length, 0);
  const [first] = it.document.querySelectorAll("[role=alert]");
  await it.clock.run(2000);
  assert.deepEqual([...it.document.querySelectorAll("[role=alert]")], [first]);
  it.news.fault = null;
  await it.clock.run(1000);
  assert.equal(it.shown(), "");
});

test("a server that was started by itself is asked for news once", async () => {
  const it = await openPeople("<p></p>", { settle: 0 });
  Object.assign(it.server, developing);
  let asked = 0;
  answering(it, "/euripus-development.json", () => void asked++);
  await it.clock.run(10_000);
  assert.equal(asked, 1);
});

test("a refused request is in the console with its reason", async () => {
  const it = await openPeople('<button data-vm-do="people/items/none/follow">Follow</button>', { settle: 0 });
  Object.assign(it.server, developing);
  await it.clock.run(3000);
  it.fire(it.find("button"), "click");
  await it.clock.run(1000);
  assert.deepEqual(it.complained.at(-1), ['Euripus: data-vm-do="people/items/none/follow": refused (422): Nothing was applied', it.find("button")]);
  assert.deepEqual(it.warned, [], "nothing is said twice");
});

for (const [status, more] of [[429, { retryAfter: 1 }], [502, {}], [503, {}], [504, {}], [409, { expected: 1 }]]) {
  for (const isDeveloping of [true, false]) {
    test(`a request that is answered ${status} and sent again is ${isDeveloping ? "in the console of development" : "not in the console of production"}`, async () => {
      const it = await openPeople('<button data-vm-do="add">Add</button>', { settle: 0 });
      Object.assign(it.server, developing, { isDeveloping });
      await it.clock.run(3000);
      let refusals = 0;
      const { retryAfter, ...members } = more;
      answering(it, "/actions/", () => !refusals++ && [status, { type: "/problems/some", title: "Not now", status, detail: "why it is not", ...members }, retryAfter]);
      it.fire(it.find("button"), "click");
      await it.clock.run(5000);
      assert.ok(refusals > 1, "it was sent again");
      const words = `Euripus: data-vm-do="add": refused (${status}): Not now\n  why it is not`;
      assert.deepEqual(it.complained.filter(([text]) => text.includes("refused")), isDeveloping ? [[words, it.find("button")]] : []);
      assert.deepEqual(it.warned, []);
      it.close();
    });
  }
}

test("an attribute that could run code is in the console of development with its element", async () => {
  assert.deepEqual(await complaints('<a data-vm-attr-onclick="heading"></a>'), ['data-vm-attr-onclick="heading": is refused, as it could run code <a>']);
  assert.deepEqual(await complaints('<style data-vm-text="heading"></style>'), ['data-vm-text="heading": is refused, as it could run code <style>']);
});

test("in production the console has one warning an hour at most", async () => {
  const it = await openPeople('<button data-vm-do="people/items/none/follow">Follow</button>');
  for (let minute = 0; minute < 70; minute++) {
    it.fire(it.find("button"), "click");
    await it.clock.run(60_000);
  }
  assert.deepEqual([it.errors.length, it.warned.length, it.complained.length], [70, 2, 0]);
  assert.equal(it.warned[0][0], "Euripus: people: Nothing was applied");
});
