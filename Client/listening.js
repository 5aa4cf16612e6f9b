// SPDX-License-Identifier: MIT
import { unsent } from "./kept.js";
import { HIDDEN } from "./times.js";

/**
 * Calls a function at events of the window and of elements in it. Gives a function that ends it.
 * @param {string[]} names
 * @param {(event: any) => void} act
 * @param {AbortSignal} signal ends it too
 */
export function hear(names, act, signal) {
  for (const name of names) addEventListener(name, act, { capture: true, signal });
  return () => names.forEach((name) => removeEventListener(name, act, { capture: true }));
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
  // A tab that is closed takes its unsent edits along, so the browser asks first.
  const ask = (/** @type {Event} */ event) => unsent(root).length && event.preventDefault();
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
    online: move,
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
    "vm:state": ({ detail }) => {
      if (detail.root !== root.element) return;
      // Some browsers keep no page for the history that listens for this, so it listens only without a connection.
      if (detail.state === "live") removeEventListener("beforeunload", ask);
      else addEventListener("beforeunload", ask, { signal });
    },
  };
  // Another network may lead to the server, and carries none of the connections that there were.
  /** @type {any} */ (navigator).connection?.addEventListener?.("change", move, { signal });
  for (const name in heard) hear([name], heard[name], signal);
}
