// SPDX-License-Identifier: MIT
// The page's waits. Each is for a time at most, and ends early when something wakes it: `online`, the page that becomes visible,
// or a person who does not want to wait.

/** @typedef {{ wake: () => void, timer: number, end: number }} Sleeper */

export class Waiting {
  /** @type {Set<Sleeper>} */
  #sleepers = new Set();

  /**
   * Waits, for a number of milliseconds at most.
   * @param {number} time
   */
  sleep(time) {
    return new Promise((/** @type {(_: void) => void} */ done) => {
      const wake = () => {
        this.#sleepers.delete(sleeper);
        clearTimeout(sleeper.timer);
        done();
      };
      /** @type {Sleeper} */
      const sleeper = { wake, timer: setTimeout(wake, time), end: Date.now() + time };
      this.#sleepers.add(sleeper);
    });
  }

  wake() {
    for (const sleeper of [...this.#sleepers]) sleeper.wake();
  }
}

/**
 * Milliseconds to wait before the next try, after n failures in a row: full jitter, so that pages that have lost a server together do not
 * come back together.
 * @param {number} n
 * @param {number} random from 0 to 1
 */
export const backoff = (n, random) => 100 + random * Math.min(30_000, 500 * 2 ** n);
