// SPDX-License-Identifier: MIT
// `data-vm-countdown` shows the seconds until the next try. `data-vm-retry`, a button, is there meanwhile, and
// tries at once.

import { setText } from "./directives/showing.js";
import { SECOND } from "./times.js";

export class Countdown {
  #root;
  /**
   * The ends of the waits. Two of them may be the same.
   * @type {number[]}
   */
  #ends = [];
  #timer = 0;

  /** @param {import("./root.js").Root} root */
  constructor(root) {
    this.#root = root;
  }

  /**
   * Waits for the next try, so that a server in trouble is not asked without a pause, and counts that down.
   * @param {number} time milliseconds
   */
  async wait(time) {
    const end = Date.now() + time;
    this.#ends.push(end);
    this.#show();
    await this.#root.waiting.sleep(time);
    this.#ends.splice(this.#ends.indexOf(end), 1);
    this.#show();
  }

  #show() {
    clearTimeout(this.#timer);
    const left = Math.ceil((Math.min(...this.#ends) - Date.now()) / SECOND);
    const isWaiting = this.#ends.length > 0;
    for (const node of this.#root.all("countdown")) setText(node, isWaiting ? left : "");
    for (const node of this.#root.all("retry")) node.hidden = !isWaiting && !this.#root.again;
    if (isWaiting) this.#timer = setTimeout(() => this.#show(), SECOND);
  }
}
