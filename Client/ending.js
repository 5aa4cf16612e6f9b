// SPDX-License-Identifier: MIT
// The end of a session that is over, or cannot begin. A session that is gone gives way to a new one, which gets
// the edits. For a session that a person has to open, the page waits (CLIENT.md, "Users").
import { clear } from "./clearing.js";
import { EXPIRED, abandon, kindOf, refuse } from "./problems.js";
import { FEW, pause } from "./waiting.js";

/** @typedef {import("./root.js").Root} Root */
/** @typedef {import("./types").Answer} Answer */

/**
 * The endings after which a person decides whether there is to be another session. Each has the words for a
 * page that has none of its own.
 * @type {Record<string, string>}
 */
const WORDS = {
  "signed-out": "You are signed out.",
  "sign-in-needed": "Please sign in.",
  superseded: "Closed, as too many others were opened here.",
};

/**
 * Ends the root's session, if it has one, for a problem: the n-th failure in a row.
 * @param {Root} root
 * @param {Answer} problem
 * @param {number} n
 * @param {boolean} [isOfPoll]
 */
export async function end(root, problem, n, isOfPoll) {
  const { session, status, queue } = root;
  // A poll says that an action of this page has signed its user out, if the page has something to say where nobody is
  // signed in. The action's answer may still be on its way.
  const isOwn = isOfPoll && root.element.querySelector("[data-vm-signin],[data-sign-in-needed]") && (root.hasActed || queue.has(isUnderWay));
  const kind = isOwn && /no-session|signed-out/.test(kindOf(problem)) ? "sign-in-needed" : kindOf(problem);
  if (kind === "credential-replaced") return askAgain(root, problem, n);
  if (!WORDS[kind]) {
    forget(root, EXPIRED);
    status.isLost = true;
    startAnew(root);
    root.wake();
    status.become("expired", problem);
    return pause(root, problem, n);
  }
  const told = { ...problem, ...(isOwn && { type: kind }), detail: WORDS[kind] };
  refuse(root, told);
  // Presses that wait are refused, for this reason.
  for (const item of queue.items) if (item.bases) queue.end(item, isOwn && isUnderWay(item) ? undefined : told);
  forget(root, told);
  status.isLost = kind === "superseded";
  if (status.isLost) startAnew(root);
  else clear(root);
  // The tab forgets all that it keeps of any page of Euripus.
  if (isOwn || kind === "signed-out") for (const key of Object.keys(sessionStorage)) if (key.startsWith("euripus")) delete sessionStorage[key];
  root.again = ask(root, kind);
  // The poll that is under way is of no use any more.
  session.restart();
  status.become("blocked", told);
}

/**
 * @param {import("./types").Request} item
 * @returns {any}
 */
const isUnderWay = ({ bases, n }) => bases && n;

/**
 * Lets the same request go out again, with the cookie that the browser has by then: another tab has signed in or out.
 * @param {Root} root
 * @param {Answer} problem
 * @param {number} n
 */
function askAgain(root, problem, n) {
  // If it was this page that signed in or out, the new cookie is there. Else another tab's answer may be on its way:
  // the server says for how long to wait. After a few such waits a person decides.
  if (n < FEW) return n && root.waiting.sleep(problem.retryAfter);
  refuse(root, problem);
  root.status.become("blocked", problem);
  root.queue.drop(problem);
  return pause(root, problem, n);
}

/**
 * Forgets the session, and all requests that wait for it.
 * @param {Root} root
 * @param {import("./types").Problem} problem theirs
 */
function forget(root, problem) {
  const { session, queue, fields } = root;
  root.version = "";
  root.address = undefined;
  root.hasActed = false;
  session.keep("");
  queue.drop(problem);
  fields.flush();
  abandon(queue, problem);
  session.number = 0;
}

/**
 * Lets a new session have the edited fields. Passwords are cleared (PROTOCOL §8).
 * @param {Root} root
 */
function startAnew({ fields }) {
  for (const field of fields.edited) {
    if (field.node.type === "password") {
      field.engaged = false;
    } else {
      field.shown = undefined;
      // They are looked at in this order: of two fields of one path the one that was edited last counts.
      fields.due.delete(field);
      fields.due.add(field);
    }
  }
  fields.look();
}

/**
 * Shows the elements by which a person can go on: `data-vm-retry`, and also `data-vm-signin` where they have to
 * sign in. Waits until the page is to try again, which then connects.
 * @param {Root} root
 * @param {string} kind
 */
async function ask(root, kind) {
  const shown = [...root.all("retry"), ...(kind === "superseded" ? [] : root.all("signin"))];
  for (const node of shown) node.hidden = false;
  // A person who signed in elsewhere and comes back to this page need not press anything.
  await root.waiting.sleep(undefined, kind !== "sign-in-needed");
  for (const node of shown) node.hidden = true;
  root.again = undefined;
  if (!root.signal.aborted) root.status.become("connecting");
}
