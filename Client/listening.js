// SPDX-License-Identifier: MIT
import { unsent } from "./kept.js";

/** The milliseconds for which a hidden page keeps its poll, as a look at another tab is short. */
const HIDDEN = 5_000;

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
  // A tab that is closed takes its unsent edits along, so the browser asks first. It listens only without a connection:
  // some browsers keep no page for the history that listens for this.
  const ask = (/** @type {Event} */ event) => unsent(root).length && event.preventDefault();
  const watch = (/** @type {any} */ { detail }) => {
    if (detail.root !== root.element) return;
    if (detail.state === "live") removeEventListener("beforeunload", ask);
    else addEventListener("beforeunload", ask, { signal });
  };
  document.addEventListener("vm:state", watch, { signal });
  // Another network may lead to the server.
  /** @type {any} */ (navigator).connection?.addEventListener?.("change", () => root.wake(), { signal });
  for (const name in heard) hear([name], heard[name], signal);
}
