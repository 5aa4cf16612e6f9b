// SPDX-License-Identifier: MIT
// The state of the connection, as the page shows it.
import { load } from "./loading.js";
import { camel, textOf } from "./values.js";

/** @typedef {import("./types").ConnectionState} ConnectionState */
/** @typedef {import("./types").Problem} Problem */

/**
 * The last word of a problem's type: `/problems/too-many-sessions` is `too-many-sessions`.
 * @param {Problem} [problem]
 */
const kindOf = (problem) => problem?.type?.split("/").at(-1) ?? "";

export class Status {
  /** @type {ConnectionState} */
  state = "connecting";
  /** Whether a session was lost, and nobody has acted since. */
  isLost = false;
  /** @type {import("./later/countdown.js").Countdown | undefined} */
  countdown;
  #root;
  /** @type {Problem | undefined} */
  #problem;
  #isTold = false;

  /** @param {import("./root.js").Root} root */
  constructor(root) {
    this.#root = root;
    if (root.element.querySelector("[data-vm-countdown],[data-vm-retry]")) {
      // Loaded while there is a connection.
      load("countdown", ({ Countdown }) => (this.countdown = new Countdown(root)));
    }
  }

  /**
   * @param {ConnectionState} next
   * @param {Problem} [problem]
   */
  become(next, problem) {
    this.#problem = problem;
    const isNews = next !== this.state || !this.#isTold;
    this.state = next;
    this.#isTold = true;
    if (isNews) this.#root.tell("state", { state: next });
    this.#show();
  }

  heed() {
    this.isLost &&= !this.#root.session.url;
    this.#show();
  }

  #show() {
    document.documentElement.dataset.vm = this.state;
    for (const node of this.#root.element.querySelectorAll("[data-vm-status]")) {
      const text = textOf(this.#words(/** @type {HTMLElement} */ (node).dataset));
      // A live region speaks once.
      if (node.textContent !== text) node.textContent = text;
    }
  }

  /**
   * The words of a status element: the page's for this problem, what the server says of a refusal, the page's for this state.
   * @param {DOMStringMap} words
   */
  #words(words) {
    if (this.isLost && this.state === "live") return words.expired;
    const { status, title, detail } = this.#problem ?? {};
    // What the server refuses it says in its own words; a page has nothing to add to too many tabs.
    const told = this.state === "blocked" || status === 429 ? detail ?? title : undefined;
    const own = status === 429 ? undefined : words[this.state];
    return words[camel(kindOf(this.#problem))] ?? own ?? told ?? words[this.state];
  }

  /**
   * Says at the control of an action that it was not done, until it is pressed again.
   * @param {Problem} problem
   * @param {import("./types").Request} item
   */
  showRefused(problem, { control }) {
    const node = this.#root.element.querySelector("[data-vm-status]");
    const words = /** @type {HTMLElement | null} */ (node)?.dataset ?? {};
    const kind = kindOf(problem);
    control?.setAttribute("data-vm-refused", words[camel(kind)] ?? problem.detail ?? problem.title ?? kind);
  }
}
