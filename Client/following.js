// SPDX-License-Identifier: MIT
// The forward flow: one long poll after the other, for as long as the page lives (PROTOCOL §5; CLIENT.md, "Connection").
import { SUPERSEDED } from "./requests.js";

/** @typedef {import("./types").Answer} Answer */
/** @typedef {import("./types").Problem} Problem */

/** Eleven days: until it is woken. */
const LONG = 1e9;

/**
 * Whether the session is over.
 * @param {Problem} problem
 */
const isOver = ({ status, type }) => status === 410 || !!type?.endsWith("no-session");

export class Follower {
  #root;
  #isOver = false;

  /** @param {import("./root.js").Root} root */
  constructor(root) {
    this.#root = root;
  }

  /** Opens a session where there is none, and follows it, until it is ended. */
  async follow() {
    const { session, waiting } = this.#root;
    for (let failures = 0; !this.#isOver; ) {
      if (document.hidden && this.#root.version) await waiting.sleep(LONG);
      try {
        const isKnown = !!session.url;
        const answer = await session.ask(isKnown ? "GET" : "POST", "/changes", { waits: isKnown && this.#root.state === "live" });
        if (this.#isOver) return;
        // Others wait for the same server.
        if (failures) waiting.wake();
        if (isKnown) failures = 0;
        else session.keep(/** @type {string} */ (answer.url));
        this.#root.status.become("live");
        this.#root.take(answer);
        this.#root.queue.pump();
        // A poll that had to make room.
        if (answer.retryAfter) await waiting.sleep(answer.retryAfter);
      } catch (problem) {
        if (problem !== SUPERSEDED) await this.suffer(/** @type {any} */ (problem), failures++);
      }
    }
  }

  /**
   * Says what a failure means, and waits: the n-th in a row.
   * @param {Answer} problem
   * @param {number} n
   */
  async suffer(problem, n) {
    if (problem instanceof Error) reportError(problem);
    if (this.#isOver) return;
    const { status } = problem;
    const isRefused = status >= 400 && status < 500 && status !== 429;
    const next = isOver(problem) ? "expired" : isRefused ? "blocked" : navigator.onLine ? "retrying" : "offline";
    if (next === "blocked") this.#root.problems.refuse(problem);
    if (next === "expired") this.#expire();
    this.#root.status.become(next, problem);
    if (next === "offline" || n > 2) this.#root.queue.drop();
    await this.#root.session.pause(problem, n);
  }

  /** Forgets the session: a new one gets what was edited. */
  #expire() {
    const root = this.#root;
    root.version = "";
    root.address = undefined;
    root.session.keep("");
    root.queue.drop();
    root.fields.flush();
    root.queue.forget();
    root.session.number = 0;
    root.status.isLost = true;
    root.fields.startAnew();
    root.wake();
  }

  end() {
    this.#isOver = true;
  }
}
