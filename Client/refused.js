// SPDX-License-Identifier: MIT
// Edits that the server has refused: their fields keep what was typed, and no action runs on the older value.
import { isTyped } from "./inputs.js";

/** @typedef {import("./types").Field} Field */
/** @typedef {import("./types").Request} Request */

/** The elements that hold an action and the fields that it is about: the innermost of them around its control counts. */
const GROUP = "form,fieldset,li,tr,article,section,dialog,[role=group],[data-vm-root]";

/** The problem of an action that is not sent, as an edit before it was refused. */
export const EDIT_REFUSED = "edit-refused";

/**
 * Marks a field of which an edit was refused. It shows what was typed until it is edited. A choice goes back to the
 * server's, with the mark.
 * @param {Field} field
 * @param {string} words
 */
export function markRefused(field, words) {
  const { node } = field;
  field.refused = isTyped(node) ? words : "";
  field.engaged = false;
  node.setAttribute("data-vm-refused", words);
}

/**
 * Takes the mark off a field that is edited.
 * @param {Field} field
 */
export function unmarkRefused(field) {
  const { node, error } = field;
  field.refused = "";
  node.removeAttribute("data-vm-refused");
  node.setCustomValidity?.("");
  if (!error) node.removeAttribute("aria-invalid");
}

/**
 * Whether an action is about a field, as far as the page can tell: they stand in one group.
 * @param {Element | undefined} control the action's
 * @param {Field} field
 */
export const concerns = (control, { node }) => !!control?.closest(GROUP)?.contains(node);

/**
 * Ends the actions that wait behind a refused edit: they would run on an older value than the person saw. Those behind
 * a newer edit of the same value run on that one.
 * @param {import("./queue.js").Queue} queue
 * @param {Request} edit
 * @param {string} detail
 */
export function stopBehind(queue, { what, field }, detail) {
  for (const item of queue.items) {
    if (!field || item.what === what) return;
    if (item.bases && concerns(item.control, field)) queue.end(item, { type: EDIT_REFUSED, detail });
  }
}
