// SPDX-License-Identifier: MIT
import { textOf } from "./values.js";

/**
 * Typing on: what was typed behind a text that an action took comes behind what the action made of it (CLIENT.md, "Typing on").
 * @param {import("./root.js").Root} root
 * @param {import("./types").Base} base what the field showed as the action was performed
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
  if (field.shown !== rest(field.shown)) fields.write(field, rest(field.shown));
}
