// SPDX-License-Identifier: MIT
// One root of a page: the state of one session of a view model, and the part of the page that shows it.
import { Fields } from "./fields.js";
import { Follower } from "./following.js";
import { leave } from "./leaving.js";
import { Kept } from "./kept.js";
import { listen } from "./listening.js";
import { load } from "./loading.js";
import { isBelow } from "./paths.js";
import { Part } from "./part.js";
import { applyPatch } from "./patch.js";
import { Problems } from "./problems.js";
import { Queue } from "./queue.js";
import { Session } from "./requests.js";
import { Status } from "./status.js";
import { newer } from "./versions.js";
import { Waiting } from "./waiting.js";

/** @typedef {import("./types").Answer} Answer */
/** @typedef {import("./types").ConnectionState} ConnectionState */

export class Root {
  /**
   * The state; undefined before the first one.
   * @type {any}
   */
  tree;
  version = "";
  /**
   * The address of the state, of a view model that has one.
   * @type {string | undefined}
   */
  address;
  /**
   * The elements that stand for rows: what is in them is said by their template.
   * @type {WeakSet<Element>}
   */
  rows = new WeakSet();
  /** Whether the page began with a session. */
  isKnown = false;
  waiting = new Waiting();
  #listening = new AbortController();
  #kept;

  /** @param {HTMLElement} element with `data-vm-root` */
  constructor(element) {
    this.element = element;
    this.model = element.dataset.vmRoot ?? "";
    this.#kept = new Kept(this.model);
    this.problems = new Problems(this);
    this.session = new Session(this, this.#kept);
    this.queue = new Queue(this);
    this.fields = new Fields(this);
    this.follower = new Follower(this);
    this.status = new Status(this);
    // Until there is a state, what is bound says nothing: the page hides it.
    element.setAttribute("aria-busy", "true");
    this.part = new Part(this, element, [[]]);
    listen(this);
    this.fields.settle();
    this.status.become("connecting");
    this.isKnown = !!this.session.url;
    this.#kept.show(this);
    if (this.place !== undefined) load("address", ({ Address }) => new Address(this));
    this.follower.follow();
  }

  /** Ends what listens for the page. */
  get signal() {
    return this.#listening.signal;
  }

  /** The browser's address, if that is the view model's: a session is opened at it then. */
  get place() {
    const { pathname, search } = location;
    const { vmAt } = this.element.dataset;
    return isBelow(vmAt, pathname) ? pathname + search : undefined;
  }

  /** @type {ConnectionState} */
  get state() {
    return this.status.state;
  }

  /**
   * Dispatches `vm:NAME` on the document.
   * @param {string} name
   * @param {object} detail
   */
  tell(name, detail) {
    document.dispatchEvent(new CustomEvent("vm:" + name, { detail: { ...detail, model: this.model } }));
  }

  /**
   * Takes a frame if it fits (M1, M5). Answers the version that it leads to.
   * @param {Answer} frame
   * @returns {string}
   */
  take(frame) {
    const { from, to = /** @type {string} */ (frame.version), patch = [] } = frame;
    const base = frame.state !== undefined ? frame.state : from === this.version ? this.tree : undefined;
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
    this.part.update(true);
    this.fields.settle();
    if ("vmReady" in this.element.dataset) return;
    this.element.removeAttribute("aria-busy");
    this.element.dataset.vmReady = "";
  }

  /** The page is left, for good or not. */
  leave() {
    leave(this);
    this.#kept.keepState(this);
  }

  /** Ends all waits: there may be a connection again. */
  wake() {
    this.waiting.wake();
    this.session.restart();
  }

  /** Lets go of the page, and of the connection; the session goes on. */
  unmount() {
    this.leave();
    this.#listening.abort();
    this.follower.end();
    this.part.end();
    delete this.element.dataset.vmReady;
    this.wake();
  }
}
