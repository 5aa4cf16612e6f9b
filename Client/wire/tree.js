// SPDX-License-Identifier: MIT
// A state as a tree, in which the places that have just changed are marked.
import { make, reveal } from "./make.js";

/** An object with more members than this is folded at first. */
const MANY = 12;

/**
 * A place of the state: its line, and the JSON that it shows or, of an object, the places below it.
 * @typedef {{ element: HTMLElement, text?: string, below?: { places: Map<string, Place>, list: HTMLElement, fold?: HTMLDetailsElement } }} Place
 */

/** @param {any} value */
const isBranch = (value) => Object(value) === value && (!Array.isArray(value) || value.some((each) => Object(each) === each));

export class Tree {
  element = make("ul", { className: "box tree", tabIndex: 0, "aria-label": "State" });
  /** @type {Place} */
  #root = { element: this.element, below: { places: new Map(), list: this.element } };

  /**
   * Shows a state. Answers the paths of what has changed: none where the tree was empty, as all of it is new.
   * @param {any} state
   * @returns {string[][]}
   */
  show(state) {
    const isFirst = !this.element.firstChild;
    const changed = update(this.#root, state, []);
    if (isFirst || !changed.length) return [];
    for (const lit of this.element.querySelectorAll(".lit")) lit.classList.remove("lit");
    for (const names of changed) this.#nearest(names)?.classList.add("lit");
    reveal(this.element, ".lit");
    return changed;
  }

  /**
   * The line of a place, or of the one around it that is folded, or that is still there.
   * @param {string[]} names
   */
  #nearest(names) {
    let place = this.#root;
    for (const name of names) {
      const next = place.below?.places.get(name);
      if (!next || place.below?.fold?.open === false) break;
      place = next;
    }
    if (place === this.#root) return undefined;
    return place.below?.fold?.querySelector("summary") ?? place.element;
  }
}

/**
 * Answers the paths of what has changed.
 * @param {Place} place
 * @param {any} value
 * @param {string[]} names
 * @returns {string[][]}
 */
function update(place, value, names) {
  if (place.below) return updateBelow(place.below, value, names);
  const text = JSON.stringify(value);
  if (place.text === text) return [];
  place.text = text;
  place.element.querySelector("code")?.replaceChildren(text);
  return [names];
}

/**
 * @param {NonNullable<Place["below"]>} below
 * @param {any} value
 * @param {string[]} names
 */
function updateBelow({ places, list }, value, names) {
  const gone = [...places].filter(([name]) => !Object.hasOwn(value, name));
  for (const [name, { element }] of gone) {
    element.remove();
    places.delete(name);
  }
  const changed = gone.map(([name]) => [...names, name]);
  for (const [name, each] of Object.entries(value)) {
    const before = places.get(name);
    if (before && !before.below === !isBranch(each)) {
      changed.push(...update(before, each, [...names, name]));
    } else {
      const place = made(name, each);
      if (before) before.element.replaceWith(place.element);
      else list.append(place.element);
      places.set(name, place);
      changed.push([...names, name]);
    }
  }
  return changed;
}

/**
 * @param {string} name
 * @param {any} value
 * @returns {Place}
 */
function made(name, value) {
  const label = make("span", { className: "name" }, name);
  /** @type {Place} */
  let place;
  if (isBranch(value)) {
    const list = make("ul");
    const fold = make("details", { open: Object.keys(value).length <= MANY }, make("summary", {}, label), list);
    place = { element: make("li", {}, fold), below: { places: new Map(), list, fold } };
  } else {
    place = { element: make("li", { className: "leaf" }, label, " ", make("code")) };
  }
  update(place, value, []);
  return place;
}
