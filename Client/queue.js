// SPDX-License-Identifier: MIT
// The reverse flow: edits and actions in the order in which they were made, one request in flight. Edits of one
// path coalesce, but never across an action, and never with an edit that was sent (CLIENT.md, M3).
import { newer } from "./versions.js";
import { isOver, suffer } from "./following.js";
import { DISABLED, OFFLINE, UNMOUNTED, abandon, refuse } from "./problems.js";
import { rebase } from "./rebasing.js";
import { follow } from "./refused.js";
import { SUPERSEDED } from "./requests.js";
import { UNDECIDED } from "./statuses.js";
import { SET_ADDRESS } from "./targets.js";

/** @typedef {import("./types").Request} Request */

export class Queue {
  /** @type {Request[]} */
  items = [];
  #root;
  /** Greater than 0 while a request is under way, or while `hold` keeps requests back. */
  #pumping = 0;

  /** @param {import("./root.js").Root} root */
  constructor(root) {
    this.#root = root;
  }

  /** @param {(item: Request) => boolean} test */
  has = (test) => this.items.some(test);

  /** @param {(item: Request) => boolean} test */
  last = (test) => this.items.filter(test).at(-1);

  /** @param {Request} item */
  add(item) {
    // Nothing coalesces across an action, or across a change of the address.
    const last = this.last((each) => !!each.bases || each.what === item.what || each.what === SET_ADDRESS);
    if (item.bases || last?.what !== item.what || last.bases || last.n) {
      this.items.push(item);
      item.show?.();
    } else {
      last.value = item.value;
      (last.waiters ??= []).push(...(item.waiters ?? []));
    }
    this.pump();
  }

  /** @param {Request} item with a caller that waits for its result, or its problem */
  ask = (item) =>
    new Promise((resolve, reject) => this.add({ ...item, waiters: [(problem, result) => (problem ? reject(problem) : resolve(result))] }));

  /**
   * Ends an item, with a problem or with the result of its action. An action releases each field of which no
   * edit waits (rule 4).
   * @param {Request} item
   * @param {import("./types").Problem} [problem]
   * @param {any} [result]
   */
  end(item, problem, result) {
    this.items = this.items.filter((each) => each !== item);
    item.show?.();
    if (problem) refuse(this.#root, problem, item);
    else if (item.bases) this.#root.acted();
    follow(this.#root, item, problem);
    item.waiters?.forEach((tell) => tell(problem, result));
    if (item.bases) for (const field of this.#root.fields.all) {
      if (!this.#root.fields.isPending(field)) field.engaged = false;
      field.touched ||= item.node?.contains(field.node);
      this.#root.fields.due.add(field);
    }
    this.#root.render();
    if (!this.items.length) /** @type {HTMLElement | null | undefined} */ (item.node?.querySelector("[aria-invalid=true]"))?.focus();
  }

  /** Sends the requests that wait, one after the other, each until it is decided. */
  async pump() {
    if (this.#pumping) return;
    this.#pumping = 1;
    let failures = 0;
    const { session, signal } = this.#root;
    for (let item; !signal.aborted && session.url && this.#root.tree !== undefined && (item = this.items[0]); ) {
      try {
        await this.#send(item);
        failures = 0;
      } catch (problem) {
        if (problem !== SUPERSEDED) await this.#takeRefusal(item, /** @type {any} */ (problem), failures++);
      }
    }
    this.#pumping = 0;
    if (signal.aborted) abandon(this, UNMOUNTED);
  }

  /** @param {Request} item */
  async #send(item) {
    const { session, fields } = this.#root;
    item.since ??= Date.now();
    if (item.bases && !item.n) {
      // All edits before the action are in the tree by now, so the state says whether it is enabled.
      if (item.control?.matches("[aria-disabled=true]")) throw DISABLED;
      // A value that differs later is an effect.
      for (const field of fields.all) field.was = field.at();
    }
    const answer = await session.put(item.batch ?? item);
    const to = this.#root.take(answer);
    this.#root.conflicts?.answered(item, answer, to);
    // An answer counts once the tree contains it (M2). A session that has ended is not asked.
    while (!answer.ended && (!this.#root.version || newer(to, this.#root.version, answer.held))) this.#root.take(await session.ask("GET", "/changes", {}));
    for (const base of item.bases ?? []) rebase(this.#root, base);
    this.end(item, undefined, answer.result);
    if (answer.location) location.assign(answer.location);
    else if (answer.ended) suffer(this.#root, { ...answer, status: 0, type: "signed-out" }, 0, true);
  }

  /**
   * @param {Request} item
   * @param {import("./types").Answer} problem
   * @param {number} failures
   */
  async #takeRefusal(item, problem, failures) {
    if (problem instanceof Error) reportError(problem);
    if (problem.expected) {
      // Its number is free, or the server has forgotten this page's name. What was sent behind it has not come either.
      for (const each of this.items) if (/** @type {number} */ (each.n) >= problem.expected) each.n = undefined;
      (item.batch ?? item).n = this.#root.session.number = problem.expected;
    } else if (UNDECIDED.includes(problem.status) || isOver(problem)) {
      // It decides nothing, or not in this session.
      await suffer(this.#root, problem, failures);
    } else if (item.batch) {
      // One of the edits that went out together is refused: now each goes by itself, and so do the newer ones behind it.
      for (const each of this.items) if (!each.bases) each.n = each.batch = undefined;
    } else if (!(await this.#root.conflicts?.settle(item, problem))) this.end(item, problem);
  }

  /** Refuses actions that cannot be sent. An action that was sent to a session that is still there is sent again. */
  drop(problem = OFFLINE) {
    for (const item of this.items) if (item.bases && !(item.n && this.#root.session.url)) this.end(item, problem);
  }

  /**
   * Holds back the requests that `body` adds, so that they can go out together.
   * @param {() => void} body
   */
  hold(body) {
    this.#pumping++;
    body();
    this.#pumping--;
    this.pump();
  }
}
