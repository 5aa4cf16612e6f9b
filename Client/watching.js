// SPDX-License-Identifier: MIT
import { valueAt } from "./values.js";

/** @typedef {{ names: string[], value: any, updates: Set<() => void> }} Place */

/**
 * The values that parts show and that are not their own, each read once a state however many rows show it, and those
 * who are told of every state.
 */
export class Watching {
  /** @type {Map<string, Place>} */
  #places = new Map();
  /** @type {Set<() => void>} */
  #always = new Set();

  /** @param {string[]} names */
  #key = (names) => names.join("\0");

  /**
   * Calls a function when the value at a path from the root is another one.
   * @param {string[]} names
   * @param {any} tree
   * @param {() => void} update
   * @returns {() => void} a function that ends it
   */
  add(names, tree, update) {
    const key = this.#key(names);
    const place = this.#places.get(key) ?? { names, value: valueAt(tree, names), updates: new Set() };
    this.#places.set(key, place);
    place.updates.add(update);
    return () => {
      place.updates.delete(update);
      if (!place.updates.size) this.#places.delete(key);
    };
  }

  /**
   * Calls a function with each state.
   * @param {() => void} update
   * @returns {() => void} a function that ends it
   */
  addAlways(update) {
    this.#always.add(update);
    return () => void this.#always.delete(update);
  }

  /**
   * Tells those who watch a path, as something else about it has changed.
   * @param {string[]} names
   */
  tell(names) {
    this.#places.get(this.#key(names))?.updates.forEach(guarded);
  }

  /** @param {any} tree */
  update(tree) {
    for (const place of [...this.#places.values()]) {
      const value = valueAt(tree, place.names);
      if (value === place.value) continue;
      place.value = value;
      place.updates.forEach(guarded);
    }
    this.#always.forEach(guarded);
  }
}

/**
 * Calls a function of a part of the page. If it throws, no other part is harmed.
 * @param {() => void} update
 */
export function guarded(update) {
  try {
    update();
  } catch (error) {
    reportError(error);
  }
}
