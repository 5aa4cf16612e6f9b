// SPDX-License-Identifier: MIT
// The page's waits. Each has a longest time. It ends early when the browser is online again, when the page
// becomes visible, or when a person does not want to wait.

/** Eleven days, in milliseconds: a wait that only a wake ends. */
const LONG = 1e9;

/** The failures in a row that may come from another tab, which signs in or out. */
export const FEW = 5;

export class Waiting {
  /**
   * The functions that end the sleeps, each with whether only a person ends it.
   * @type {Map<() => void, boolean | undefined>}
   */
  #sleepers = new Map();

  /**
   * Waits, for a number of milliseconds at most.
   * @param {number} [time]
   * @param {boolean} [isForPress] whether only a person's press ends it early
   */
  sleep(time = LONG, isForPress) {
    return new Promise((/** @type {(_: void) => void} */ done) => {
      const wake = () => {
        this.#sleepers.delete(wake);
        clearTimeout(timer);
        done();
      };
      const timer = setTimeout(wake, time);
      this.#sleepers.set(wake, isForPress);
    });
  }

  /** @param {boolean} [isPress] */
  wake(isPress) {
    this.#sleepers.forEach((isForPress, wake) => (isPress || !isForPress) && wake());
  }
}

/**
 * The milliseconds to wait before the next try, after n failures in a row. They have full jitter, so that pages
 * that have lost a server together do not come back together.
 * @param {number} n
 * @param {number} random from 0 to 1
 */
export const backoff = (n, random) => 100 + random * Math.min(30_000, 500 * 2 ** n);

/**
 * Waits after a failure, the n-th in a row: as long as the server says, and a random time more.
 * @param {import("./root.js").Root} root
 * @param {import("./types").Problem} problem
 * @param {number} n
 */
export const pause = ({ status }, { retryAfter = 0 }, n) =>
  status.countdown.wait(retryAfter + backoff(n, Math.random()));
