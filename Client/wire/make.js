// SPDX-License-Identifier: MIT
// Elements of the drawer.

/**
 * Makes an element. A member of `properties` is a property of it, or an attribute where its name has a hyphen.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, any>} [properties]
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes("-")) element.setAttribute(key, value);
    else Object.assign(element, { [key]: value });
  }
  element.append(...children);
  return element;
}

/**
 * A part of the drawer that a person can fold.
 * @param {string} title
 * @param {boolean} isOpen
 * @param {Node[]} children
 */
export const part = (title, isOpen, ...children) =>
  make("details", { open: isOpen, className: "part" }, make("summary", {}, make("h3", {}, title)), ...children);

/**
 * Scrolls a box to the first element in it that a selector finds, unless a person reads there. Nothing else is scrolled.
 * @param {HTMLElement} box
 * @param {string} selector
 */
export function reveal(box, selector) {
  const found = /** @type {HTMLElement | null} */ (box.querySelector(selector));
  if (found && !box.matches(":hover, :focus-within")) box.scrollTop = found.offsetTop - 2 * found.offsetHeight;
}
