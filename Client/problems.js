// SPDX-License-Identifier: MIT
// What the page tells of when something goes wrong: as events, at the control that was pressed, and in the console.
import { load } from "./loading.js";

/** @typedef {import("./types").Problem} Problem */

/** An action that was pressed without a connection, or whose session ended. */
export const OFFLINE = { type: "offline", detail: "Not sent: no connection." };
/** An action that the state says is not enabled. */
export const DISABLED = { type: "action-disabled", detail: "Not possible now." };

const HOUR = 3_600_000;

/** When the console may be warned again: a page in production is no place to write much. */
let mayWarn = 0;

export class Problems {
  #root;
  #isDeveloped = false;

  /** @param {import("./root.js").Root} root */
  constructor(root) {
    this.#root = root;
  }

  /**
   * Tells of a request that was refused, or of an action that cannot be sent.
   * @param {Problem} problem
   * @param {import("./types").Request} [item]
   */
  refuse(problem, item) {
    this.#root.tell("error", problem);
    // What the page itself does not send is no fault of anybody's.
    if (problem.status && Date.now() >= mayWarn) {
      mayWarn = Date.now() + HOUR;
      console.warn(`Euripus: ${this.#root.model}: ${problem.detail ?? problem.title ?? problem.type}`);
    }
    if (item) this.#root.status.showRefused(problem, item);
  }

  /**
   * Tells of an attribute that cannot be: it does nothing, and hinders no other.
   * @param {Element} node
   * @param {string} name
   * @param {string} value
   * @param {Error} error
   */
  complain(node, name, value, error) {
    reportError(Error(`${name}="${value}" on <${node.localName}>: ${error.message}`));
  }

  /** The server is one in development: the console helps. */
  develop() {
    if (this.#isDeveloped) return;
    this.#isDeveloped = true;
    load("develop", ({ Developer }) => new Developer(this.#root));
  }
}
