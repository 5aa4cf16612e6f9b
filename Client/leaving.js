// SPDX-License-Identifier: MIT
// A page that is left sends what it has not been answered (CLIENT.md, "A page that is left").

/** @typedef {import("./types").Request} Request */

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
        batch.value.push({ set: decodeURIComponent(item.what.slice("PUT /state".length)), value: item.value });
        item.batch = batch;
        // It counts as sent: nothing coalesces with it.
        item.n = -1;
      }
    }
    for (const request of new Set(queue.items.map((each) => each.batch ?? each))) session.put(request, true).catch(() => {});
  });
}
