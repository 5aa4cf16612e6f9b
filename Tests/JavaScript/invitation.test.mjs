// SPDX-License-Identifier: MIT
// A link with an invitation, which the page takes out of its address before anything else.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { openPage, test } from "./opened.mjs";
import { people } from "./people.mjs";

const script = readFileSync(new URL("../../Public/euripus-invitation.js", import.meta.url), "utf8");
const run = new Function("world", `with (world) { ${script} }`);

const open = (markup, url, storage = new Map()) => openPage(markup, { kind: people, url, storage, meet: ({ world }) => run(world) });
const opening = ({ server }) => JSON.parse(server.log.find(({ path }) => path === "/sessions/people").body);
const markup = '<main data-vm-root="people" data-vm-invited></main>';

test("a link's invitation goes with the opening of the root that takes one, and is gone from the address", async () => {
  const it = await open(markup, "http://server/desk?owner=anna#invitation=a-_Z9");
  assert.equal(opening(it).invitation, "a-_Z9");
  const { pathname, search, hash } = it.world.location;
  assert.deepEqual([pathname, search, hash, it.world.history.length], ["/desk", "?owner=anna", "", 1]);
});

test("a link's invitation opens a session though the tab had one", async () => {
  const storage = new Map([["euripus:people", "/sessions/people/gone"], ["euripus:other", "/sessions/other/s1"]]);
  const it = await open(markup, "http://server/desk#invitation=x", storage);
  assert.deepEqual([opening(it).invitation, storage.get("euripus:people"), storage.get("euripus:other")], ["x", "/sessions/people/s1", "/sessions/other/s1"]);
});

test("a link's invitation that is followed in a tab that shows the page already loads it again, and no other fragment does", async () => {
  const it = await open(markup, "http://server/desk");
  let loads = 0;
  it.world.location.reload = () => loads++;
  for (const [hash, count] of [["#top", 0], ["#invitation=x", 1]]) {
    it.world.history.pushState(null, "", "http://server/desk" + hash);
    it.fire(it.window, "hashchange");
    assert.equal(loads, count);
  }
});

for (const [name, body, hash] of [
  ["another fragment", markup, "#invitations"],
  ["a page whose roots take none", '<main data-vm-root="people"></main>', "#invitation=x"],
]) {
  test(`${name} stays in the address, and no invitation is sent`, async () => {
    const it = await open(body, "http://server/desk" + hash);
    assert.equal(it.world.location.hash, hash);
    assert.ok(!("invitation" in opening(it)));
  });
}
