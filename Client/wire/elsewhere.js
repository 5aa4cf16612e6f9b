// SPDX-License-Identifier: MIT
// Ways to the page's session from elsewhere: a second window, a phone, a shell.
import { jarLines, line } from "./curl.js";
import { make } from "./make.js";

/** @typedef {import("./traffic.js").Exchange} Exchange */

/** The names of this very machine: no other one reaches a server by them. */
const LOOPBACK = /^(localhost|.*\.localhost|127\..*|\[::1\])$/;

/** A second view: in another window, or on a phone. */
export class SecondView {
  // A window that has an opener begins with a copy of the tab's storage, and so with this tab's session.
  #window = make("a", { target: "_blank", rel: "opener" }, "Open this session in a second window");
  #phone = make("a");
  element;

  /** @param {Location} location */
  constructor({ hostname }) {
    const phone = LOOPBACK.test(hostname)
      ? ["A phone cannot reach ", make("code", {}, hostname), ". Start the server with ", make("code", {}, "--host 0.0.0.0 --host-name NAME"), ", and open the page by that name of this machine."]
      : ["On a phone, open ", this.#phone, ". It gets a session of its own, as the key to this one is a cookie of this browser."];
    this.element = make("div", {}, make("p", {}, this.#window, ". Type in one, and both show it."), make("p", {}, ...phone));
  }

  /** @param {Location} location whose address may be another one by now */
  show({ href }) {
    this.#window.href = href;
    this.#phone.href = href;
    this.#phone.textContent = href;
  }
}

/** Lines to paste into a shell: they read the session, and do again what the page did last. */
export class Shell {
  #lines = make("code");
  element = make("pre", { tabIndex: 0, role: "group", "aria-label": "Lines for a shell" }, this.#lines);
  /** Copies the lines; a browser lets a page do that only where its connection is secure, or on this machine. */
  copy = make("button", { type: "button", className: "copy", hidden: !navigator.clipboard, onclick: () => this.#copy() }, "Copy the lines");

  /**
   * @param {Location} location
   * @param {string} session the session's URL
   * @param {{ exchange: Exchange, value: any } | undefined} last the last request that changed something
   */
  show(location, session, last) {
    const { origin } = location;
    const read = line(origin, { method: "GET", session, path: "" });
    const again = last ? [line(origin, last.exchange, last.value)] : [];
    this.copy.textContent = "Copy the lines";
    this.#lines.textContent = session ? [...jarLines(location), read, ...again].join("\n") : "# There is no session.";
  }

  async #copy() {
    await navigator.clipboard.writeText(this.#lines.textContent ?? "");
    this.copy.textContent = "Copied";
  }
}
