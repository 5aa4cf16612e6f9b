// SPDX-License-Identifier: MIT
// Compositions beside addresses: a way to another page disturbs no composition.
import assert from "node:assert/strict";
import { openPage, test } from "./opened.mjs";

/** Pages in pages, each with a draft. The address is the path of the open pages. */
const pages = {
  name: "pages",
  create: () => ({ path: [], drafts: {} }),
  view({ path, drafts }) {
    const order = ["all", ...path];
    return structuredClone({ pages: { order, items: Object.fromEntries(order.map((key) => [key, { draft: drafts[key] ?? "" }])) } });
  },
  address: ({ pages: { order } }) => ["/pages", ...order.slice(1)].join("/"),
  go: (model, address) => void (model.path = address.split("/").slice(2).filter(Boolean)),
  handle: (model, method, names, value) => ({ then: () => (names[0] === "open" ? model.path.push(value) : (model.drafts[names[2]] = value)) }),
};
// The server asks for the address of a state or of a model.
const address = pages.address;
pages.address = (known) => address(known.pages ? known : pages.view(known));

async function open(path) {
  const markup = `<main data-vm-root="pages" data-vm-at="/pages"><template data-vm-each="pages"><section><h2 data-vm-heading data-vm-text="#"></h2><input data-vm-bind="draft"></section></template>
    <button data-vm-do="open" data-vm-arg="=b">b</button></main>`;
  const boxed = ({ window }) => (window.HTMLElement.prototype.getClientRects = () => [{}]);
  const view = await openPage(markup, { kind: pages, url: "http://server" + path, meet: boxed });
  const input = (at) => view.document.querySelectorAll("input")[at];
  /** Begins to compose, without an end. */
  const compose = (element, text) => {
    element.focus();
    view.fire(element, "compositionstart");
    element.value += text;
    view.fire(element, "input");
  };
  const shown = () => [view.world.location.pathname, view.texts("h2").join()];
  const sent = () => view.server.log.filter(({ method }) => method === "PUT").map(({ names, body }) => `${names} ${body}`);
  return { ...view, run: (time = 500) => view.clock.run(time), input, compose, shown, sent, history: view.world.history };
}

test("a page that another window closes stays for as long as somebody composes in it", async () => {
  const it = await open("/pages/a");
  const input = it.input(1);
  it.compose(input, "ni");
  it.server.change(it.server.only(), (model) => (model.path = []));
  await it.run(2000);
  assert.equal(it.document.activeElement, input);
  assert.deepEqual([input.isConnected, input.value, it.shown()[1]], [true, "ni", "all,a"]);
  input.value = "你";
  it.fire(input, "compositionend");
  await it.run();
  assert.deepEqual([input.isConnected, it.shown()], [false, ["/pages", "all"]]);
  assert.deepEqual([it.sent(), it.model().drafts], [['pages items a draft "ni"', 'pages items a draft "你"'], { a: "你" }], "what is composed is sent");
});

test("a page that opens takes no focus from a composition, and writes nothing", async () => {
  const it = await open("/pages/a");
  it.fire(it.find("button"), "click");
  const input = it.input(1);
  it.compose(input, "ni");
  await it.run(2000);
  assert.equal(it.document.activeElement, input);
  assert.deepEqual([input.value, it.shown(), it.sent()], ["ni", ["/pages/a/b", "all,a,b"], ['pages items a draft "ni"']]);
  it.fire(input, "compositionend");
  await it.run();
  assert.deepEqual([it.model().drafts, input.value], [{ a: "ni" }, "ni"]);
});

test("back waits for the end of a composition, and the composed text is of the page that is left", async () => {
  const it = await open("/pages/a");
  it.fire(it.find("button"), "click");
  await it.run();
  const input = it.input(2);
  it.compose(input, "ni");
  it.history.back();
  await it.run(2000);
  assert.deepEqual([input.isConnected, input.value, it.sent()], [true, "ni", ['pages items b draft "ni"']]);
  it.fire(input, "compositionend");
  await it.run();
  assert.deepEqual(it.sent(), ['pages items b draft "ni"', 'address "/pages/a"'].map((each) => each.replace("address", "")));
  assert.deepEqual(it.shown(), ["/pages/a", "all,a"]);
});
