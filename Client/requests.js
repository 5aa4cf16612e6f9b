// SPDX-License-Identifier: MIT
// One session, as requests reach it: its URL, the numbers of its requests, and the poll that is under way.
import { help } from "./console.js";
import { forgetKept } from "./kept.js";
import { UNDECIDED } from "./statuses.js";
import { LONGEST, NETWORK, SECONDS, WAIT } from "./times.js";

/** @typedef {import("./types").Answer} Answer */
/** @typedef {import("./types").Request} Request */

/** The error of an answer that is of no concern any more: the session is another one, or the poll was ended. */
export const SUPERSEDED = Symbol();

export class Session {
  #root;
  /**
   * The page's name for as long as it lives, at random: it need only differ within a session.
   * `crypto.randomUUID` is missing on plain HTTP.
   */
  #name = Math.random() + "/";
  /** The number of the last request that was sent. */
  number = 0;
  /**
   * The poll that is under way.
   * @type {AbortController | undefined}
   */
  #poll;
  /**
   * The requests that are under way.
   * @type {Set<AbortController>}
   */
  #asked = new Set();
  /** @type {boolean | undefined} whether the connections may be dead: a poll was overdue, or the network is another, with no answer since */
  #isDoubtful;
  /**
   * The session's URL; empty, or undefined, where there is no session.
   * @type {string | undefined}
   */
  url;

  /** @param {import("./root.js").Root} root */
  constructor(root) {
    this.#root = root;
    this.url = sessionStorage[root.key];
  }

  /**
   * Remembers the session's URL for this tab; an empty one means no session. The kept state goes, as it was the
   * former session's.
   * @param {string} url
   */
  keep(url) {
    sessionStorage[this.#root.key] = this.url = url;
    forgetKept(this.#root);
  }

  /** Ends the poll: the next one asks with the version that is held then. */
  restart() {
    this.#poll?.abort();
    this.#poll = undefined;
  }

  /** Has the next requests answered soon, as the browser tells of another network. */
  doubt = () => (this.#isDoubtful = true);

  /** Breaks the poll off, as if its network had. */
  breakOff = () => this.#poll?.abort();

  /**
   * Sends a request, and gives its answer; throws an answer that is a refusal. Status 0 means that no whole
   * answer came.
   * @param {string} method
   * @param {string} path below the session's; without a session, one is opened
   * @param {{ waits?: boolean, request?: Request, keepalive?: boolean }} how
   * @returns {Promise<Answer>}
   */
  async ask(method, path, { waits, request, keepalive }) {
    // A poll that is to say whether there is a connection does not wait for news.
    waits &&= !this.#isDoubtful;
    const asked = this.url;
    const held = this.#root.version;
    const abort = new AbortController();
    const isOfPoll = waits || this.#isDoubtful;
    const giveUp = () => {
      // A connection that is dead says nothing. If a poll is overdue, so is all that went its way, and so may be the
      // browser's other connections: the next ones have to answer soon.
      this.#isDoubtful ||= waits;
      for (const each of isOfPoll ? [...this.#asked] : [abort]) each.abort();
    };
    const deadline = setTimeout(giveUp, isOfPoll ? NETWORK + (waits ? WAIT : 0) : LONGEST);
    this.#asked.add(abort);
    if (waits) this.#poll = abort;
    const target = asked ? asked + path + (held && "?since=" + held) : "/sessions/" + this.#root.model;
    /** @type {Answer} */
    let answer = { status: 0, held };
    try {
      const response = await fetch(target, {
        method,
        ...this.#content(request, waits),
        keepalive,
        signal: abort.signal,
        // Two equal GETs in flight would wait for each other.
        cache: "no-store",
      });
      const { status, headers } = response;
      this.#isDoubtful = false;
      // A date in this field is not read.
      const retryAfter = Number(headers.get("retry-after")) * 1000 || 0;
      // A proxy's own words are no JSON. Where they seem to decide something, they are no answer.
      const body = await response.json().catch((reason) => {
        if (status !== 204 && !UNDECIDED.includes(status)) throw reason;
      });
      answer = { ...body, held, status, retryAfter };
      if (headers.get("euripus-development")) help(this.#root, answer, request);
    } catch {}
    clearTimeout(deadline);
    this.#asked.delete(abort);
    if (asked !== this.url || (waits && !this.#poll)) throw SUPERSEDED;
    if (!/^2/.test(/** @type {any} */ (answer.status))) throw answer;
    return answer;
  }

  /**
   * @param {Request | undefined} request
   * @param {boolean | undefined} waits
   */
  #content(request, waits) {
    /** @type {Record<string, string>} */
    const headers = waits ? { prefer: "wait=" + SECONDS } : {};
    const { value, n, origin } = /** @type {Partial<Request>} */ (request ?? {});
    if (request) headers["content-type"] = "application/json";
    if (n) headers["idempotency-key"] = this.#name + n;
    if (origin) headers["if-match"] = origin.tag;
    return { headers, body: JSON.stringify(value) };
  }

  /**
   * Sends a request that changes the session, under its number. The number is the same each time, so that the
   * change is done once (PROTOCOL §4). The server keeps the number, its answer and the state as one record
   * (CLIENT.md, M4).
   * @param {Request} request
   * @param {boolean} [keepalive]
   */
  put(request, keepalive) {
    if (!request.n && request.read) request.value = request.read(request.value);
    request.n ||= ++this.number;
    const [method, path] = request.what.split(" ");
    return this.ask(method, path, { request, keepalive });
  }
}
