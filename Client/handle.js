// SPDX-License-Identifier: MIT
import { leave } from "./leaving.js";
import { namesOf, pointer } from "./paths.js";
import { WRITE } from "./targets.js";
import { valueAt } from "./values.js";

/**
 * The pointer of a path from the state's root.
 * @param {string} path
 */
const pointerOf = (path) => pointer(namesOf("/" + path));

/**
 * A root for the page's own script. It acts through the same queue as the page's attributes, so edits and
 * actions come in the order in which they were made. Paths begin at the state's root: `people/items/p1/name`.
 */
export class Handle {
  #root;
  #forget;

  /**
   * @param {import("./root.js").Root} root
   * @param {() => void} forget
   */
  constructor(root, forget) {
    this.#root = root;
    this.#forget = forget;
  }

  /** The name of its view model. */
  get model() {
    return this.#root.model;
  }

  /** The state, which must not be changed; undefined before the first one. */
  get state() {
    return this.#root.tree;
  }

  /**
   * Performs an action, and gives its result. Rejects with the problem where it is refused.
   * @param {string} path
   * @param {any} [value]
   * @returns {Promise<any>}
   */
  perform(path, value) {
    return this.#request("POST /actions" + pointerOf(path), value, []);
  }

  /**
   * Cancels a command.
   * @param {string} path
   * @returns {Promise<void>}
   */
  cancel(path) {
    return this.#request("DELETE /actions" + pointerOf(path), undefined, []);
  }

  /**
   * Writes a two-way value. A write that follows before this one is sent takes its place, and both are
   * acknowledged together.
   * @param {string} path
   * @param {any} value
   * @returns {Promise<void>}
   */
  set(path, value) {
    return this.#request(WRITE + pointerOf(path), value);
  }

  /**
   * Tells the server which languages and which time zone the person prefers. A preference that is left out
   * stays as it was. A session that takes the place of this one learns the preferences too.
   * @param {{ languages?: string[], timeZone?: string }} preferences
   * @returns {Promise<void>}
   */
  prefer(preferences) {
    Object.assign(this.#root.client, preferences);
    return this.#request("PUT /client", preferences, []);
  }

  /**
   * Calls back with the value of a path, now and whenever it changes; with undefined where there is no value.
   * @param {string} path
   * @param {(value: any) => void} callback
   * @returns {() => void} a function that ends it
   */
  follow(path, callback) {
    const names = namesOf("/" + path);
    /**
     * The value that was told last. At first it is one that no state has.
     * @type {any}
     */
    let known = this;
    const look = () => {
      const value = valueAt(this.#root.tree, names);
      if (value === known) return;
      known = value;
      callback(value);
    };
    if (this.#root.tree !== undefined) look();
    return this.#root.watching.addAlways(look);
  }

  /** Takes the view model off the page, and ends its connection. Its session goes on. */
  unmount() {
    const root = this.#root;
    this.#forget();
    leave(root);
    root.listening.abort();
    root.part.end();
    delete root.element.dataset.vmReady;
    root.wake(true);
    // Nobody waits for what is not under way.
    root.queue.pump();
  }

  /**
   * @param {string} what
   * @param {any} value
   * @param {import("./types").Base[]} [bases]
   * @returns {Promise<any>}
   */
  async #request(what, value, bases) {
    const { status, fields, queue } = this.#root;
    if (bases && status.refusal) throw status.refusal;
    fields.flush();
    return queue.ask({ what, value, bases });
  }
}
