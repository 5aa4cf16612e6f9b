// SPDX-License-Identifier: MIT
// The page's reports of things that go wrong: as events, at the control that was pressed, and in the console.
import { warn } from "./console.js";

/** @typedef {import("./types").Problem} Problem */

/**
 * The problem of an action that was pressed without a connection.
 * @type {Problem}
 */
export const OFFLINE = { type: "offline", detail: "Not sent: no connection." };
/**
 * The problem of an action whose session ended: whether it was performed is not known.
 * @type {Problem}
 */
export const EXPIRED = { type: "expired", detail: "The session ended before this was answered." };
/**
 * The problem of a script's request whose root is taken off the page.
 * @type {Problem}
 */
export const UNMOUNTED = { type: "unmounted", detail: "Unmounted before this was answered." };
/** The problem of an action that is not enabled, as the state says. */
export const DISABLED = { type: "action-disabled", detail: "Not possible now." };

/**
 * The kind of a problem: the reason why a session ended that its client has not closed, or else the last part
 * of the type, such as `too-many-sessions` of `/problems/too-many-sessions`.
 * @param {Problem} [problem]
 */
export const kindOf = (problem) => problem?.reason ?? problem?.type?.split("/").at(-1) ?? "";

/**
 * Tells of a request that was refused, or of an action that cannot be sent.
 * @param {import("./root.js").Root} root
 * @param {Problem} problem
 * @param {import("./types").Request} [item]
 */
export function refuse(root, problem, item) {
  root.tell("error", { ...problem, element: item?.control ?? item?.field?.node });
  // The page itself makes a problem without a status, and that is nobody's fault.
  if (problem.status) warn(root, problem);
  if (item) root.status.showRefused(problem, item);
}

/**
 * Gives up all requests that wait, and tells the page's own script of those that it waits for.
 * @param {import("./queue.js").Queue} queue
 * @param {Problem} problem
 */
export function abandon({ items }, problem) {
  for (const { waiters } of items.splice(0)) waiters?.forEach((tell) => tell(problem));
}

/**
 * Does something to an element whose own code may throw, and then harms nothing else: the console names the element.
 * @param {HTMLElement} node
 * @param {() => any} act
 * @returns {any} what `act` gives; true if it throws
 */
export function attempt(node, act) {
  try {
    return act();
  } catch (error) {
    const message = /** @type {any} */ (error)?.message ?? error;
    reportError(Error(`<${node.localName}> ${JSON.stringify(node.dataset)}: ${message}`, { cause: error }));
    return true;
  }
}
