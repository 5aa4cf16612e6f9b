// SPDX-License-Identifier: MIT
// The elements that show an `Uploads`: its input, and the rows of its files.
import { pointer } from "../paths.js";

/**
 * The input for files of an element that shows an `Uploads`; null where it has none.
 * @param {HTMLElement} node
 * @returns {HTMLInputElement | null}
 */
export const inputOf = (node) => (node.matches("input") ? /** @type {HTMLInputElement} */ (node) : node.querySelector("input[type=file]"));

/**
 * Shows how it stands with each file.
 * @param {import("./uploader.js").Uploader} uploader
 * @param {HTMLElement} node an input of the type `file`, or an element with one
 * @param {(key: string) => import("./sending.js").Sending | undefined} sendingOf
 */
export function show({ state, url }, node, sendingOf) {
  const { types = "", most = 1, files = {}, elsewhere } = state;
  const input = inputOf(node);
  if (input) {
    input.accept ||= types;
    input.multiple = most > 1;
  }
  // The client keeps the rows behind their template, in the order of the keys.
  let row = node.querySelector("template[data-vm-each]")?.nextElementSibling;
  for (const key of files.order ?? []) {
    if (row) showRow(row, files.items[key], sendingOf(key), elsewhere || !url ? "" : url + pointer([key]));
    row = row?.nextElementSibling;
  }
}

/**
 * @param {Element} row the element of a file
 * @param {any} item
 * @param {import("./sending.js").Sending | undefined} sending
 * @param {string} address of its bytes; empty where this server has none
 */
function showRow(row, item, sending, address) {
  // A page that was loaded anew has no file to go on with.
  const isLost = !item.ready && !item.error && (!sending || sending.isOver);
  for (const [name, isOn] of [["lost", isLost], ["waiting", !!sending?.isWaiting && !item.ready]]) {
    for (const node of row.querySelectorAll(`[data-vm-${name}]`)) /** @type {HTMLElement} */ (node).hidden = !isOn;
  }
  for (const picture of row.querySelectorAll("img[data-vm-preview]")) {
    const source = item.ready && /^image\//.test(item.type) ? address : "";
    if (source ? picture.getAttribute("src") !== source : picture.hasAttribute("src")) {
      if (source) picture.setAttribute("src", source);
      else picture.removeAttribute("src");
    }
    /** @type {HTMLElement} */ (picture).hidden = !source;
  }
}
