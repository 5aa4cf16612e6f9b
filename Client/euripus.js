// SPDX-License-Identifier: MIT
// The passive view: mounts each `data-vm-root` of the page, and hands them to the page's own scripts.
import { Handle } from "./handle.js";
import { Root } from "./root.js";

/**
 * The mounted elements, each with the handle that a script has of its root.
 * @type {Map<Element, Handle>}
 */
const mounted = new Map();

/**
 * Shows a view model in an element with `data-vm-root`. Mounting it twice is mounting it once.
 * @param {HTMLElement} element
 * @returns {Handle}
 */
export function mount(element) {
  const handle = mounted.get(element) ?? new Handle(new Root(element), () => mounted.delete(element));
  mounted.set(element, handle);
  return handle;
}

/**
 * The handle of a root of this page; undefined where there is none.
 * @param {string | Element} root the name of its view model, or its element
 * @returns {Handle | undefined}
 */
export function root(root) {
  for (const [element, handle] of mounted) if (element === root || handle.model === root) return handle;
  return undefined;
}

for (const element of document.querySelectorAll("[data-vm-root]")) mount(/** @type {HTMLElement} */ (element));
