// SPDX-License-Identifier: MIT

/**
 * The nodes that may stay where they are while the others move to the wanted order: the most of them that follow each
 * other in it already, which is a longest increasing subsequence of their places.
 * @param {Node[]} nodes in the wanted order
 * @param {Map<Node, number>} places the present place of each that has one
 * @param {Node | null} focused what has the focus: the node around it has to be among them
 * @returns {Set<Node>}
 */
function staying(nodes, places, focused) {
  const held = nodes.findIndex((node) => node.contains(focused));
  const placeOf = nodes.map((node) => places.get(node));
  /**
   * For each length, the index of the node with the lowest place that ends such a sequence.
   * @type {number[]}
   */
  const ends = [];
  /**
   * For each index, the index before it in its sequence.
   * @type {(number | undefined)[]}
   */
  const before = [];
  const placeAt = (/** @type {number} */ length) => /** @type {number} */ (placeOf[ends[length]]);
  placeOf.forEach((place, index) => {
    if (place === undefined) return;
    // A node on the wrong side of the held one moves.
    if (held >= 0 && index < held !== place < /** @type {number} */ (placeOf[held])) return;
    let high = ends.length;
    // Most nodes follow the one before.
    let low = high && placeAt(high - 1) < place ? high : 0;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (placeAt(middle) < place) low = middle + 1;
      else high = middle;
    }
    before[index] = ends[low - 1];
    ends[low] = index;
  });
  /** @type {Set<Node>} */
  const stay = new Set();
  for (let index = ends.at(-1); index !== undefined; index = before[index]) stay.add(nodes[index]);
  return stay;
}

/**
 * Brings elements behind a template into an order, with few moves. One that has the focus is never moved: the others
 * move around it.
 * @param {Element} template
 * @param {Element[]} nodes
 */
export function arrange(template, nodes) {
  const parent = /** @type {any} */ (template.parentNode);
  let first = 0;
  let last = template;
  // Nodes that follow each other already stay.
  for (; first < nodes.length && last.nextElementSibling === nodes[first]; first++) last = nodes[first];
  /** @type {Map<Node, number>} */
  const places = new Map();
  for (let next = last.nextElementSibling; next; next = next.nextElementSibling) places.set(next, places.size);
  const rest = nodes.slice(first);
  const stay = staying(rest, places, document.activeElement);
  for (const node of rest) {
    if (!stay.has(node)) {
      if (parent.moveBefore && node.isConnected) parent.moveBefore(node, last.nextSibling);
      else last.after(node);
    }
    last = node;
  }
}
