// SPDX-License-Identifier: MIT

/** A seeded source of randomness (mulberry32): the same seed tells the same story. */
export function seeded(seed) {
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n) => Math.floor(random() * n);
  return { random, below, pick: (list) => list[below(list.length)], chance: (p) => random() < p };
}

/** The seeds of a random test: 1 to `count`, or those that EURIPUS_SEEDS names, such as 1-2000. */
export function seeds(count) {
  const [first, last] = (process.env.EURIPUS_SEEDS ?? `1-${count}`).split("-").map(Number);
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}
