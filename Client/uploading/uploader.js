// SPDX-License-Identifier: MIT
// The files that go to one `Uploads` of a root. They go on while no element shows them, such as one of a dialog that is
// closed, and end with the root.
import { Sending } from "./sending.js";
import { inputOf, show } from "./shown.js";
import { pointer } from "../paths.js";
import { valueAt } from "../values.js";

/** @typedef {import("../root.js").Root} Root */

/** The most files that are sent at once. */
const AT_ONCE = 2;

/**
 * Those of each root, by the pointers of their `Uploads`.
 * @type {WeakMap<Root, Map<string, Uploader>>}
 */
const uploaders = new WeakMap();

export class Uploader {
  /**
   * The one of an `Uploads`, however many elements show that.
   * @param {Root} root
   * @param {string[]} names the path of the `Uploads`
   */
  static of(root, names) {
    const known = uploaders.get(root);
    /** @type {Map<string, Uploader>} */
    const ofRoot = known ?? new Map();
    if (!known) {
      uploaders.set(root, ofRoot);
      // The root is taken off the page.
      root.signal.addEventListener("abort", () => ofRoot.forEach((each) => each.#end()));
    }
    const uploader = ofRoot.get(pointer(names)) ?? new Uploader(root, names);
    ofRoot.set(pointer(names), uploader);
    return uploader;
  }

  /**
   * The files that are on their way, by their keys.
   * @type {Map<string, Sending>}
   */
  #sendings = new Map();
  /**
   * The elements that show them.
   * @type {Set<HTMLElement>}
   */
  #nodes = new Set();
  #endWatch;

  /**
   * @param {Root} root
   * @param {string[]} names
   */
  constructor(root, names) {
    this.root = root;
    this.names = names;
    this.#endWatch = root.watching.addAlways(() => this.look());
  }

  /** The `Uploads`, as the state has it. */
  get state() {
    return valueAt(this.root.tree, this.names) ?? {};
  }

  /** The URL of the `Uploads`; undefined without a session. */
  get url() {
    const { url } = this.root.session;
    return url && url + "/uploads" + pointer(this.names);
  }

  /** @param {HTMLElement} node an input of the type `file`, or an element with one */
  show(node) {
    this.#nodes.add(node);
    this.look();
  }

  /**
   * Tells a person that a file is refused, at the elements that are there.
   * @param {import("../types").Problem} problem
   * @param {File} file
   */
  refuse(problem, file) {
    for (const node of this.#nodes) this.root.status.showRefused(problem, /** @type {any} */ ({ control: inputOf(node) ?? node }));
    this.root.tell("error", { ...problem, file });
  }

  /**
   * Begins to send files, or goes on with those that were begun.
   * @param {Iterable<File>} files
   */
  add(files) {
    for (const file of files) {
      const sending = new Sending(this, file);
      const known = this.#sendings.get(sending.key);
      if (known && !known.isOver) continue;
      this.#sendings.set(sending.key, sending);
    }
    this.#next();
  }

  /**
   * Takes note that a file has another key.
   * @param {Sending} sending
   */
  renamed(sending) {
    for (const [key, each] of this.#sendings) if (each === sending) this.#sendings.delete(key);
    this.#sendings.set(sending.key, sending);
  }

  /**
   * Shows how it stands with each file, and forgets those that the person or the app has taken away. Without a file on its
   * way, and without an element, it forgets itself.
   */
  look() {
    const { files } = this.state;
    for (const [key, sending] of this.#sendings) {
      sending.look(files?.items?.[key]);
      if (sending.isOver && !files?.items?.[key]) this.#sendings.delete(key);
    }
    for (const node of this.#nodes) {
      if (this.root.element.contains(node)) show(this, node, (key) => this.#sendings.get(key));
      else this.#nodes.delete(node);
    }
    if (this.#nodes.size || [...this.#sendings.values()].some(({ isOver }) => !isOver)) return;
    this.#endWatch();
    const ofRoot = uploaders.get(this.root);
    // There may be a newer one.
    if (ofRoot?.get(pointer(this.names)) === this) ofRoot.delete(pointer(this.names));
  }

  #next() {
    const waiting = [...this.#sendings.values()];
    const count = waiting.filter((each) => each.hasBegun && !each.isOver).length;
    for (const each of waiting.filter((each) => !each.hasBegun && !each.isOver).slice(0, Math.max(0, AT_ONCE - count))) each.run().then(() => this.#next());
    this.look();
  }

  /** Ends all that is on its way. */
  #end() {
    for (const sending of this.#sendings.values()) sending.stop();
  }
}
