// SPDX-License-Identifier: MIT
// The drawer's contents: the exchanges, the states, the source, and the ways from elsewhere.
import { secondView, Shell } from "./elsewhere.js";
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
  #shell = new Shell();
  #source = new Source();
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
    const states = [...this.#trees].map(([{ dataset }, { element }]) => part(`State of ${dataset.vmRoot}`, true, element));
    this.element.append(
      part("Requests and answers", true, this.#exchanges.element),
      ...states,
      ...(source ? [part("The view model in Swift", true, this.#source.element)] : []),
      part("A second view", true, ...secondView(location)),
      part("The same with curl", true, this.#shell.element),
    );
    if (source) this.#source.load(source);
  }

  /**
   * Draws what has come, now and from now on.
   * @param {AbortSignal} signal ends that
   */
  begin(signal) {
    this.#traffic.addEventListener("exchange", () => this.#draw(), { signal });
    document.addEventListener("vm:frame", (event) => this.#takeFrame(/** @type {CustomEvent} */ (event).detail), { signal });
  }

  /** @param {boolean} isSeen */
  see(isSeen) {
    this.#isSeen = isSeen;
    this.#draw();
  }

  /** @param {Told} frame */
  #takeFrame(frame) {
    this.#version = frame.to;
    this.#secrets.note(frame);
    this.#draw();
  }

  #draw() {
    if (!this.#isSeen) return;
    const changed = [...this.#trees].flatMap(([root, tree]) => this.#drawState(tree, this.#stateOf(root)));
    if (changed.length) this.#source.light(changed);
    const { exchanges } = this.#traffic;
    this.#exchanges.show(exchanges, this.#version);
    const last = exchanges.filter(({ path, method }) => path && method !== "GET").at(-1);
    this.#shell.show(location, sessionOf(exchanges), last && { exchange: last, value: this.#secrets.sent(last) });
  }

  /**
   * @param {Tree} tree
   * @param {any} state
   */
  #drawState(tree, state) {
    // A page that has lost its state has signed somebody out: nothing of theirs stays here either.
    if (state === undefined && tree.element.firstChild) this.#traffic.forget();
    return tree.show(this.#secrets.shown(state ?? {}));
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
