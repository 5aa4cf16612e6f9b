// SPDX-License-Identifier: MIT
// A page that has nothing of a session any more, or nothing of its user's (CLIENT.md, "Users").
import { unmarkRefused } from "./refused.js";

/** @typedef {import("./root.js").Root} Root */

/** The problems of an action whose session ended first: it was not sent, or was, and then nobody knows. */
const NOT_DONE = { type: "session-ended", detail: "Not done: the session has ended." };
const UNKNOWN = { type: "session-ended", detail: "The session has ended. Whether this was done is not known." };

/**
 * Forgets the session, and all requests that wait for it.
 * @param {Root} root
 */
export function forget(root) {
  const { session, queue, fields } = root;
  root.version = "";
  root.address = undefined;
  session.keep("");
  for (const item of queue.items) if (item.bases) queue.end(item, item.n ? UNKNOWN : NOT_DONE);
  fields.flush();
  for (const { waiters = [] } of queue.items.splice(0)) for (const { reject } of waiters) reject(UNKNOWN);
  session.number = 0;
}

/** Forgets all that the tab keeps of any page of Euripus. */
export function forgetTab() {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith("euripus")) delete sessionStorage[key];
}

/**
 * Takes all that was shown and typed off the page.
 * @param {Root} root
 */
export function clear(root) {
  const { element, fields } = root;
  fields.composing = undefined;
  root.tree = {};
  for (const field of fields.all) {
    const { type, dataset, defaultValue = "", defaultChecked } = field.node;
    clearTimeout(field.timer);
    unmarkRefused(fields, field);
    Object.assign(field, { timer: undefined, edited: false, engaged: false, touched: "vmField" in dataset });
    fields.write(field, /checkbox|radio/.test(type) ? defaultChecked : defaultValue);
  }
  root.render();
  root.tree = undefined;
  element.removeAttribute("aria-busy");
  delete element.dataset.vmReady;
}
