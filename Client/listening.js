// SPDX-License-Identifier: MIT

/** The milliseconds for which a hidden page keeps its poll, as a look at another tab is short. */
const HIDDEN = 5_000;

/**
 * Lets a root hear the page's events. The window captures them, so an element that goes leaves no listener behind.
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
    offline: () => session.breakOff(),
    pagehide: ({ persisted }) => {
      root.leave();
      // This page does not come back from the history.
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
