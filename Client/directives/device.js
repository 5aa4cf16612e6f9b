// SPDX-License-Identifier: MIT
// `data-vm-on="visible"`, `"hidden"` and `"rotate"`: signs of the device (CLIENT.md, "The device").
import { hear } from "../listening.js";

/**
 * The orientation of an interface, by the screen's angle in quarters: 1 is upright, 3 is turned by 90°, 4 by
 * 270°.
 */
const TURNS = [1, 3, 1, 4];

/**
 * The value of a sign that holds now, as a list of one or none; undefined where the sign does not hold.
 * @param {string} type
 */
function present(type) {
  if (type === "rotate") return [TURNS[screen.orientation?.angle / 90]];
  return document.visibilityState === type ? [] : undefined;
}

/**
 * Performs an action for each new sign of a kind: at the start of a session if the sign holds, and then
 * whenever it comes.
 * @param {string} type
 * @param {import("../part.js").Part} part
 * @param {(value?: number) => boolean} act performs the action, if it may be performed
 * @returns {() => void} a function that ends it
 */
export function followSign(type, part, act) {
  const { root } = part;
  /** @type {string | undefined} */
  let told;
  // After the rendering, as an action renders too.
  const look = () =>
    queueMicrotask(() => {
      const sign = present(type);
      if (!sign) return void (told = undefined);
      const news = root.session.url + sign.join();
      if (root.status.state !== "live" || told === news) return;
      if (act(sign[0])) told = news;
    });
  part.onState(look);
  return hear(["visibilitychange", "resize"], look, root.signal);
}
