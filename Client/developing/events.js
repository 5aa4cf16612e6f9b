// SPDX-License-Identifier: MIT
// `data-vm-on`: the events and the keys that there are.
import { choice } from "./nearest.js";

/** Signs of the device, pulses, and events for which an element has no property. */
const OTHERS = ["visible", "hidden", "rotate", "vm:pulse", "focusin", "focusout", "compositionstart", "compositionupdate", "compositionend",
  "touchstart", "touchmove", "touchend", "touchcancel"];
/** Keys of more than one letter. */
const KEYS = ["enter", "escape", "tab", "backspace", "delete", "insert", "home", "end", "pageup", "pagedown", "arrowup", "arrowdown", "arrowleft",
  "arrowright", "shift", "control", "alt", "meta", "capslock", "contextmenu"];

/**
 * The fault of an event's name, or of the key behind it. An event of the page's own has a `:` or a `-` in its
 * name. A custom element may have any event.
 * @param {Element} node
 * @param {string} text
 * @returns {string | undefined}
 */
export function wrongEvent(node, text) {
  const [type, key] = text.split(".");
  const isCustom = /[:-]/.test(type) || [node, ...node.querySelectorAll("*")].some((each) => each.localName.includes("-"));
  const known = [...OTHERS];
  for (const name in node) if (name.startsWith("on")) known.push(name.slice("on".length));
  if (!known.includes(type) && !isCustom) return `there is no event '${type}'; ${choice(type, known)}`;
  if (key === undefined) return undefined;
  if (!type.startsWith("key")) return `'${type}' has no key; expected keydown.${key}`;
  const isKey = [...key].length === 1 || KEYS.includes(key) || /^f\d\d?$/.test(key);
  return isKey ? undefined : `there is no key '${key}'; ${choice(key, KEYS)}`;
}
