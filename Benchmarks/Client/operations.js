// SPDX-License-Identifier: MIT
// The operations of the js-framework-benchmark's list, as each page of this folder does them, and their times.

let last = 0;

/**
 * Rows with numbers and labels that no row had before.
 * @param {number} count
 */
export const labels = (count) => Array.from({ length: count }, () => ({ id: ++last, label: `row ${last} of the list` }));

/**
 * Types a letter into the field in the middle of the list.
 * @returns {HTMLInputElement} the field
 */
export function type() {
  const fields = document.querySelectorAll("tbody input");
  const field = fields[fields.length >> 1];
  field.value += "x";
  field.dispatchEvent(new Event("input", { bubbles: true }));
  return field;
}

/**
 * The timing of a page's operations. An operation makes its data, and returns what is timed: from the news to the end
 * of the layout that it leads to.
 * @param {Record<string, (argument: number) => Promise<() => Promise<void>>>} operations
 */
export const measured = (operations) => async (name, argument) => {
  const act = await operations[name](argument);
  const began = performance.now();
  await act();
  document.body.offsetHeight;
  const time = performance.now() - began;
  return { time, rows: document.querySelectorAll("tbody tr").length, chosen: document.querySelectorAll(".danger").length };
};
