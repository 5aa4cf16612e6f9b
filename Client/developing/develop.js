// SPDX-License-Identifier: MIT
// Help for a page of a server in development. The console says which parts of its markup lead nowhere, with the
// element and the names that there are. It also says why a request was refused (CLIENT.md, "A console that
// helps").
import { say } from "./attributes.js";
import { followEdits } from "./edits.js";
import { checkOutside, Markup } from "./markup.js";
import { choice } from "./nearest.js";
import { sayRefused } from "./refusals.js";
import { Description } from "./schema.js";

/** @typedef {import("../root.js").Root} Root */

let isOutsideChecked = false;

/**
 * The statuses of refusals that decide nothing. No `vm:error` tells of them, as the client sends the request
 * again.
 */
const UNDECIDED = [429, 502, 503, 504];

/**
 * Checks a root once, and says each refusal that it gets.
 * @param {Root} root
 * @param {import("../types").Answer} answer
 * @param {import("../types").Request} [request] the request that was answered; a poll has none
 */
export function develop(root, answer, request) {
  if (answer.expected || UNDECIDED.includes(answer.status)) {
    sayNews(root, { ...answer, element: request?.control ?? request?.field?.node });
  } else if (/^2/.test(String(answer.status))) said.delete(root);
  if (root.isDeveloped) return;
  root.isDeveloped = true;
  document.addEventListener("vm:error", (event) => {
    const { detail } = /** @type {CustomEvent} */ (event);
    if (detail.root === root.element) sayNews(root, detail);
  }, { signal: root.signal });
  check(root);
  followEdits();
  if (!isOutsideChecked) checkOutside();
  isOutsideChecked = true;
}

/**
 * The last refusal that was said of a root's own requests, which are those of no element.
 * @type {WeakMap<Root, string>}
 */
const said = new WeakMap();

/**
 * Says a refusal of an element's request. A refusal of the root's own requests is said if it is another than
 * the last, as the root tries again and again.
 * @param {Root} root
 * @param {any} refusal
 */
function sayNews(root, refusal) {
  const text = JSON.stringify([refusal.status, refusal.type, refusal.detail]);
  if (!refusal.element && said.get(root) === text) return;
  said.set(root, text);
  sayRefused(root, refusal);
}

/** @param {Root} root */
async function check({ model, element }) {
  const answer = await fetch(`/models/${model}/openapi.json`);
  if (answer.ok) return new Markup(model, new Description(await answer.json(), model)).check(element);
  const models = await (await fetch("/models")).json();
  const names = Array.isArray(models) ? models : models.models ?? Object.keys(models);
  const known = names.map((/** @type {any} */ each) => each.name ?? each);
  say(element, "data-vm-root", `no view model '${model}' is hosted here; ${choice(model, known)}`);
}
