// SPDX-License-Identifier: MIT
// The passive view: mounts each `data-vm-root` of the page, and hands them to the page's own scripts.
import { Handle } from "./handle.js";
import { Root } from "./root.js";

/** @type {Map<Element, Handle>} */
const handles = new Map();

/**
 * Shows a view model in an element with `data-vm-root`. Mounting it twice is mounting it once.
 * @param {HTMLElement} element
 * @returns {Handle}
 */
export function mount(element) {
  const handle = handles.get(element) ?? new Handle(new Root(element), () => handles.delete(element));
  handles.set(element, handle);
  return handle;
}

/**
 * The handle of a root of this page.
 * @param {string | Element} root the name of its view model, or its element
 * @returns {Handle | undefined}
 */
export function root(root) {
  return typeof root === "string" ? [...handles.values()].find(({ model }) => model === root) : handles.get(root);
}

for (const element of document.querySelectorAll("[data-vm-root]")) mount(/** @type {HTMLElement} */ (element));
