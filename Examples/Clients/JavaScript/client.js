// SPDX-License-Identifier: MIT
// A client of one session of a view model: its state, followed and changed over HTTP. It runs in Node and in browsers.
//
// The client sends a request again if no whole answer comes, or if the server asks for it later. A change is done
// once all the same. A refusal is thrown as a `Problem`.

import { apply } from "./patch.js";

/** A refusal, as the server words it (RFC 9457): its members, and its kind. Nothing of the request was applied. */
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail ?? `status ${status}`);
    Object.assign(this, { status }, body);
    /** The last part of the type: `action-disabled`. */
    this.kind = body.type?.split("/").at(-1) ?? "";
  }
}

/** The problems that use up a request's number: a session's decisions, and the number of another request (PROTOCOL §4). */
const USED_UP = new Set([
  "malformed-json", "bad-version", "not-json", "read-only", "not-allowed", "action-disabled", "command-busy", "version-moved",
  "value-changed", "invalid-action", "refused", "internal", "poisoned", "state-too-large", "key-reused", "command-failed",
]);

/** The statuses by which a proxy says that it got no answer: the request may have been carried out. */
export const NO_ANSWER = new Set([502, 503, 504]);

/** The value of a JSON text; undefined for any other text. */
export function asJSON(text) {
  try {
    return text ? JSON.parse(text) : {};
  } catch {
    return undefined;
  }
}

/** Opens a session of a view model, by its name, with the parameters that it declares, and by an invitation into a room. */
export async function open(server, model, { params, invitation, ...means } = {}) {
  const session = new Session(server, means);
  await session.open(model, params, invitation);
  return session;
}

/** The key of a row as a step of a path: `items/items/${step(key)}/done`. */
export const step = (key) => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"));

export class Session {
  /** Never changed in place: a part that is the same object has not changed. */
  state;
  version = "";
  /** The path of the session on its server. */
  url = "";
  #server;
  #token;
  #fetch;
  #name = Math.random();
  #number = 1;
  #last = Promise.resolve();

  constructor(server, { fetch = globalThis.fetch, pause = (ms) => new Promise((done) => setTimeout(done, ms)) } = {}) {
    this.#server = server.replace(/\/$/, "");
    this.#fetch = (...request) => fetch(...request);
    this.pause = pause;
  }

  async open(model, params, invitation) {
    const { body } = await this.#send("POST", `/sessions/${model}`, { value: { auth: "bearer", params, invitation } });
    [this.url, this.#token, this.version, this.state] = [body.url, body.token, body.version, body.state];
  }

  /** Performs an action, or starts a command. Gives the result; a command has one if it ends within `wait` seconds. */
  perform = (path, value, { wait } = {}) => this.#change("POST", `/actions/${path}`, value, wait);
  /** Writes a value; with a version in `since` only if nobody has changed it since (`value-changed`). */
  set = (path, value, { since } = {}) => this.#change("PUT", `/state/${path}`, value, 0, since);
  /** Cancels a command. */
  cancel = (path) => this.#change("DELETE", `/actions/${path}`);
  /** Closes the session. */
  close = () => this.#change("DELETE", "");

  /** Waits for a change, for `wait` seconds at most, and gives the state. */
  async next({ wait = 25, signal } = {}) {
    const answer = await this.#send("GET", "/changes", { wait, signal });
    this.#take(answer);
    // The server let this reader go, to make room for another.
    if (answer.retryAfter) await this.pause(answer.retryAfter * 1000);
    return this.state;
  }

  /** Sends a request once, to a path of the server, with a body of any kind. */
  request(method, path, { headers, body, signal }) {
    const known = { ...headers, ...(this.#token && { authorization: `Bearer ${this.#token}` }) };
    return this.#fetch(this.#server + path, { method, headers: known, body, signal, credentials: "omit", cache: "no-store" });
  }

  /** Calls `show` with the state now and after each change, until the signal. */
  async follow(show, signal) {
    for (let shown; !signal?.aborted; await this.next({ signal }).catch((error) => { if (!signal?.aborted) throw error; }))
      if (shown !== this.state) show((shown = this.state));
  }

  /** Sends a change once the changes before it are decided, so they go one after the other. */
  #change(method, path, value, wait, since) {
    const change = this.#last.then(async () => {
      try {
        const answer = await this.#send(method, path, { value, wait, since, isChange: true });
        this.#number++;
        this.#take(answer);
        // An answer may be dropped for a newer one. The change is in the state when this returns.
        const to = answer.body.to ?? answer.body.version;
        while (to && this.#isNews(to, answer.held)) await this.next({ wait: 0 });
        return answer.body.result ?? null;
      } catch (problem) {
        if (USED_UP.has(problem.kind)) this.#number++;
        throw problem;
      }
    });
    this.#last = change.catch(() => {});
    return change;
  }

  async #send(method, path, { value, wait = 0, since, isChange, signal }) {
    for (let failures = 0; ; failures++) {
      const held = this.version;
      const headers = {
        ...(value !== undefined && { "content-type": "application/json" }),
        ...(wait && { prefer: `wait=${wait}` }),
        ...(since && { "if-match": `"${since}"` }),
        ...(isChange && { "idempotency-key": `${this.#name}/${this.#number}` }),
      };
      const limit = AbortSignal.timeout((wait + 30) * 1000);
      const request = { headers, body: JSON.stringify(value), signal: signal ? AbortSignal.any([signal, limit]) : limit };
      let seconds = Math.min(2 ** failures, 30);
      try {
        const answer = await this.request(method, this.url + path + (held && `?since=${held}`), request);
        const text = await answer.text();
        const mayBeDone = NO_ANSWER.has(answer.status);
        const json = asJSON(text);
        if (!json && (answer.ok || mayBeDone)) throw TypeError("a proxy's own page");
        const body = json ?? {};
        // A date in this field is not read.
        const retryAfter = Number(answer.headers.get("retry-after")) || 0;
        if (answer.ok) return { body, held, retryAfter };
        // The server may have an older memory of this client than the client itself.
        if (body.expected) {
          this.#number = body.expected;
          seconds = 0;
        } else if (held && (retryAfter || mayBeDone)) seconds = retryAfter || seconds;
        else throw new Problem(answer.status, body);
      } catch (error) {
        if (error instanceof Problem || signal?.aborted) throw error;
      }
      await this.pause(seconds * 1000);
    }
  }

  /** Takes a frame if it fits the version that the client holds, and drops it otherwise. */
  #take({ body: { token, from, to, state, patch }, held }) {
    this.#token = token ?? this.#token;
    if (state !== undefined ? !this.#isNews(to, held) : !to || from !== this.version) return;
    this.state = state !== undefined ? state : patch.reduce(apply, this.state);
    this.version = to;
  }

  /**
   * Whether a version is newer than the one that the client holds. One of another epoch is, unless its request was sent
   * in an epoch that the client has left.
   */
  #isNews(to, held) {
    const [[epoch, revision], [nowEpoch, now], [heldEpoch]] = [to, this.version, held].map((version) => version.split("."));
    return epoch === nowEpoch ? Number(revision) > Number(now) : heldEpoch === nowEpoch;
  }
}
