// SPDX-License-Identifier: MIT
// A tab's session over a reload: its URL, and the last state that was shown, so that the page shows that at once and goes on from its
// version. It lies in `sessionStorage`, which is the tab's own. Secrets are in no state.

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
    // What was shown was the former session's.
    sessionStorage[this.#key + ":state"] = "";
  }

  /**
   * Keeps what is shown, as the page is left; not what the browser has no room for.
   * @param {import("./root.js").Root} root
   */
  keepState({ tree, version, address, session: { url } }) {
    try {
      if (url && version) sessionStorage[this.#key + ":state"] = JSON.stringify({ url, version, tree, address });
    } catch {}
  }

  /**
   * After a reload: shows what this tab showed last of its session, from whose version the page goes on.
   * @param {import("./root.js").Root} root
   */
  show(root) {
    /** @type {any} */
    let kept;
    try {
      kept = JSON.parse(sessionStorage[this.#key + ":state"]);
    } catch {}
    // At another address there is another page.
    if (!kept || kept.url !== this.url || (root.place && root.place !== kept.address)) return;
    [root.tree, root.version, root.address] = [kept.tree, kept.version, kept.address];
    root.render();
  }
}
