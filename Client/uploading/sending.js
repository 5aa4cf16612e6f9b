// SPDX-License-Identifier: MIT
// One file on its way: it is declared, and then sent in parts from where the server has it. Whatever breaks it off, it goes
// on from there (PROTOCOL §10).
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
  #abort = new AbortController();

  /**
   * @param {{ url: string | undefined, root: import("../root.js").Root, node: HTMLElement, input: HTMLInputElement | null, look: () => void, renamed: (sending: Sending) => void }} uploader
   * @param {File} file
   */
  constructor(uploader, file) {
    this.uploader = uploader;
    this.file = file;
    // The same for the same file, so that a person who chooses it again goes on with it.
    this.key = [file.lastModified.toString(36), file.size.toString(36), file.name.replace(/[^\w.-]/g, "_").slice(-60)].join("-");
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
    const head = await this.#ask("HEAD");
    // A file that was refused, or that nobody has taken in time, is sent anew by a person who chooses it again.
    if (head.status === 404 || (head.status === 409 && !this.#wasDeclared)) return this.#declare();
    // The app has taken a file of this key. Whoever chooses it again means another one.
    if (head.status === 410 && !this.#wasDeclared && !this.#isRenamed) return this.#rename();
    if (!head.ok) return head.problem;
    if (head.fields.get("upload-complete") === "?1") this.isOver = true;
    else return this.#part(Number(head.fields.get("upload-offset")));
  }

  #rename() {
    this.#isRenamed = true;
    this.key += "-" + Date.now().toString(36);
    this.uploader.renamed(this);
    return undefined;
  }

  async #declare() {
    // Its row was there, and is gone: somebody has taken it away.
    if (this.#seenAt && this.#seenAt === this.uploader.url) return void (this.isOver = true);
    const { name, type, size } = this.file;
    const disposition = "attachment; filename*=UTF-8''" + encodeURIComponent(name).replace(/['()*]/g, (character) => "%" + character.charCodeAt(0).toString(16));
    this.#wasDeclared = true;
    const answer = await this.#ask("PUT", { "upload-complete": "?0", "upload-length": `${size}`, "content-type": type || "application/octet-stream", "content-disposition": disposition });
    return answer.ok ? undefined : answer.problem;
  }

  /** @param {number} offset */
  async #part(offset) {
    const end = Math.min(this.file.size, offset + PART);
    const isLast = end === this.file.size;
    const fields = { "upload-offset": `${offset}`, "upload-complete": isLast ? "?1" : "?0", "content-type": "application/partial-upload" };
    const answer = await this.#ask("PATCH", fields, this.file.slice(offset, end));
    if (!answer.ok) return answer.problem;
    this.isOver ||= isLast;
  }

  /**
   * @param {string} method
   * @param {Record<string, string>} [headers]
   * @param {Blob} [body]
   */
  async #ask(method, headers, body) {
    const { url } = this.uploader;
    /** @type {Problem} */
    let problem = { status: 0 };
    if (!url || this.isOver) return { status: 0, ok: false, fields: new Headers(), problem };
    try {
      const response = await fetch(url + "/" + encodeURIComponent(this.key), { method, headers, body, cache: "no-store", signal: this.#abort.signal });
      const { status, ok, headers: fields } = response;
      this.isWaiting = false;
      problem = { ...(await response.json().catch(() => ({}))), status, retryAfter: Number(fields.get("retry-after")) * 1000 || 0 };
      return { status, ok, fields, problem };
    } catch {
      return { status: 0, ok: false, fields: new Headers(), problem };
    }
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
    const { root, node, input } = this.uploader;
    root.status.showRefused(problem, /** @type {any} */ ({ control: input ?? node }));
    root.tell("error", { ...problem, file: this.file });
  }
}

/**
 * Whether it is of no use to ask again: the file is refused. A part that begins elsewhere, a session that is new and a server
 * that is busy are asked again.
 * @param {Problem} problem
 */
const isFinal = ({ status = 0, type = "" }) => status >= 400 && ![401, 429, 502, 503, 504].includes(status) && !/\/(upload-offset|no-session|session-closed)$/.test(type);
