// SPDX-License-Identifier: MIT
import { test } from "node:test";
import { Story } from "./house.mjs";
import { seeds } from "./random.mjs";

test("two people type, compose, choose, submit, click, leave, reload and come back over a network that loses, refuses and breaks, to a server that forgets: no keystroke is lost, nothing is applied twice, and both pages are equal to the server at rest", async () => {
  for (const seed of seeds(40)) await new Story(seed).run();
});
