// SPDX-License-Identifier: MIT
// `data-vm-on="visible"`, `"hidden"` and `"rotate"`: signs of the device (CLIENT.md, "The device").

/** How an interface is turned, by the screen's angle in quarters: 1 upright, 3 turned by 90°, 4 by 270°. */
const TURNS = [1, 3, 1, 4];

/**
 * The value of a sign that holds now: a list of one or none, or undefined where it does not hold.
 * @param {string} type
 */
function present(type) {
  if (type === "rotate") return [TURNS[screen.orientation?.angle / 90]];
  return document.visibilityState === type ? [] : undefined;
}

/**
 * Performs an action for each sign of a kind that is news: at the start of a session if it holds, and then whenever it comes.
 * @param {HTMLElement} node
 * @param {any} binding
 */
export function directive(node, { part, act }) {
  const { root } = part;
  const type = /** @type {string} */ (node.dataset.vmOn);
  /** @type {string | undefined} */
  let told;
  // Behind the rendering, as an action renders.
  const look = () =>
    queueMicrotask(() => {
      const sign = present(type);
      if (!sign) return void (told = undefined);
      const news = root.session.url + sign.join();
      if (root.status.state !== "live" || told === news) return;
      if (act(sign[0])) told = news;
    });
  for (const name of ["visibilitychange", "resize"]) addEventListener(name, look, { capture: true, signal: root.signal });
  part.onState(look);
  return () => {
    for (const name of ["visibilitychange", "resize"]) removeEventListener(name, look, { capture: true });
  };
}
