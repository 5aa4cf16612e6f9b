// SPDX-License-Identifier: MIT
import { forgetKept, keepState } from "./kept.js";
import { leave } from "./leaving.js";
import { HIDDEN } from "./times.js";

/**
 * Calls a function at events of the window and of elements in it. Gives a function that ends it.
 * @param {string[]} names
 * @param {(event: any) => void} act
 * @param {AbortSignal} signal ends it too
 */
export function hear(names, act, signal) {
  for (const name of names) addEventListener(name, act, { capture: true, signal });
  return () => {
    for (const name of names) removeEventListener(name, act, { capture: true });
  };
}

/**
 * Lets a root hear the page's events. The window captures them, so an element that goes leaves no listener behind.
 * @param {import("./root.js").Root} root
 */
export function listen(root) {
  const { fields, session, signal } = root;
  const move = () => {
    session.doubt();
    root.wake();
  };
  const look = (/** @type {any} */ { target }) => fields.look(target);
  /** @type {Record<string, (event: any) => void>} */
  const heard = {
    input: look,
    // A choice may tell of its change alone.
    change: look,
    blur: () => fields.look(),
    compositionstart: ({ target }) => (fields.composing = target),
    compositionend: () => {
      fields.composed();
      root.render();
    },
    // A button to try again may come with a template.
    click: ({ target }) => root.all("retry").some((each) => each.contains(target)) && root.wake(true),
    online: move,
    offline: () => session.breakOff(),
    pagehide: ({ persisted }) => {
      leave(root);
      // This page does not come back from the history.
      if (session.url && !persisted) navigator.sendBeacon(session.url + "/leaving");
    },
    visibilitychange: () => {
      fields.flush();
      if (document.hidden) {
        // A phone may end a hidden page without a word.
        keepState(root);
        setTimeout(() => document.hidden && session.restart(), HIDDEN);
      } else {
        forgetKept(root);
        root.wake();
      }
    },
  };
  // Another network may lead to the server, and carries none of the connections that there were.
  /** @type {any} */ (navigator).connection?.addEventListener?.("change", move, { signal });
  for (const name in heard) hear([name], heard[name], signal);
}
