// SPDX-License-Identifier: MIT
// A page of a server in development: says in the console what of its markup leads nowhere, with the element and what there is, and why a
// request was refused (CLIENT.md, "A console that helps").
import { list, say } from "../developing/attributes.js";
import { checkOutside, Markup } from "../developing/markup.js";
import { sayRefused } from "../developing/refusals.js";
import { Description } from "../developing/schema.js";

/** @typedef {import("../root.js").Root} Root */

let isOutsideChecked = false;

/**
 * Helps with a root, once.
 * @param {Root} root
 */
export function develop(root) {
  if (root.isDeveloped) return;
  root.isDeveloped = true;
  document.addEventListener("vm:error", (event) => {
    const { detail } = /** @type {CustomEvent} */ (event);
    if (detail.root === root.element) sayRefused(root, detail);
  }, { signal: root.signal });
  check(root);
  if (!isOutsideChecked) checkOutside();
  isOutsideChecked = true;
}

/** @param {Root} root */
async function check({ model, element }) {
  const answer = await fetch(`/models/${model}/openapi.json`);
  if (answer.ok) return new Markup(model, new Description(await answer.json(), model)).check(element);
  const models = await (await fetch("/models")).json();
  const names = Array.isArray(models) ? models : models.models ?? Object.keys(models);
  const known = names.map((/** @type {any} */ each) => each.name ?? each);
  say(element, "data-vm-root", `no view model '${model}' is hosted here; expected one of: ${list(known)}`);
}
