// SPDX-License-Identifier: MIT
import { attributesOf, INPUTS, ACTIONS } from "./attributes.js";

const SOURCES = [...ACTIONS, ...INPUTS, "window"];

/**
 * Says in the console which press or edit of a root was refused, and why. It says each of the server's texts once.
 * @param {import("../root.js").Root} root
 * @param {any} detail of `vm:error`
 */
export function sayRefused(root, { title, detail, status, type, element, errors = [] }) {
  const source = element?.closest(SOURCES.map((each) => `[data-vm-${each}]`).join());
  const attribute = source && attributesOf(source).find(({ kind }) => SOURCES.includes(kind));
  const what = attribute ? `${attribute.name}="${attribute.value}"` : root.model;
  const reasons = errors.map((/** @type {any} */ each) => (each.pointer && each.detail !== detail ? `${each.pointer}: ${each.detail}` : each.detail));
  const words = new Set([title ?? type, detail, ...reasons].filter(Boolean));
  console.error(`Euripus: ${what}: refused${status ? ` (${status})` : ""}: ${[...words].join("\n  ")}`, ...(element ? [element] : []));
}
