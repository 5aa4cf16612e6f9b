// SPDX-License-Identifier: MIT
// The two-way rule of CLIENT.md, with the numbers of its parts. It runs after every frame, edit, blur, end of a
// composition and acknowledgement, for the fields that are due.
import { isTyped, read } from "./inputs.js";
import { attempt } from "./problems.js";
import { unmarkRefused } from "./refused.js";
import { textOf } from "./values.js";

/** @typedef {import("./types").Field} Field */
/** @typedef {import("./fields.js").Fields} Fields */

/**
 * Takes in edits, and writes the values that may be written.
 * @param {Fields} fields
 */
export function settle(fields) {
  const { due } = fields;
  // While any field is edited, no field is written in the same turn: the radio button that a person leaves
  // may come before or behind the one that they choose (rule 3).
  let isHeld = [...due].some(fields.isPending);
  for (const field of [...due]) {
    const look = () => {
      if (takeEdit(fields, field)) isHeld = true;
      return settleOne(fields, field, isHeld);
    };
    if (attempt(field.node, look)) due.delete(field);
  }
  // A tab that is closed takes its unsent edits along, so the browser asks first. Some browsers keep no page for the
  // history that listens for this, so it listens only while an edit waits.
  const hear = [...due].some(fields.isPending) ? addEventListener : removeEventListener;
  hear("beforeunload", fields.ask, { signal: fields.root.signal });
}

/**
 * @param {Fields} fields
 * @param {Field} field
 * @param {boolean} isHeld whether no value may be written now
 * @returns {boolean} whether nothing of the field is to be done later
 */
function settleOne(fields, field, isHeld) {
  const { node } = field;
  const isFocused = () => node.matches(":focus") && document.hasFocus();
  field.engaged &&= isFocused();
  if (/** @type {number} */ (field.timer) < 0 && !isFocused()) fields.send(field);
  const value = field.at();
  // A secret that is set is absent (rule 1), and an equal value is never written (rule 5).
  const isNews = value !== undefined && value !== field.shown;
  const isPending = fields.isPending(field);
  // No value is written while a person edits the field (rule 4), before all edits are acknowledged (rule 3), into a
  // composition (rule 2), or over what a person typed and was refused (rule 6).
  const mayWrite = !field.engaged && !isHeld && node !== fields.composing && !field.refused;
  fields.root.conflicts?.look(field, isNews, isPending, mayWrite);
  node.toggleAttribute("data-vm-pending", isPending);
  showError(field);
  if (isNews && mayWrite && !field.conflict) fields.write(field, value);
  return !isPending && !field.engaged && (!isNews || mayWrite);
}

/**
 * Takes an edit: a value that a field shows and did not show before, with an event or without. Answers
 * whether there is one.
 * @param {Fields} fields
 * @param {Field} field
 */
function takeEdit(fields, field) {
  const { node } = field;
  const { vmDebounce: wait, vmCompose } = node.dataset;
  const shown = read(node);
  if ((node === fields.composing && vmCompose === "end") || shown === field.shown) return false;
  field.shown = shown;
  // A text grows. Anything else is chosen at once.
  field.engaged = isTyped(node);
  fields.edited.delete(field);
  fields.edited.add(field);
  field.touched = true;
  // It goes out once the person has chosen.
  if (field.conflict) return true;
  // A choice takes the place of another one of its group, which was refused. A button that is left is no choice.
  const isMade = node.type !== "radio" || shown;
  for (const each of fields.edited) if (isMade && each.what === field.what && (each === field || !each.refused)) unmarkRefused(each);
  clearTimeout(field.timer);
  field.timer = wait === "blur" ? -1 : wait && setTimeout(() => fields.send(field), wait);
  if (!field.timer) fields.send(field);
  fields.root.status.heed();
  return true;
}

/** @param {Field} field */
function showError(field) {
  const { node, error, refused } = field;
  field.touched ||= !!textOf(field.at());
  if (!error && !refused) return;
  // An untouched field shows no error.
  const text = refused || (field.touched && error?.()) || "";
  node.setCustomValidity?.(text);
  node.setAttribute("aria-invalid", !!text);
}
