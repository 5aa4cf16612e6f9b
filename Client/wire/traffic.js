// SPDX-License-Identifier: MIT
// The requests of a page's sessions, with their answers.

/** The most exchanges that are kept: the oldest go first. */
const MOST = 60;

/**
 * A request and its answer. An answer without a status has not come yet; one of status 0 did not come.
 * @typedef {object} Exchange
 * @property {string} method
 * @property {string} session the session's URL; of an opening, the URL that opens one
 * @property {string} path behind the session's URL, with its query
 * @property {string} [sent] the body, as JSON
 * @property {string} [received] the answer's body, as JSON
 * @property {number} [status]
 * @property {number} [milliseconds]
 */

/** A session's URL, or one that opens a session, and the rest of a request's URL. */
const URL_OF_SESSION = /^(\/sessions\/[^/?]+(?:\/[^/?]+)?)(.*)$/;

/** Tells of an exchange that began, and of its end, by an event `exchange` with the exchange as its detail. */
export class Traffic extends EventTarget {
  /** @type {Exchange[]} */
  exchanges = [];

  /**
   * Takes the place of the window's `fetch`, and calls the one that was there. The page gets the same answer.
   * @param {Pick<Window & typeof globalThis, "fetch">} window
   */
  constructor(window) {
    super();
    const { fetch } = window;
    window.fetch = (target, init = {}) => {
      const answer = fetch(target, init);
      const [, session = "", path = ""] = URL_OF_SESSION.exec(String(target)) ?? [];
      if (session) {
        const { method = "GET", body } = init;
        this.#note({ method, session, path, sent: typeof body === "string" ? body : undefined }, answer);
      }
      return answer;
    };
  }

  /** Forgets what has come so far: somebody has signed out. */
  forget() {
    this.exchanges = [];
  }

  /**
   * @param {Exchange} exchange
   * @param {Promise<Response>} answer
   */
  async #note(exchange, answer) {
    const start = performance.now();
    this.exchanges = [...this.exchanges, exchange].slice(-MOST);
    this.#tell(exchange);
    try {
      // The clone is made before the page reads the answer: this listener was the first.
      const { status, text } = await answer.then((response) => ({ status: response.status, text: response.clone().text() }));
      exchange.received = await text;
      exchange.status = status;
    } catch {
      // It was given up, or there is no connection.
      exchange.status = 0;
    }
    exchange.milliseconds = performance.now() - start;
    this.#tell(exchange);
  }

  /** @param {Exchange} detail */
  #tell = (detail) => this.dispatchEvent(new CustomEvent("exchange", { detail }));
}
