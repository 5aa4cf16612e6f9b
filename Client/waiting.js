// SPDX-License-Identifier: MIT
// The page's waits. Each is for a time at most, and ends early when something wakes it: `online`, the page that becomes visible,
// or a person who does not want to wait.

export class Waiting {
  /** @type {Set<() => void>} */
  #sleepers = new Set();

  /**
   * Waits, for a number of milliseconds at most.
   * @param {number} time
   */
  sleep(time) {
    return new Promise((/** @type {(_: void) => void} */ done) => {
      const wake = () => {
        this.#sleepers.delete(wake);
        clearTimeout(timer);
        done();
      };
      const timer = setTimeout(wake, time);
      this.#sleepers.add(wake);
    });
  }

  wake() {
    for (const wake of this.#sleepers) wake();
  }
}

/**
 * Milliseconds to wait before the next try, after n failures in a row: full jitter, so that pages that have lost a server together do not
 * come back together.
 * @param {number} n
 * @param {number} random from 0 to 1
 */
export const backoff = (n, random) => 100 + random * Math.min(30_000, 500 * 2 ** n);
