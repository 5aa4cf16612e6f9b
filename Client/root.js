// SPDX-License-Identifier: MIT
// One root of a page: the state of one session of a view model, and the part of the page that shows it.
import { Address, here } from "./addressing/address.js";
import { Fields } from "./fields.js";
import { follow } from "./following.js";
import { keyOf, showKept } from "./kept.js";
import { listen } from "./listening.js";
import { isBelow } from "./paths.js";
import { Part } from "./part.js";
import { applyPatch } from "./patch.js";
import { Queue } from "./queue.js";
import { Session } from "./requests.js";
import { settle } from "./settling.js";
import { Status } from "./status.js";
import { share } from "./values.js";
import { newer } from "./versions.js";
import { Waiting } from "./waiting.js";
import { Watching } from "./watching.js";

/** @typedef {import("./types").Answer} Answer */
/** @typedef {import("./types").ConnectionState} ConnectionState */

export class Root {
  /**
   * The state; undefined before the first one.
   * @type {any}
   */
  tree;
  version = "";
  /** @type {string | undefined} undefined where the view model has none */
  address;
  /** The facts that a new session learns about its client. */
  client = { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone };
  /**
   * The wait for a person who is to open a session: undefined where one is opened at once.
   * @type {Promise<void> | undefined}
   */
  again;
  /** @type {boolean | undefined} whether the console helps with this root */
  isDeveloped;
  /** @type {boolean | undefined} whether an action was answered since the last news: it may have signed the user in or out */
  hasActed;
  /**
   * The conflicts of values, once they are loaded for a page with a `data-vm-conflict` (conflicts/).
   * @type {any}
   */
  conflicts;
  waiting = new Waiting();
  watching = new Watching();
  /** Ends the listeners for the page's events when it is aborted. */
  listening = new AbortController();
  signal = this.listening.signal;

  /** @param {HTMLElement} element with `data-vm-root` */
  constructor(element) {
    this.element = element;
    this.model = /** @type {string} */ (element.dataset.vmRoot);
    this.key = keyOf(element);
    this.session = new Session(this);
    this.queue = new Queue(this);
    this.fields = new Fields(this);
    this.status = new Status(this);
    // Until there is a state, bound elements say nothing: the page hides them.
    element.setAttribute("aria-busy", "true");
    this.part = new Part(this, element, [[]]);
    listen(this);
    settle(this.fields);
    showKept(this);
    if (this.place !== undefined) new Address(this);
    follow(this);
  }

  /**
   * The elements that have an attribute.
   * @param {string} name of the attribute, without its `data-vm-`
   */
  all = (name) => /** @type {HTMLElement[]} */ ([...this.element.querySelectorAll(`[data-vm-${name}]`)]);

  /** The browser's address, if it belongs to the view model: then a session is opened at it. */
  get place() {
    return isBelow(this.element.dataset.vmAt, location.pathname) ? here() : undefined;
  }

  /**
   * Dispatches `vm:NAME` on the document.
   * @param {string} name
   * @param {object} detail
   */
  tell(name, detail) {
    document.dispatchEvent(new CustomEvent("vm:" + name, { detail: { ...detail, model: this.model, root: this.element } }));
  }

  /**
   * Takes a frame if it fits (M1, M5). Answers the version that it leads to.
   * @param {Answer} frame
   * @returns {string}
   */
  take(frame) {
    const { from, to = /** @type {string} */ (frame.version), patch = [] } = frame;
    const base = frame.state !== undefined ? share(frame.state, this.tree) : from === this.version ? this.tree : undefined;
    try {
      if (base !== undefined && newer(to, this.version, frame.held)) {
        this.tree = applyPatch(base, patch);
        this.version = to;
        this.address = frame.address ?? this.address;
        this.tell("frame", { ...frame, to });
      }
    } catch {
      // A gap, or a patch that does not fit, leads to one snapshot.
      this.version = "";
      this.session.restart();
    }
    this.render();
    return to;
  }

  /** Shows the state. */
  render() {
    if (this.tree === undefined || this.signal.aborted) return;
    this.part.update(this.tree);
    this.watching.update(this.tree);
    settle(this.fields);
    if ("vmReady" in this.element.dataset) return;
    this.element.removeAttribute("aria-busy");
    this.element.dataset.vmReady = "";
  }

  /** Takes note that an action was answered: a poll that the server let go for it may come again. */
  acted() {
    this.status.clearRefused();
    this.hasActed = true;
    this.waiting.wake();
  }

  /**
   * Ends the waits: there may be a connection again, or a person wants it.
   * @param {boolean} [isPress]
   */
  wake(isPress) {
    this.waiting.wake(isPress);
    this.session.restart();
  }
}
