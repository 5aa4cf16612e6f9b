// SPDX-License-Identifier: MIT
// Typing on: a person may type on behind a text that an action takes. The letters that they add then come
// behind the text that the action has made of it (CLIENT.md, "Typing on").
import { textOf } from "./values.js";

/**
 * Brings a field in step with an action that was answered.
 * @param {import("./root.js").Root} root
 * @param {import("./types").Base} base the text that the field showed as the action was performed
 */
export function rebase({ queue, fields }, { field, value: base }) {
  const value = field.at();
  const isUnderWay = queue.has((each) => each.field === field && !!each.n);
  if (field.node.options || value === field.was || value === undefined || isUnderWay) return;
  const rest = (/** @type {any} */ text) => (text?.startsWith?.(base) ? textOf(value) + text.slice(base.length) : text);
  for (const item of queue.items) {
    /** @type {{ field?: object, value?: any }[]} */
    const texts = item.bases ?? [item];
    for (const text of texts) if (text.field === field) text.value = rest(text.value);
  }
  if (field.shown === rest(field.shown)) return;
  // Nothing is written into a composition. Its end writes what is left of the text, and until then that is sent.
  if (field.node === fields.composing) field.rest = rest;
  else fields.write(field, rest(field.shown));
}
