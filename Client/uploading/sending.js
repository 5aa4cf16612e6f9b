// SPDX-License-Identifier: MIT
// One file on its way: it is declared, and then sent in parts from where the server has it. Whatever breaks it off, it goes
// on from there (PROTOCOL §10).
import { NO_ANSWER, ask, isFinal } from "./asking.js";
import { sendElsewhere } from "./elsewhere.js";
import { fieldsOf, keyOf, partFields } from "./files.js";
import { backoff } from "../waiting.js";

/** The bytes of one request: so many that a server which refuses them still reads them, and is heard. */
const PART = 1 << 20;

/** @typedef {import("../types").Problem} Problem */

export class Sending {
  hasBegun = false;
  isOver = false;
  /** Whether it waits for a connection, or for the server. */
  isWaiting = false;
  /** The URL at which its row was seen; another session has another one. */
  #seenAt = "";
  #wasDeclared = false;
  #isRenamed = false;
  /** The URL of the place for which all its bytes are at a store of the app's; the server is not told yet. */
  #storedFor = "";
  #abort = new AbortController();

  /**
   * @param {import("./uploader.js").Uploader} uploader
   * @param {File} file
   */
  constructor(uploader, file) {
    this.uploader = uploader;
    this.file = file;
    this.key = keyOf(file);
  }

  /** Sends the file. It ends when it is sent, refused or taken away. */
  async run() {
    this.hasBegun = true;
    for (let failures = 0; !this.isOver; ) {
      const problem = await this.#step();
      if (!problem) failures = 0;
      else if (isFinal(problem)) this.#end(problem);
      else await this.#wait(problem, failures++);
    }
    this.uploader.look();
  }

  /** Ends it, as somebody has taken the file away or the page lets go of it. */
  stop() {
    this.isOver = true;
    this.#abort.abort();
  }

  /**
   * Takes note of its row, or that there is none any more.
   * @param {any} row
   */
  look(row) {
    const { url = "" } = this.uploader;
    if (row) this.#seenAt = url;
    else if (this.#seenAt && this.#seenAt === url) this.stop();
  }

  /**
   * Finds out how far it has come, and sends the next part.
   * @returns {Promise<Problem | undefined>}
   */
  async #step() {
    if (this.#storedFor && this.#storedFor === this.uploader.url) return this.#part(this.file.size);
    const head = await this.#ask("HEAD");
    // A file that was refused, or that nobody has taken in time, is sent anew by a person who chooses it again.
    if (head.status === 409 && !this.#wasDeclared) return this.#declare();
    if (head.status === 404) {
      if (this.#seenAt !== this.uploader.url) return this.#declare();
      // Its row was there, and is gone: somebody has taken it away.
      this.isOver = true;
      return;
    }
    // The app has taken a file of this key. Whoever chooses it again means another one.
    if (head.status === 410 && !this.#wasDeclared && !this.#isRenamed) return this.#rename();
    if (!head.ok) return head.body;
    if (head.fields.get("upload-complete") === "?1") this.isOver = true;
    // At a store of the app's it cannot go on where it was broken off.
    else if (this.uploader.state.elsewhere) return this.#declare();
    else return this.#part(Number(head.fields.get("upload-offset")));
  }

  #rename() {
    this.#isRenamed = true;
    this.key += "-" + Date.now().toString(36);
    this.uploader.renamed(this);
    return undefined;
  }

  async #declare() {
    this.#wasDeclared = true;
    const { url = "" } = this.uploader;
    const { ok, body } = await this.#ask("PUT", fieldsOf(this.file));
    if (!ok || !body.url) return ok ? undefined : body;
    const problem = await sendElsewhere(body, this.file, this.#abort.signal, (count) => this.#ask("PATCH", partFields(count, false)));
    // Another session has no such file.
    if (!problem) this.#storedFor = url;
    return problem;
  }

  /** @param {number} offset */
  async #part(offset) {
    const end = Math.min(this.file.size, offset + PART);
    const isLast = end === this.file.size;
    const answer = await this.#ask("PATCH", partFields(offset, isLast), this.file.slice(offset, end));
    if (!answer.ok) return answer.body;
    this.isOver ||= isLast;
  }

  /**
   * @param {string} method
   * @param {Record<string, string>} [headers]
   * @param {Blob} [body]
   */
  async #ask(method, headers, body) {
    const { url } = this.uploader;
    if (!url || this.isOver) return NO_ANSWER;
    const answer = await ask(url + "/" + encodeURIComponent(this.key), { method, headers, body, signal: this.#abort.signal });
    if (answer.status) this.isWaiting = false;
    return answer;
  }

  /**
   * Waits for a while, for the network, or for the person.
   * @param {Problem} problem
   * @param {number} failures
   */
  async #wait({ retryAfter = 0 }, failures) {
    if (this.isOver) return;
    this.isWaiting = true;
    this.uploader.look();
    await this.uploader.root.waiting.sleep(retryAfter + backoff(failures, Math.random()));
  }

  /** @param {Problem} problem */
  #end(problem) {
    this.isOver = true;
    this.uploader.refuse(problem, this.file);
  }
}
