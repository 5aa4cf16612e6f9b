// SPDX-License-Identifier: MIT
// The drawer that shows the wire: a custom element, which `wire.js` loads and puts at the end of the page's body. A button
// opens and closes it. Its style is its own, by a shadow tree: the page's rules do not reach into it, and its not out of it.
import { Contents } from "./contents.js";
import { make } from "./make.js";

/** The client, which the page has loaded, and the drawer's style. Both lie beside this file. */
const CLIENT = new URL("./euripus.js", import.meta.url).href;
const STYLE = new URL("./euripus-wire.css", import.meta.url).href;

/** The item of the reader's storage that says whether a drawer with a column of its own is closed. */
const KEY = "euripus-wire";

export class Wire extends HTMLElement {
  #contents;
  // Both are hidden until their style is there.
  #button = make("button", { type: "button", className: "handle", hidden: true });
  #panel = make("aside", { hidden: true, "aria-label": "Traffic" });
  #style = make("link", { rel: "stylesheet", href: STYLE });
  /**
   * Whether the page keeps a column free for the drawer.
   * @type {boolean | undefined}
   */
  #hasColumn;

  /**
   * Makes the drawer of a page. It stays as long as the page does.
   * @param {Contents} contents
   */
  constructor(contents) {
    super();
    this.#contents = contents;
    contents.begin();
    this.#panel.append(make("h2", {}, "Traffic"), contents.element);
    this.#style.addEventListener("load", () => {
      this.#button.hidden = false;
      this.#place();
    });
    this.attachShadow({ mode: "open" }).append(this.#style, this.#button, this.#panel);
    this.#button.addEventListener("click", () => {
      this.#open(this.#panel.hidden);
      if (this.#hasColumn) localStorage[KEY] = this.#panel.hidden ? "closed" : "open";
    });
    window.addEventListener("resize", () => this.#place());
    document.addEventListener("focusin", (event) => this.#giveWay(event));
  }

  /** Opens the drawer where the page has a column for it, unless its reader has closed it. Elsewhere it lies over the page. */
  #place() {
    const hasColumn = getComputedStyle(this).getPropertyValue("--wire") !== "";
    if (this.#button.hidden || hasColumn === this.#hasColumn) return;
    this.#hasColumn = hasColumn;
    this.#open(hasColumn && localStorage[KEY] !== "closed");
  }

  /**
   * Closes the drawer where the focus goes to something that lies behind it.
   * @param {FocusEvent} event
   */
  #giveWay({ target }) {
    if (target === this || !(target instanceof Element) || this.#panel.hidden) return;
    if (target.getBoundingClientRect().right > this.#panel.getBoundingClientRect().left) this.#open(false);
  }

  /** @param {boolean} isOpen */
  #open(isOpen) {
    this.#panel.hidden = !isOpen;
    this.#button.classList.toggle("open", isOpen);
    this.#button.textContent = isOpen ? "Hide the traffic" : "Show the traffic";
    this.#contents.see(isOpen);
  }
}

customElements.define("euripus-wire", Wire);

/**
 * Puts the drawer of a page at the end of its body.
 * @param {HTMLElement} page the element with `data-vm-wire`
 * @param {import("./traffic.js").Traffic} traffic
 */
export async function show(page, traffic) {
  const { root } = await import(CLIENT);
  const contents = new Contents(traffic, (element) => root(element)?.state, page.dataset.vmWire ?? "");
  document.body.append(new Wire(contents));
}
