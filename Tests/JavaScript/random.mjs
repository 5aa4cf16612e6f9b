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
