// SPDX-License-Identifier: MIT
// The scroll positions of the history's entries, so that back and forward bring them back. An entry has its number in its state; the
// positions lie in the tab's storage while no page has them, as the state of an entry that was left cannot be changed any more.

const KEY = "euripus:scroll";
/** The position of an entry that was not left yet. */
const UNKNOWN = -1;

export class Scrolling {
  /**
   * The positions, by the numbers of their entries. Numbers grow with the history: entries behind a new one are gone.
   * @type {number[]}
   */
  #positions = [];
  /** The number of the present entry. */
  #entry = 0;

  constructor() {
    history.scrollRestoration = "manual";
    try {
      this.#positions = JSON.parse(sessionStorage[KEY]);
    } catch {}
    this.arrive();
    this.restore();
  }

  /** Another entry is the present one. */
  arrive() {
    this.#entry = history.state?.euripus ?? this.#positions.length;
    history.replaceState({ euripus: this.#entry }, "");
    this.#positions[this.#entry] ??= UNKNOWN;
  }

  /** The present entry is left. */
  remember() {
    this.#positions[this.#entry] = scrollY;
  }

  /**
   * A new entry.
   * @param {string} address
   * @param {boolean} atTop whether it is another page, which begins at its top
   */
  push(address, atTop) {
    this.remember();
    this.#positions.length = ++this.#entry;
    history.pushState({ euripus: this.#entry }, "", address);
    if (atTop) scrollTo(0, 0);
  }

  /** Scrolls to where the present entry was left; one that is new stays where the browser has it. */
  restore() {
    const position = this.#positions[this.#entry] ?? UNKNOWN;
    if (position >= 0) scrollTo(0, position);
  }

  /** The page is left. */
  keep() {
    this.remember();
    try {
      sessionStorage[KEY] = JSON.stringify(this.#positions);
    } catch {}
  }
}
