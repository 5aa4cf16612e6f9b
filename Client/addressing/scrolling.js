// SPDX-License-Identifier: MIT
// The scroll positions of the history's entries, so that back and forward bring them back. The state of an
// entry has its number. The positions lie in the tab's storage while no page is loaded, as a page cannot change
// the state of an entry that it has left.

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

  /** Takes the browser's entry as the present one, and gives it a number if it has none. */
  arrive() {
    this.#entry = history.state?.euripus ?? this.#positions.length;
    history.replaceState({ euripus: this.#entry }, "");
    this.#positions[this.#entry] ??= UNKNOWN;
  }

  /** Remembers the position of the present entry, as the page leaves it. */
  remember() {
    this.#positions[this.#entry] = scrollY;
  }

  /**
   * Adds an entry to the history, and makes it the present one.
   * @param {string} address
   * @param {boolean} atTop whether the entry is another page, which begins at its top
   */
  push(address, atTop) {
    this.remember();
    this.#positions.length = ++this.#entry;
    history.pushState({ euripus: this.#entry }, "", address);
    if (atTop) scrollTo(0, 0);
  }

  /** Scrolls to the position of the present entry. A new entry stays where the browser has it. */
  restore() {
    const position = this.#positions[this.#entry] ?? UNKNOWN;
    if (position >= 0) scrollTo(0, position);
  }

  /** Writes all positions into the tab's storage, as the page is left. */
  keep() {
    this.remember();
    try {
      sessionStorage[KEY] = JSON.stringify(this.#positions);
    } catch {}
  }
}
