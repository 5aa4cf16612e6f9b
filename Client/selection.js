// SPDX-License-Identifier: MIT

/**
 * Where a caret goes in a text that was changed: within the common beginning it stays, behind it it keeps its distance from the end.
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
