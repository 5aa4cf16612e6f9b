// SPDX-License-Identifier: MIT
// `data-vm-countdown` shows the seconds until the next try, and `data-vm-retry`, a button, is there meanwhile: it tries now.

const SECOND = 1_000;

export class Countdown {
  #root;
  /** When each of the waits is over. @type {Set<number>} */
  #ends = new Set();
  #timer = 0;

  /** @param {import("../root.js").Root} root */
  constructor(root) {
    this.#root = root;
    for (const node of root.element.querySelectorAll("[data-vm-retry]")) node.addEventListener("click", () => root.wake(), { signal: root.signal });
  }

  /**
   * Counts a wait down. Gives what ends it.
   * @param {number} time milliseconds
   */
  add(time) {
    const end = Date.now() + time;
    this.#ends.add(end);
    this.#show();
    return () => {
      this.#ends.delete(end);
      this.#show();
    };
  }

  #show() {
    clearTimeout(this.#timer);
    const left = Math.ceil((Math.min(...this.#ends) - Date.now()) / SECOND);
    const isWaiting = this.#ends.size > 0;
    for (const node of this.#root.element.querySelectorAll("[data-vm-countdown]")) node.textContent = isWaiting ? String(left) : "";
    for (const node of this.#root.element.querySelectorAll("[data-vm-retry]")) node.toggleAttribute("hidden", !isWaiting);
    if (isWaiting) this.#timer = setTimeout(() => this.#show(), SECOND);
  }
}
