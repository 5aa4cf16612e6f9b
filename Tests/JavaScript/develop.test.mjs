// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { addRows, openPeople } from "./people.mjs";

const ref = (name) => ({ $ref: "#/components/schemas/" + name });
const object = (properties) => ({ type: "object", properties, additionalProperties: false });
/** The description of the people's view model, in the form in which a server gives it. */
const description = {
  components: {
    schemas: {
      State: object({ heading: { type: "string" }, people: ref("List"), done: { type: "array", items: {} } }),
      List: object({ order: { type: "array", items: { type: "string" } }, items: { type: "object", additionalProperties: ref("Row") } }),
      Row: { oneOf: [object({ title: { type: "string" }, follow: ref("Command") }), { type: "null" }] },
      Command: object({ enabled: { type: "boolean" }, executing: { type: "boolean" } }),
      Opened: object({ url: { type: "string" }, state: ref("State") }),
    },
  },
  paths: {
    "/sessions/people": { post: { responses: { 201: { content: { "application/json": { schema: ref("Opened") } } } } } },
    "/sessions/people/{id}/actions/add": {},
    "/sessions/people/{id}/actions/remove": {},
    "/sessions/people/{id}/actions/people/items/{key}/follow": {},
  },
};

/** What the console has of a page of a server in development: the sentence, and the local name of the element. */
async function complaints(markup, described = { "/models/people/openapi.json": description }) {
  const it = await openPeople(markup, { settle: 0, prepare: (model) => addRows(model, "a", "b") });
  Object.assign(it.server, { isDeveloping: true, described });
  await it.clock.run(3000);
  // Each is an error besides, which hinders nothing.
  it.reported.length = 0;
  it.close();
  return it.complained.map(([text, node]) => text.replace("Euripus: ", "") + (node ? ` <${node.localName}>` : ""));
}

test("each path and action that there is not is in the console, with its element and what there is, in rows that are not there as well", async () => {
  const markup = `<h1 data-vm-text="headin"></h1><button data-vm-do="ad">Add</button>
    <template data-vm-each="people"><p><b data-vm-text="titel"></b><i data-vm-show="follow/runs"></i><u data-vm-do="folow"></u><s data-vm-text="../heading"></s></p></template>`;
  assert.deepEqual(await complaints(markup), [
    `data-vm-text="headin": there is no value 'headin' on people; expected one of: done, heading, people <h1>`,
    `data-vm-do="ad": there is no action 'ad' on people; expected one of: add, remove <button>`,
    `data-vm-text="titel": there is no value 'titel' on people/people/items/*; expected one of: follow, title <b>`,
    `data-vm-show="follow/runs": there is no value 'runs' on people/people/items/*/follow; expected one of: enabled, executing <i>`,
    `data-vm-do="folow": there is no action 'folow' on people/people/items/*; expected one of: follow <u>`,
  ]);
});

test("an attribute that there is not, one that stands alone and a list on no template are in the console", async () => {
  const said = await complaints('<p data-vm-txt="heading" data-vm-confirm="=Really?"></p><ul data-vm-each="people"></ul><p data-vm-text="a//b"></p>');
  assert.match(said[0], /^data-vm-txt="heading": is no attribute of Euripus; expected one of: .*data-vm-text, .* <p>$/);
  assert.deepEqual(said.slice(1), [
    'data-vm-confirm="=Really?": does nothing here; expected it beside data-vm-do or data-vm-cancel <p>',
    'data-vm-each="people": stands on <ul>; expected a <template> <ul>',
    'data-vm-text="a//b": not a path: a//b; expected a path such as name, ../name or items/key/name <p>',
  ]);
});

test("a view model that is not hosted is in the console, with those that are", async () => {
  assert.deepEqual(await complaints("", { "/models": { models: [{ name: "board" }, { name: "login" }] } }), [
    `data-vm-root="people": no view model 'people' is hosted here; expected one of: board, login <main>`,
  ]);
});

test("a page without a mistake has an empty console", async () => {
  const markup = '<h1 data-vm-text="heading"></h1><template data-vm-each="people"><p data-vm-attr-id="#"><b data-vm-do="follow" data-vm-arg="=x" data-vm-show="follow/enabled"></b><i data-vm-text="../heading"></i></p></template>';
  assert.deepEqual(await complaints(markup), []);
});

test("a refused request is in the console with its reason", async () => {
  const it = await openPeople('<button data-vm-do="people/items/none/follow">Follow</button>', { settle: 0 });
  Object.assign(it.server, { isDeveloping: true, described: { "/models/people/openapi.json": description } });
  await it.clock.run(3000);
  it.fire(it.find("button"), "click");
  await it.clock.run(1000);
  assert.match(it.complained.at(-1)[0], /^Euripus: people was refused something: Nothing was applied \(422\)/);
  it.close();
});

test("in production the console has one warning an hour at most", async () => {
  const it = await openPeople('<button data-vm-do="people/items/none/follow">Follow</button>');
  for (let minute = 0; minute < 70; minute++) {
    it.fire(it.find("button"), "click");
    await it.clock.run(60_000);
  }
  assert.deepEqual([it.errors.length, it.warned.length, it.complained.length], [70, 2, 0]);
  assert.equal(it.warned[0][0], "Euripus: people: Nothing was applied");
  it.close();
});
