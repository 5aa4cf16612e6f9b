// SPDX-License-Identifier: MIT
// Several roots on one page.
import assert from "node:assert/strict";
import { left, openPage, test } from "./opened.mjs";
import { people } from "./people.mjs";

const root = (attributes = "") => `<section data-vm-root="people" ${attributes}><input data-vm-bind="heading"></section>`;

/** A page of that markup. Its `openings` count the requests that open a session: now, the most at once, and all. */
async function open(markup, { storage, of, answers = () => undefined, settle = 1000 } = {}) {
  const openings = { now: 0, most: 0, all: 0 };
  const fetched = (real) => async (address, how) => {
    if (address !== "/sessions/people") return real(address, how);
    openings.now++;
    openings.all++;
    openings.most = Math.max(openings.most, openings.now);
    try {
      const status = answers(openings.all);
      const answer = await real(address, how);
      return status ? { ...answer, status, headers: new Map([["retry-after", null]]), json: async () => ({ status, type: "/problems/overloaded" }) } : answer;
    } finally {
      openings.now--;
    }
  };
  const it = await openPage(markup, { kind: people, storage, of, fetched, settle });
  return { ...it, openings, inputs: [...it.document.querySelectorAll("input")] };
}

test("roots open their sessions one behind the other: the first answer brings the cookie that the next has to have", async () => {
  const it = await open(root() + root() + root());
  assert.deepEqual([it.openings.all, it.openings.most], [3, 1]);
  assert.deepEqual(it.values(), ["People", "People", "People"]);
});

test("an opening that fails holds up no other root", async () => {
  const it = await open(root() + root(), { answers: (n) => (n === 1 ? 503 : undefined), settle: 5000 });
  assert.deepEqual([it.openings.most, it.values()], [1, ["People", "People"]]);
});

for (const [said, first, second] of [
  ["with ids", 'id="left"', 'id="right"'],
  ["without ids", "", ""],
]) {
  test(`two roots of one view model ${said} have sessions of their own, over a reload as well`, async () => {
    const markup = root(first) + root(second);
    const it = await open(markup);
    it.type(it.inputs[0], "1 ");
    it.type(it.inputs[1], "2 ");
    await it.clock.run(1000);
    assert.deepEqual(it.values(), ["People1 ", "People2 "]);
    const again = await open(markup, left(it));
    assert.deepEqual([again.values(), again.openings.all], [["People1 ", "People2 "], 0]);
  });
}

test("a root with an id keeps its session where another one comes before it", async () => {
  const it = await open(root() + root('id="right"'));
  it.type(it.inputs[1], "2 ");
  await it.clock.run(1000);
  const again = await open(root() + root() + root('id="right"'), left(it));
  assert.deepEqual([again.values(), again.openings.all], [["People", "People", "People2 "], 1]);
});
