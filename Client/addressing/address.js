// SPDX-License-Identifier: MIT
// The address is a part of the state, and the browser's address follows it. Back, forward and links each are
// one change of it on the server (CLIENT.md, "The address").
import { Scrolling } from "./scrolling.js";
import { hear } from "../listening.js";
import { isBelow } from "../paths.js";
import { SET_ADDRESS } from "../targets.js";
import { LOOK } from "../times.js";

/** Whether the browser has reloaded the page, and not gone to it. */
const isReload = () => /** @type {any} */ (performance.getEntriesByType("navigation")[0]).type === "reload";

/** The browser's address: the path of its URL, and the query. */
export const here = () => location.pathname + location.search;

export class Address {
  #root;
  #at;
  /** The path of the page that was shown last, to know a new page by. */
  #path = location.pathname;
  /** The number of changes of the address that are on their way. The last of them shows the new address. */
  #going = 0;
  #scrolling = new Scrolling();

  /** @param {import("../root.js").Root} root with `data-vm-at` */
  constructor(root) {
    this.#root = root;
    this.#at = root.element.dataset.vmAt ?? "/";
    const { signal } = root;
    hear(["popstate"], () => this.#pop(), signal);
    document.addEventListener("click", (event) => this.#click(event), { signal });
    hear(["vm:frame"], (event) => this.#take(event.detail), signal);
    hear(["pagehide"], () => this.#scrolling.keep(), signal);
    // A person wants to be at an address that they typed or followed; a reload goes on where the session is.
    if (root.session.url && !isReload() && here() !== root.address) this.#go(here(), false);
    else this.#sync(false);
  }

  /**
   * Takes the address of a frame. A state that does not go on from the epoch of the page has no past, so it
   * adds no step to the history.
   * @param {any} frame
   */
  #take({ root, address, history, from, held, ...more }) {
    const isStep = !!from && from.split(".")[0] === held.split(".")[0] && history !== "replace";
    if (root !== this.#root.element || address === undefined) return;
    // The focus is the person's. It moves for an address that this page has asked for, and not for an address
    // of another window.
    const isOwn = "result" in more || this.#root.queue.items.length > 0;
    // While a change of the address is on its way, the page does not go to the address of an older state.
    queueMicrotask(() => this.#going || this.#sync(isStep, isOwn));
  }

  /**
   * Makes the browser's address that of the state.
   * @param {boolean} isNew whether that is a new entry of the history
   * @param {boolean} [isOwn] whether this page has asked for it
   */
  #sync(isNew, isOwn = true) {
    const { address } = this.#root;
    if (address === undefined) return;
    if (address !== here()) {
      if (isNew) this.#scrolling.push(address, isOwn && address.split("?")[0] !== location.pathname);
      else history.replaceState(history.state, "", address + location.hash);
      // The title waits for the address.
      this.#root.render();
    }
    this.#arrive(isOwn);
  }

  /**
   * Arrives at another page: its heading gets the focus, and is announced.
   * @param {boolean} isOwn
   */
  #arrive(isOwn) {
    if (location.pathname === this.#path) return;
    this.#path = location.pathname;
    const headings = this.#root.all("heading");
    const heading = headings.filter((each) => each.getClientRects().length).at(-1);
    if (!heading) return;
    heading.tabIndex = -1;
    // A person who types keeps the focus.
    if (isOwn && !document.activeElement?.matches("input,textarea,select,[contenteditable]")) heading.focus({ preventScroll: true });
    for (const node of document.querySelectorAll("[data-vm-announce]:not(script, style)")) node.textContent = heading.textContent;
  }

  /**
   * Asks the server for an address. Gives whether the view model has taken it, or may still take it.
   * @param {string} address
   * @param {boolean} isNew
   */
  async #go(address, isNew) {
    const { fields, queue, waiting } = this.#root;
    this.#going++;
    try {
      // A person who composes text is not disturbed.
      while (fields.composing?.isConnected) await waiting.sleep(LOOK);
      // The edits so far belong to the page that is left.
      fields.flush();
      await queue.ask({ what: SET_ADDRESS, value: address });
    } catch (problem) {
      return !(/** @type {import("../types").Problem} */ (problem).status);
    } finally {
      this.#going--;
    }
    // The view model has another address than the link: the browser follows it as any link.
    if (isNew && this.#root.address !== address) return false;
    if (!this.#going) this.#sync(isNew);
    return true;
  }

  /** Follows back and forward: the browser is at the address already. */
  async #pop() {
    const asked = here();
    // While a change is on its way, the page does not show the entry that is left, so its position does not count.
    if (!this.#going) this.#scrolling.remember();
    this.#scrolling.arrive();
    const isThere = asked === this.#root.address && !this.#going;
    if (!isThere && !(await this.#go(asked, false))) this.#sync(false);
    if (asked === here()) this.#scrolling.restore();
  }

  /** @param {MouseEvent} event */
  async #click(event) {
    const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest("a[href]"));
    if (!link || event.defaultPrevented || event.button || !this.#isOwn(link)) return;
    // The browser follows such a click as on any link: in another tab or window, or as a download.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    // Without a session and a connection the server cannot take the address.
    if (this.#root.status.state !== "live") return;
    event.preventDefault();
    if (!(await this.#go(link.pathname + link.search, true))) location.assign(link.href);
  }

  /**
   * Whether a link leads to an address of the view model, and asks for nothing else. The browser follows a link
   * with a hash.
   * @param {HTMLAnchorElement} link
   */
  #isOwn(link) {
    const { origin, pathname, hash, target, rel } = link;
    return !hash && origin === location.origin && isBelow(this.#at, pathname) && (!target || target === "_self") && !link.hasAttribute("download") && !/\bexternal\b/.test(rel);
  }
}
