// SPDX-License-Identifier: MIT

/**
 * The new place of a caret in a text that was changed. Within the common beginning it stays. Behind that it
 * keeps its distance from the end.
 * @param {string} before
 * @param {string} after
 * @param {number} at
 */
export function mapSelection(before, after, at) {
  for (let head = 0; head < at; head++) {
    if (before[head] !== after[head]) return Math.max(head, at + after.length - before.length);
  }
  return at;
}
