// SPDX-License-Identifier: MIT
// The parameters that a root's session is opened with (CLIENT.md, "Parameters").
import assert from "node:assert/strict";
import { left, openPage, test } from "./opened.mjs";
import { people } from "./people.mjs";

const root = (attributes) => `<section data-vm-root="people" ${attributes}><input data-vm-bind="heading"></section>`;

/** A page of that markup, with the bodies of its openings. */
async function open(markup, { storage, of } = {}) {
  const before = of?.log.length ?? 0;
  const it = await openPage(markup, { kind: people, storage, of, settle: 1000 });
  const opened = () => it.server.log.slice(before).filter(({ path }) => path === "/sessions/people").map(({ body }) => JSON.parse(body).params);
  return { ...it, opened };
}

test("each root opens its session with its own parameters, as texts or, behind an equals sign, as JSON", async () => {
  const it = await open(root('data-vm-params-start="=10" data-vm-params-name="x"') + root('data-vm-params-start="10" data-vm-params-tags=\'=["a"]\'') + root(""));
  assert.deepEqual(it.opened(), [{ start: 10, name: "x" }, { start: "10", tags: ["a"] }, undefined]);
});

test("a name with capitals has hyphens, or stands in all parameters at once, of which one by itself takes the place", async () => {
  const it = await open(root('data-vm-params-board-name="a"') + root(`data-vm-params-start="=2" data-vm-params='={"boardName":1,"start":1}'`));
  assert.deepEqual(it.opened(), [{ boardName: "a" }, { boardName: 1, start: 2 }]);
});

test("a parameter that is no JSON is a warning, and hinders no other", async () => {
  const it = await open(root('data-vm-params-start="=1o" data-vm-params-name="x"'));
  assert.deepEqual(it.opened(), [{ name: "x" }]);
  assert.match(it.warned.join(), /^Euripus: people: data-vm-params-start="=1o" on <section>: .*JSON/);
});

test("a reload goes on with the session of these parameters, and opens another one for others", async () => {
  const [one, two, three] = [1, 2, 3].map((each) => root(`data-vm-params-start="=${each}"`));
  const first = await open(one + two);
  for (const [at, input] of [...first.document.querySelectorAll("input")].entries()) first.type(input, String(at));
  await first.clock.run(1000);
  const again = await open(one + two, left(first));
  assert.deepEqual([again.opened(), again.values()], [[], ["People0", "People1"]]);
  const it = await open(one + three, left(again));
  assert.deepEqual([it.opened(), it.values()], [[{ start: 3 }], ["People0", "People"]]);
});
