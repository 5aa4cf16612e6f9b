// SPDX-License-Identifier: MIT
// `data-vm-countdown` shows the seconds until the next try. `data-vm-retry`, a button, is there meanwhile, and
// tries at once.

const SECOND = 1_000;

export class Countdown {
  #root;
  /**
   * The waits. They are objects, as two of them may end at the same time.
   * @type {Set<{ end: number }>}
   */
  #waits = new Set();
  #timer = 0;

  /** @param {import("./root.js").Root} root */
  constructor(root) {
    this.#root = root;
    for (const node of root.all("retry")) node.addEventListener("click", () => root.wake(true), { signal: root.signal });
  }

  /**
   * Waits for the next try, so that a server in trouble is not asked without a pause, and counts that down.
   * @param {number} time milliseconds
   */
  async wait(time) {
    const wait = { end: Date.now() + time };
    this.#waits.add(wait);
    this.#show();
    await this.#root.waiting.sleep(time);
    this.#waits.delete(wait);
    this.#show();
  }

  #show() {
    clearTimeout(this.#timer);
    const left = Math.ceil((Math.min(...[...this.#waits].map(({ end }) => end)) - Date.now()) / SECOND);
    const isWaiting = this.#waits.size > 0;
    for (const node of this.#root.all("countdown")) node.textContent = isWaiting ? String(left) : "";
    for (const node of this.#root.all("retry")) node.hidden = !isWaiting && !this.#root.again;
    if (isWaiting) this.#timer = setTimeout(() => this.#show(), SECOND);
  }
}
