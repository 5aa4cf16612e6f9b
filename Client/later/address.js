// SPDX-License-Identifier: MIT
// The address is state: the browser's follows that of the state, and back, forward and links are one change of it on the server
// (CLIENT.md, "The address").

import { isBelow } from "../paths.js";

const SET = "PUT /address";

const here = () => location.pathname + location.search;

export class Address {
  #root;
  #at;
  /** The path that was shown last, to know a new page by. */
  #path = location.pathname;
  /**
   * Where the page was scrolled to, by the number of its history's entry.
   * @type {Record<number, number>}
   */
  #scrolls = {};

  /** @param {import("../root.js").Root} root with `data-vm-at` */
  constructor(root) {
    this.#root = root;
    this.#at = root.element.dataset.vmAt ?? "/";
    history.scrollRestoration = "manual";
    const { signal } = root;
    addEventListener("popstate", () => this.#pop(), { signal });
    document.addEventListener("click", (event) => this.#click(event), { signal });
    document.addEventListener("vm:frame", (event) => this.#take(/** @type {CustomEvent} */ (event).detail), { signal });
    addEventListener("scroll", () => (this.#scrolls[this.#entry] = scrollY), { signal });
    const [{ type }] = /** @type {any} */ (performance.getEntriesByType("navigation"));
    // What was typed or linked to is where the person wants to be; a reload goes on where the session is.
    if (root.isKnown && type !== "reload" && here() !== root.address) this.#go(here(), false);
    else this.#sync(false);
  }

  /** The number of the history's entry that is shown. */
  get #entry() {
    return history.state?.euripus ?? 0;
  }

  /**
   * Of a state without a past, as of another epoch, there is no step to go back to.
   * @param {any} frame
   */
  #take({ model, address, history, from, held }) {
    const isStep = !!from && from.split(".")[0] === held.split(".")[0] && history !== "replace";
    if (model === this.#root.model && address !== undefined) queueMicrotask(() => this.#sync(isStep));
  }

  /**
   * Has the browser's address be the state's.
   * @param {boolean} isNew whether that is a new entry of the history
   */
  #sync(isNew) {
    const { address, queue } = this.#root;
    // While a person is on the way elsewhere, what the state was before is no place to go to.
    if (address === undefined || queue.has(({ what }) => what === SET)) return;
    if (address !== here()) {
      if (isNew) history.pushState({ euripus: this.#entry + 1 }, "", address);
      else history.replaceState(history.state, "", address + location.hash);
      if (isNew) scrollTo(0, 0);
    }
    this.#arrive();
  }

  /** Of another page: its heading has the focus, and is announced. */
  #arrive() {
    if (location.pathname === this.#path) return;
    this.#path = location.pathname;
    const headings = [.../** @type {NodeListOf<HTMLElement>} */ (this.#root.element.querySelectorAll("[data-vm-heading]"))];
    const heading = headings.filter((each) => each.getClientRects().length).at(-1);
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    for (const node of document.querySelectorAll("[data-vm-announce]")) node.textContent = heading.textContent;
  }

  /**
   * Asks for an address. Gives whether the view model took it.
   * @param {string} address
   * @param {boolean} isNew
   */
  async #go(address, isNew) {
    try {
      await new Promise((resolve, reject) => this.#root.queue.add({ what: SET, value: address, waiters: [{ resolve, reject }] }));
    } catch {
      return false;
    }
    this.#sync(isNew);
    return true;
  }

  /** Back and forward: the browser is there already. */
  async #pop() {
    const entry = this.#entry;
    if (here() === this.#root.address) return;
    const isTaken = await this.#go(here(), false);
    if (!isTaken) this.#sync(false);
    if (entry === this.#entry) scrollTo(0, this.#scrolls[entry] ?? 0);
  }

  /** @param {MouseEvent} event */
  async #click(event) {
    const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest("a[href]"));
    if (!link || event.defaultPrevented || event.button || !this.#isOwn(link)) return;
    // As any link: in another tab or window, as a download.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (!(await this.#go(link.pathname + link.search, true))) location.assign(link.href);
  }

  /** @param {HTMLAnchorElement} link */
  #isOwn({ origin, pathname, target, rel, download }) {
    return origin === location.origin && isBelow(this.#at, pathname) && !/^(?!_self$)./.test(target) && !/\bexternal\b/.test(rel) && !download;
  }
}
