// SPDX-License-Identifier: MIT
// A page that is left sends all requests that were not answered (CLIENT.md, "A page that is left").
import { SET_ADDRESS, WRITE } from "./targets.js";

/** @typedef {import("./types").Request} Request */

/**
 * A change that waits, as an entry of many (PROTOCOL §4).
 * @param {Request} item
 */
const entryOf = ({ what, value }) =>
  what === SET_ADDRESS ? { address: value } : { set: decodeURIComponent(what.slice(WRITE.length)), value };

/**
 * Sends all that waits, with `keepalive`: edits up to the next action in one request, so that their order is not the network's.
 * @param {import("./root.js").Root} root
 */
export function leave(root) {
  const { session, queue, fields } = root;
  if (!session.url) return;
  // Held, so that the first edit does not go out before the others are beside it.
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
        // It counts as sent: nothing coalesces with it.
        item.n = -1;
      }
    }
    for (const request of new Set(queue.items.map((each) => each.batch ?? each))) session.put(request, true).catch(() => {});
  });
}
