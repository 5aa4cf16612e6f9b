// SPDX-License-Identifier: MIT

/** A hidden page keeps its poll for so long, as a look at another tab is short. */
const HIDDEN = 5_000;

/**
 * Has a root hear of the page's events. Events are the window's, captured: an element that goes needs no farewell.
 * @param {import("./root.js").Root} root
 */
export function listen(root) {
  const { fields, session, signal } = root;
  /** @type {Record<string, (event: any) => void>} */
  const heard = {
    input: () => fields.settle(),
    blur: () => fields.settle(),
    compositionstart: ({ target }) => (fields.composing = target),
    compositionend: () => {
      fields.composing = undefined;
      fields.settle();
      root.render();
    },
    online: () => root.wake(),
    offline: () => session.restart(),
    pagehide: ({ persisted }) => {
      root.leave();
      // A page that does not come back from the history.
      if (session.url && !persisted) navigator.sendBeacon(session.url + "/leaving");
    },
    visibilitychange: () => {
      fields.flush();
      if (document.hidden) setTimeout(() => document.hidden && session.restart(), HIDDEN);
      else root.wake();
    },
  };
  for (const name in heard) addEventListener(name, heard[name], { capture: true, signal });
}
