// SPDX-License-Identifier: MIT
// Ways to the page's session from elsewhere: a second window, a phone, a shell.
import { jarLines, line } from "./curl.js";
import { make } from "./make.js";

/** @typedef {import("./traffic.js").Exchange} Exchange */

/** The names of this very machine: no other one reaches a server by them. */
const LOOPBACK = /^(localhost|.*\.localhost|127\..*|\[::1\])$/;

/**
 * A second view. A window that a page opens as its opener gets a copy of the tab's storage, and so this tab's session.
 * @param {Location} location
 */
export function secondView({ hostname, href }) {
  const link = make("a", { href, target: "_blank", rel: "opener" }, "Open this session in a second window");
  const phone = LOOPBACK.test(hostname)
    ? ["A phone cannot reach this server: its address, ", make("code", {}, hostname), ", is of this machine alone."]
    : ["On a phone, open ", make("a", { href }, href), ". It gets a session of its own, as the key to this one is a cookie of this browser."];
  return [make("p", {}, link, ". Type in one, and both show it."), make("p", {}, ...phone)];
}

/** Lines to paste into a shell: they read the session, and do again what the page did last. */
export class Shell {
  #lines = make("code");
  element = make("pre", { tabIndex: 0, role: "group", "aria-label": "Lines for a shell" }, this.#lines);

  /**
   * @param {Location} location
   * @param {string} session the session's URL
   * @param {{ exchange: Exchange, value: any } | undefined} last the last request that changed something
   */
  show(location, session, last) {
    const { origin } = location;
    const read = line(origin, { method: "GET", session, path: "" });
    const again = last ? [line(origin, last.exchange, last.value)] : [];
    this.#lines.textContent = session ? [...jarLines(location), read, ...again].join("\n") : "# There is no session.";
  }
}
