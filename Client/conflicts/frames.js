// SPDX-License-Identifier: MIT
import { valueAt } from "../values.js";

/**
 * The value at a path after a frame, as far as the frame tells of it; undefined where it does not.
 * @param {import("../types").Answer} frame
 * @param {string[]} names
 */
export function valueIn({ state, patch = [] }, names) {
  if (state !== undefined) return valueAt(state, names);
  const path = names.map((name) => "/" + name.replaceAll("~", "~0").replaceAll("/", "~1"));
  let value;
  for (const operation of patch) {
    // An operation may be about something around the value, such as its row.
    const depth = names.findIndex((_, index) => path.slice(0, index + 1).join("") === operation.path) + 1;
    if (depth && "value" in operation) value = valueAt(operation.value, names.slice(depth));
  }
  return value;
}

/**
 * A value of the server, and the tag of a version that had it.
 * @param {any} value
 * @param {string} version
 * @returns {import("../types").Origin}
 */
export const originOf = (value, version) => ({ value, tag: `"${version}"` });
