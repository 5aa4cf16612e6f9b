// SPDX-License-Identifier: MIT
// The passive view: mounts each `data-vm-root` of the page, and hands them to the page's own scripts.
import { loaded } from "./loading.js";
import { Root } from "./root.js";

/** @typedef {import("./later/handle.js").Handle} Handle */

/**
 * The mounted elements, each with its root and the handle that a script has of it.
 * @type {Map<Element, { root: Root, handle?: Promise<Handle> }>}
 */
const mounted = new Map();

/**
 * Shows a view model in an element with `data-vm-root`. Mounting it twice is mounting it once.
 * @param {HTMLElement} element
 */
function show(element) {
  if (!mounted.has(element)) mounted.set(element, { root: new Root(element) });
}

/**
 * The same, for a page's script.
 * @param {HTMLElement} element
 * @returns {Promise<Handle>}
 */
export function mount(element) {
  show(element);
  return /** @type {Promise<Handle>} */ (root(element));
}

/**
 * The handle of a root of this page; undefined where there is none.
 * @param {string | Element} root the name of its view model, or its element
 * @returns {Promise<Handle> | undefined}
 */
export function root(root) {
  for (const [element, place] of mounted) {
    if (element !== root && place.root.model !== root) continue;
    return (place.handle ??= loaded("handle").then(({ Handle }) => new Handle(place.root, () => mounted.delete(element))));
  }
  return undefined;
}

for (const element of document.querySelectorAll("[data-vm-root]")) show(/** @type {HTMLElement} */ (element));
