// SPDX-License-Identifier: MIT
// Edits that the server has refused: their fields keep what was typed, and no action runs on the older value.
import { setAttribute } from "./directives/showing.js";
import { isTyped } from "./inputs.js";
import { NOT_NOW } from "./statuses.js";

/** @typedef {import("./fields.js").Fields} Fields */
/** @typedef {import("./types").Field} Field */
/** @typedef {import("./types").Problem} Problem */
/** @typedef {import("./types").Request} Request */

/** The elements that hold an action and the fields that it is about: the innermost of them around its control counts. */
const GROUP = "form,fieldset,li,tr,article,section,dialog,[role=group],[data-vm-root]";

/**
 * Says at an element why it was refused; without words, no longer. Its labels say so too: a style can draw words in
 * them, and not in an input, and they are a part of its name.
 * @param {any} node
 * @param {string} [words]
 */
export function mark(node, words) {
  for (const each of [node, ...(node.labels ?? [])]) setAttribute(each, words, "data-vm-refused");
}

/**
 * Marks a field of which an edit was refused. It shows what was typed until it is edited. A choice goes back to the
 * server's, with the mark.
 * @param {Field} field
 * @param {string} words
 * @param {number} [status] of the refusal
 */
export function markRefused(field, words, status) {
  const { node } = field;
  field.refused = isTyped(node) ? words : "";
  field.waits = status === NOT_NOW;
  field.engaged = false;
  mark(node, words);
}

/**
 * Takes the mark off a field that is edited, or whose edit was taken after all.
 * @param {Field} field
 */
export function unmarkRefused(field) {
  const { node, error, refused } = field;
  if (refused === undefined) return;
  field.refused = undefined;
  mark(node);
  node.setCustomValidity?.("");
  if (!error) node.removeAttribute("aria-invalid");
}

/**
 * Whether an action is about a field, as far as the page can tell: they stand in one group.
 * @param {Element | undefined} control the action's
 * @param {Field} field
 */
const concerns = (control, { node }) => !!control?.closest(GROUP)?.contains(node);

/**
 * Sends the refused edits of a group again: with a press in it all of them, and with another edit in it, which was
 * taken, those that the view model may take now.
 * @param {Fields} fields
 * @param {Element | undefined} element a control or an input in the group
 * @param {boolean} [isPress]
 */
export function sendAgain(fields, element, isPress) {
  for (const field of fields.edited) if (field.refused && (isPress || field.waits) && concerns(element, field)) fields.send(field);
}

/**
 * Draws the consequences of an edit that is decided. Behind a refused one the actions end that wait for it: they would
 * run on an older value than the person saw. Those behind a newer edit of the same value run on that one.
 * @param {import("./root.js").Root} root
 * @param {Request} edit
 * @param {Problem | undefined} problem
 */
export function follow({ queue, fields, status }, { what, field }, problem) {
  if (!field) return;
  if (!problem) {
    unmarkRefused(field);
    return sendAgain(fields, field.node);
  }
  for (const item of queue.items) {
    if (item.what === what) return;
    if (concerns(item.control, field)) queue.end(item, { type: "edit-refused", detail: status.told(problem) });
  }
}
