// SPDX-License-Identifier: MIT
import { test } from "node:test";
import { Story } from "./house.mjs";

// EURIPUS_SEEDS=1-20000 runs these seeds instead of the usual ones.
const [first, last] = (process.env.EURIPUS_SEEDS ?? "1-150").split("-").map(Number);

test(`${last - first + 1} times two people type, compose, submit, click, leave and come back over a network that loses, refuses and breaks, to a server that forgets: no keystroke is lost, nothing is applied twice, and both pages are equal to the server at rest`, async () => {
  for (let seed = first; seed <= last; seed++) await new Story(seed).run();
});
