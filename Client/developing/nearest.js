// SPDX-License-Identifier: MIT
import { list } from "./attributes.js";

/**
 * The number of letters to add, to remove, to replace or to exchange with the next one, to make one word of another.
 * @param {string} a
 * @param {string} b
 */
function distance(a, b) {
  /** @type {number[][]} */
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      row[j] = Math.min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (isSame ? 0 : 1));
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isExchanged) row[j] = Math.min(row[j], rows[i - 2][j - 2] + 1);
    }
    rows.push(row);
  }
  return rows[a.length][b.length];
}

/**
 * The words to choose from in the place of one that there is not: the one that is most like it, if any is, and all.
 * @param {string} word
 * @param {string[]} known
 */
export function choice(word, known) {
  if (!known.length) return "there is none";
  const nearest = known.reduce((best, each) => (distance(word, each) < distance(word, best) ? each : best));
  const isLike = known.length > 1 && 2 * distance(word, nearest) <= word.length;
  return `${isLike ? `the nearest is '${nearest}'; ` : ""}expected one of: ${list(known)}`;
}
