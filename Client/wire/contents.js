// SPDX-License-Identifier: MIT
// The drawer's contents: the exchanges, the states, the source, and the ways from elsewhere.
import { SecondView, Shell } from "./elsewhere.js";
import { Exchanges } from "./exchanges.js";
import { parse } from "./json.js";
import { make, part } from "./make.js";
import { Secrets } from "./secrets.js";
import { Source } from "./source.js";
import { Tree } from "./tree.js";

/** @typedef {import("./traffic.js").Exchange} Exchange */
/** @typedef {{ to: string } & import("./secrets.js").Frame} Told a frame, as `vm:frame` tells of it */

export class Contents {
  element = make("div", { className: "parts" });
  #traffic;
  #stateOf;
  #secrets = new Secrets(document);
  #exchanges = new Exchanges(this.#secrets);
  #second = new SecondView(location);
  #shell = new Shell();
  /**
   * The view model's source, where the page names it.
   * @type {Source | undefined}
   */
  #source;
  /**
   * The tree of each root's state.
   * @type {Map<HTMLElement, Tree>}
   */
  #trees = new Map();
  /**
   * The version that came last.
   * @type {string | undefined}
   */
  #version;
  /**
   * The roots that have a state.
   * @type {HTMLElement[]}
   */
  #live = [];
  /** Whether a person sees the contents: nothing is drawn for nobody. */
  #isSeen = false;

  /**
   * @param {import("./traffic.js").Traffic} traffic
   * @param {(root: Element) => any} stateOf gives the present state of a root
   * @param {string} source the address of the view model's source; empty for none
   */
  constructor(traffic, stateOf, source) {
    this.#traffic = traffic;
    this.#stateOf = stateOf;
    for (const root of document.querySelectorAll("[data-vm-root]")) this.#trees.set(/** @type {HTMLElement} */ (root), new Tree());
    for (const root of this.#trees.keys()) this.#secrets.note({ state: stateOf(root) });
    if (source) this.#source = new Source(source);
  }

  /** Makes the parts. That waits until a person sees them. */
  #build() {
    const states = [...this.#trees].map(([{ dataset }, { element }]) => part(`State of ${dataset.vmRoot}`, true, element));
    this.element.append(
      part("Requests and answers", true, this.#exchanges.element),
      ...states,
      ...(this.#source ? [part("The view model in Swift", true, this.#source.element)] : []),
      part("A second view", true, this.#second.element),
      part("The same with curl", true, this.#shell.element, this.#shell.copy),
    );
  }

  /** Draws what comes from now on. */
  begin() {
    this.#traffic.addEventListener("exchange", () => this.#draw());
    document.addEventListener("vm:frame", (event) => this.#takeFrame(/** @type {CustomEvent} */ (event).detail));
  }

  /** @param {boolean} isSeen */
  see(isSeen) {
    this.#isSeen = isSeen;
    if (isSeen && !this.element.firstChild) this.#build();
    if (isSeen) this.#source?.load();
    this.#draw();
  }

  /** @param {Told} frame */
  #takeFrame(frame) {
    this.#version = frame.to;
    this.#secrets.note(frame);
    this.#draw();
  }

  #draw() {
    const hasForgotten = this.#forget();
    // A drawer that was closed still has what was drawn in it before.
    if (!this.#isSeen && !hasForgotten) return;
    const changed = [...this.#trees].flatMap(([root, tree]) => tree.show(this.#secrets.shown(this.#stateOf(root) ?? {})));
    if (changed.length) this.#source?.light(changed);
    const { exchanges } = this.#traffic;
    this.#exchanges.show(exchanges, this.#version);
    this.#second.show(location);
    const last = exchanges.filter(({ path, method }) => path && method !== "GET").at(-1);
    this.#shell.show(location, sessionOf(exchanges), last && { exchange: last, value: this.#secrets.sent(last) });
  }

  /**
   * Forgets the exchanges where a page has lost a state: somebody has signed out, and nothing of theirs stays. Answers
   * whether it has.
   */
  #forget() {
    const live = [...this.#trees.keys()].filter((root) => this.#stateOf(root) !== undefined);
    const isLost = this.#live.some((root) => !live.includes(root));
    if (isLost) {
      this.#traffic.forget();
      this.#secrets.forget();
      for (const root of live) this.#secrets.note({ state: this.#stateOf(root) });
    }
    this.#live = live;
    return isLost;
  }
}

/**
 * The URL of the session that was reached last.
 * @param {Exchange[]} exchanges
 */
function sessionOf(exchanges) {
  const urls = exchanges.map(({ session, path, received = "" }) => (path ? session : parse(received)?.url));
  return urls.filter(Boolean).at(-1) ?? "";
}
