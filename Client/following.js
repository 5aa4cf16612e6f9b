// SPDX-License-Identifier: MIT
// The forward flow: one long poll after the other, for as long as the page lives (PROTOCOL §5; CLIENT.md,
// "Connection").
import { end } from "./ending.js";
import { readParams } from "./params.js";
import { kindOf, refuse } from "./problems.js";
import { SUPERSEDED } from "./requests.js";
import { pause } from "./waiting.js";

/** @typedef {import("./types").Answer} Answer */
/** @typedef {import("./types").Problem} Problem */
/** @typedef {import("./root.js").Root} Root */

/**
 * The opening that is under way. The openings of one page go one behind the other: the first answer brings the
 * cookie by which the server knows the person in the next one.
 * @type {Promise<any>}
 */
let opening = Promise.resolve();

/**
 * Whether the session is over, cannot begin, or goes on with the cookie of another person.
 * @param {Problem} problem
 */
export const isOver = (problem) => problem.status === 410 || /^(no-session|sign|cred)/.test(kindOf(problem));

/**
 * Opens a session, at the browser's address where that belongs to the view model.
 * @param {Root} root
 * @returns {Promise<Answer>}
 */
function open(root) {
  const { session, client, place: address } = root;
  const ask = () => session.ask("POST", "", { request: /** @type {import("./types").Request} */ ({ value: { client, address, params: readParams(root), invitation: root.element.dataset.vmInvitation } }) });
  return (opening = opening.then(ask, ask));
}

/**
 * Opens a session where there is none, and follows it, until the root is taken off the page.
 * @param {Root} root
 */
export async function follow(root) {
  const { session, waiting, signal, status } = root;
  let lettingsGo = 0;
  for (let failures = 0; !signal.aborted; await root.again) {
    if (document.hidden && root.version) {
      // A page that nobody sees asks nothing. It is woken when it is shown.
      await waiting.sleep();
      continue;
    }
    try {
      const known = session.url;
      const answer = await (known ? session.ask("GET", "/changes", { waits: status.state === "live" }) : open(root));
      if (signal.aborted) return;
      // Other requests wait for the same server.
      if (failures) waiting.wake();
      if (known) failures = 0;
      else session.keep(/** @type {string} */ (answer.url));
      status.become("live");
      root.take(answer);
      root.queue.pump();
      if (!answer.retryAfter) {
        root.hasActed = false;
        lettingsGo = 0;
      } else if (lettingsGo++ || !root.hasActed) {
        // The server let this poll go: to make room for another, or as an action has signed the user in or out. With
        // that action's answer it is asked again.
        await waiting.sleep(answer.retryAfter);
      }
    } catch (problem) {
      if (problem !== SUPERSEDED) await suffer(root, /** @type {any} */ (problem), failures++, true);
    }
  }
}

/**
 * Shows the state that a failure leads to, and waits. It is the n-th failure in a row.
 * @param {Root} root
 * @param {Answer} problem
 * @param {number} n
 * @param {boolean} [isOfPoll]
 */
export async function suffer(root, problem, n, isOfPoll) {
  if (problem instanceof Error) reportError(problem);
  if (root.signal.aborted) return;
  if (isOver(problem)) return end(root, problem, n, isOfPoll);
  root.hasActed = false;
  const isRefused = /^4(?!29)/.test(/** @type {any} */ (problem.status));
  const next = isRefused ? "blocked" : navigator.onLine ? "retrying" : "offline";
  if (isRefused) refuse(root, problem);
  root.status.become(next, problem);
  if (next === "offline" || n > 2) root.queue.drop();
  await pause(root, problem, n);
}
