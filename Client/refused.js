// SPDX-License-Identifier: MIT
// Edits that the server has refused: their fields keep what was typed, and no action runs on the older value.

/** @typedef {import("./types").Field} Field */

/** The elements that hold an action and the fields that it is about: the innermost of them around its control counts. */
const GROUP = "form,fieldset,li,tr,article,section,dialog,[role=group],[data-vm-root]";

/** The problem of an action that is not sent, as an edit before it was refused. */
export const EDIT_REFUSED = "edit-refused";

/**
 * Marks a field of which an edit was refused. It shows what was typed until it is edited, or takes the mark off.
 * @param {Field} field
 * @param {string} words empty for no mark
 */
export function markRefused(field, words) {
  const { node, error } = field;
  field.refused = words;
  if (words) {
    field.engaged = false;
    node.setAttribute("data-vm-refused", words);
  } else {
    node.removeAttribute("data-vm-refused");
    node.setCustomValidity?.("");
    if (!error) node.removeAttribute("aria-invalid");
  }
}

/**
 * Whether an action is about a field, as far as the page can tell: they stand in one group.
 * @param {Element | undefined} control the action's
 * @param {Field} field
 */
export const concerns = (control, { node }) => !!control?.closest(GROUP)?.contains(node);

/**
 * Ends the actions that wait behind a refused edit: they would run on an older value than the person sees.
 * @param {import("./queue.js").Queue} queue
 * @param {Field | undefined} field
 */
export function stopBehind(queue, field) {
  if (!field?.refused) return;
  for (const item of queue.items) {
    if (item.bases && concerns(item.control, field)) queue.end(item, { type: EDIT_REFUSED, detail: field.refused });
  }
}
