// SPDX-License-Identifier: MIT
// The state of the connection, as the page shows it.
import { Countdown } from "./countdown.js";
import { setText } from "./directives/showing.js";
import { EXPIRED, kindOf, OFFLINE } from "./problems.js";
import { mark, markRefused } from "./refused.js";
import { camel } from "./values.js";

/** @typedef {import("./types").ConnectionState} ConnectionState */
/** @typedef {import("./types").Problem} Problem */

export class Status {
  /** @type {ConnectionState | undefined} */
  state;
  /** @type {boolean | undefined} whether a session was lost, and the person has not acted since */
  isLost;
  #root;
  /**
   * The controls that show that their press was not done.
   * @type {Element[]}
   */
  #refused = [];
  /**
   * The present problem of the connection.
   * @type {Problem | undefined}
   */
  problem;

  /** @param {import("./root.js").Root} root */
  constructor(root) {
    this.#root = root;
    this.countdown = new Countdown(root);
    this.become("connecting");
  }

  /**
   * @param {ConnectionState} next
   * @param {Problem} [problem]
   */
  become(next, problem) {
    this.problem = problem;
    if (next !== this.state) {
      this.state = next;
      this.#root.tell("state", { state: next });
      // An action that was lost with its session stays refused.
      if (next === "live" && !this.isLost) this.clearRefused();
    }
    this.#show();
  }

  /**
   * The problem of an action that is performed now; undefined where it goes out, or waits for that: a page that shows
   * its kept state takes actions before it is connected.
   * @type {Problem | undefined}
   */
  get refusal() {
    const { state, problem } = this;
    if (state === "live" || state === "connecting") return undefined;
    return state === "blocked" ? problem : state === "expired" ? EXPIRED : OFFLINE;
  }

  heed() {
    this.isLost &&= !this.#root.session.url;
    this.#show();
  }

  #show() {
    const state = /** @type {ConnectionState} */ (this.state);
    document.documentElement.dataset.vm = state;
    for (const node of this.#root.all("status")) setText(node, this.#words(node.dataset));
  }

  /**
   * The words of a status element: the page's for this problem, the server's for a refusal, the page's for this state.
   * @param {DOMStringMap} words
   */
  #words(words) {
    const state = /** @type {ConnectionState} */ (this.state);
    if (this.isLost && state === "live") return words.expired;
    const { status, title, detail } = this.problem ?? {};
    // The server words its refusals. A page has nothing to add to the one for too many tabs.
    const told = detail ?? title;
    const own = words[camel(kindOf(this.problem))] ?? (status === 429 ? told : undefined) ?? words[state];
    return own ?? (state === "blocked" ? told : undefined);
  }

  /**
   * The words for a refusal: the page's, or the server's.
   * @param {Problem} problem
   */
  told(problem) {
    const [node] = this.#root.all("status");
    // A press without a connection is told what the person sees of that.
    const own = problem === OFFLINE ? node?.textContent : node?.dataset[camel(kindOf(problem))];
    return own || problem.detail || problem.title || "";
  }

  /**
   * Shows at the control of an action that it was not done, until the control is pressed again, another action
   * is taken, or there is a connection again. Shows at a field that its edit was refused, until it is edited.
   * @param {Problem} problem
   * @param {import("./types").Request} item
   */
  showRefused(problem, { control, field }) {
    const told = this.told(problem);
    if (control) {
      this.#refused.push(control);
      mark(control, told);
    }
    // The edit may have been made anew meanwhile, and then the newer one counts.
    if (field && !this.#root.fields.isPending(field)) markRefused(field, told, problem.status);
  }

  clearRefused() {
    for (const control of this.#refused.splice(0)) mark(control);
  }
}
