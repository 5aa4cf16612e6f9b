// SPDX-License-Identifier: MIT
// A tab's session over a reload: its URL, and the last state that was shown, so that the page shows that at once and goes on from its
// version. It lies in `sessionStorage`, which is the tab's own. Secrets are in no state.

/** @typedef {{ url: string, version: string, tree: any, address?: string }} Shown */

export class Kept {
  #key;

  /** @param {string} model */
  constructor(model) {
    this.#key = "euripus:" + model;
  }

  /**
   * The URL of the session; empty, or undefined, where there is none.
   * @returns {string | undefined}
   */
  get url() {
    return sessionStorage[this.#key];
  }

  set url(url) {
    sessionStorage[this.#key] = url;
  }

  /**
   * Keeps the state, as the page is left; not one that the browser has no room for.
   * @param {Shown} shown
   */
  keepState(shown) {
    try {
      sessionStorage[this.#key + ":state"] = JSON.stringify(shown);
    } catch {}
  }

  /**
   * The state that was kept of this session.
   * @returns {Partial<Shown>}
   */
  state() {
    try {
      const kept = JSON.parse(sessionStorage[this.#key + ":state"]);
      return kept.url === this.url ? kept : {};
    } catch {
      return {};
    }
  }
}
