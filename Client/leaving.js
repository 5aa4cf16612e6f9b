// SPDX-License-Identifier: MIT
// A page that is left sends all requests that were not answered (CLIENT.md, "A page that is left").
import { keepState } from "./kept.js";
import { SET_ADDRESS, WRITE } from "./targets.js";

/** @typedef {import("./types").Request} Request */

/**
 * A change that waits, as an entry of a batch (PROTOCOL §4).
 * @param {Request} item
 */
const entryOf = ({ what, value, origin }) =>
  what === SET_ADDRESS ? { address: value } : { set: decodeURIComponent(what.slice(WRITE.length)), value, ifMatch: origin?.tag };

/**
 * Sends all requests that wait, with `keepalive`, and keeps the state, as the page is left, for good or not. The edits up
 * to the next action go in one request, so that the network cannot change their order.
 * @param {import("./root.js").Root} root
 */
export function leave(root) {
  const { session, queue, fields } = root;
  if (!session.url) return;
  // The queue is held, so that the first edit does not go out before the others are beside it.
  queue.hold(() => {
    fields.flush();
    /** @type {Request | undefined} */
    let batch;
    for (const item of queue.items) {
      if (item.n || item.bases) {
        batch = undefined;
      } else {
        batch ??= { what: "POST /actions", value: [] };
        batch.value.push(entryOf(item));
        item.batch = batch;
        // The edit counts as sent: nothing coalesces with it.
        item.n = -1;
      }
    }
    for (const request of new Set(queue.items.map((each) => each.batch ?? each))) session.put(request, true).catch(() => {});
  });
  keepState(root);
}
