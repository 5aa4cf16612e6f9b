// SPDX-License-Identifier: MIT
// JSON as the drawer writes it.

/** The most letters of a line: what is longer has a line for each member. */
const WIDTH = 46;

/**
 * A value as JSON, in as few lines as have no more than 46 letters.
 * @param {any} value
 * @param {string} [indent]
 * @returns {string}
 */
export function format(value, indent = "") {
  const flat = JSON.stringify(value);
  if (Object(value) !== value || indent.length + flat.length <= WIDTH) return flat;
  const deeper = indent + "  ";
  const isList = Array.isArray(value);
  const members = Object.entries(value).map(([name, each]) => deeper + (isList ? "" : JSON.stringify(name) + ": ") + format(each, deeper));
  const [start, end] = isList ? "[]" : "{}";
  return [start, members.join(",\n"), indent + end].join("\n");
}

/**
 * A text of JSON as a value; a text of anything else as itself.
 * @param {string} text
 */
export function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * The bytes of a text in UTF-8, in words.
 * @param {string} text
 */
export const bytes = (text) => `${new TextEncoder().encode(text).length} B`;
