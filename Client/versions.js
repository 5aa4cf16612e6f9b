// SPDX-License-Identifier: MIT

/**
 * Whether version `a` is news to a page that holds `b`. Versions are `epoch.revision`. Another epoch is news,
 * unless the page has left the epoch in which it asked (CLIENT.md, M1).
 * @param {string} a
 * @param {string} b
 * @param {string} asked the version that was held when the request was sent
 */
export function newer(a, b, asked = b) {
  const [epoch, revision] = a.split(".");
  const [heldEpoch, heldRevision] = b.split(".");
  return epoch === heldEpoch ? +revision > +heldRevision : asked.split(".")[0] === heldEpoch;
}
