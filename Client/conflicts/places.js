// SPDX-License-Identifier: MIT
import { writes } from "../targets.js";

/**
 * The element that shows the conflicts of a value, and the path of the value.
 * @typedef {{ node: HTMLElement, names: string[] }} Place
 */

/** The elements that show conflicts, by the targets of edits of their values. */
export class Places {
  /** @type {Map<string, Place>} */
  #all = new Map();
  /** The number of places from which on those are let go whose elements have gone, as those of rows do. */
  #most = 64;

  /**
   * @param {string[]} names
   * @param {HTMLElement} node
   */
  add(names, node) {
    if (this.#all.size > this.#most) {
      for (const [what, place] of this.#all) if (!place.node.isConnected) this.#all.delete(what);
      this.#most = 64 + 2 * this.#all.size;
    }
    this.#all.set(writes(names), { node, names });
  }

  /**
   * The place of a value; undefined where its element is not on the page.
   * @param {string} what
   */
  of(what) {
    const place = this.#all.get(what);
    return place?.node.isConnected ? place : undefined;
  }
}
