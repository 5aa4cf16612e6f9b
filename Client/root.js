// SPDX-License-Identifier: MIT
// One root of a page: the state of one session of a view model, and the part of the page that shows it.
import { Fields } from "./fields.js";
import { Follower } from "./following.js";
import { leave } from "./leaving.js";
import { Kept } from "./kept.js";
import { load } from "./loading.js";
import { Part } from "./part.js";
import { applyPatch } from "./patch.js";
import { Queue } from "./queue.js";
import { Session } from "./requests.js";
import { Status } from "./status.js";
import { newer } from "./versions.js";
import { Waiting } from "./waiting.js";

/** @typedef {import("./types").Answer} Answer */
/** @typedef {import("./types").Problem} Problem */
/** @typedef {import("./types").ConnectionState} ConnectionState */

const HOUR = 3_600_000;

/** A hidden page keeps its poll for so long, as a look at another tab is short. */
const HIDDEN = 5_000;

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
   * Whether the page began with a session.
   */
  isKnown = false;
  waiting = new Waiting();
  #listening = new AbortController();
  #kept;
  /** When the console may be warned again. */
  #mayWarn = 0;
  #isDeveloped = false;

  /** @param {HTMLElement} element with `data-vm-root` */
  constructor(element) {
    this.element = element;
    this.model = element.dataset.vmRoot ?? "";
    this.#kept = new Kept(this.model);
    this.session = new Session(this, this.#kept);
    this.queue = new Queue(this);
    this.fields = new Fields(this);
    this.follower = new Follower(this);
    this.status = new Status(this);
    // Until there is a state, what is bound says nothing: the page hides it.
    element.setAttribute("aria-busy", "true");
    this.part = new Part(this, element, [[]]);
    this.#listen();
    this.fields.settle();
    this.become("connecting");
    this.isKnown = !!this.session.url;
    this.#showKept();
    if (this.place !== undefined) load("address", ({ Address }) => new Address(this));
    this.follower.follow();
  }

  /** Ends what listens for the page. */
  get signal() {
    return this.#listening.signal;
  }

  /** Where the page lies, if its address is the view model's: a session is opened at the browser's address then. */
  get place() {
    return this.element.dataset.vmAt;
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
   * Says the connection's state.
   * @param {ConnectionState} next
   * @param {Problem} [problem] its cause
   */
  become(next, problem) {
    this.status.become(next, problem);
  }

  /** A loss is shown until the next edit, or the next action of a person. */
  heed() {
    this.status.heed();
  }

  /**
   * Tells of a request that was refused, or of an action that cannot be sent.
   * @param {Problem} problem
   * @param {import("./types").Request} [item]
   */
  refuse(problem, item) {
    this.tell("error", problem);
    if (Date.now() >= this.#mayWarn) {
      this.#mayWarn = Date.now() + HOUR;
      console.warn(`Euripus: ${this.model}: ${problem.detail ?? problem.title ?? problem.type}`);
    }
    if (item) this.status.showRefused(problem, item);
  }

  /**
   * Tells of an attribute that cannot be: it does nothing, and hinders no other.
   * @param {Element} node
   * @param {string} name
   * @param {string} value
   * @param {Error} error
   */
  complain(node, name, value, error) {
    reportError(Error(`${name}="${value}" on <${node.localName}>: ${error.message}`));
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
        this.tell("frame", frame);
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
    if (this.tree === undefined) return;
    this.part.update(true);
    this.fields.settle();
    if ("vmReady" in this.element.dataset) return;
    this.element.removeAttribute("aria-busy");
    this.element.dataset.vmReady = "";
  }

  /** After a reload: shows what this tab showed last, from whose version the page goes on. */
  #showKept() {
    const { tree, version, address } = this.#kept.state();
    if (tree === undefined || version === undefined) return;
    [this.tree, this.version, this.address] = [tree, version, address];
    this.render();
  }

  /** As the page is left. */
  #leave() {
    leave(this);
    const { tree, version, address, session } = this;
    if (session.url && version) this.#kept.keepState({ url: session.url, version, tree, address });
  }

  /** Forgets the session: a new one gets what was edited. */
  expire() {
    this.version = "";
    this.session.keep("");
    this.queue.drop();
    this.fields.flush();
    this.queue.forget();
    this.session.number = 0;
    this.status.isLost = true;
    this.fields.startAnew();
    this.wake();
  }

  /** Ends all waits: there may be a connection again. */
  wake() {
    this.waiting.wake();
    this.session.restart();
  }

  /** Lets go of the page, and of the connection; the session goes on. */
  unmount() {
    this.#leave();
    this.#listening.abort();
    this.follower.end();
    this.part.end();
    this.wake();
  }

  /** The server is one in development: the console helps. */
  develop() {
    if (this.#isDeveloped) return;
    this.#isDeveloped = true;
    load("develop", ({ Developer }) => new Developer(this));
  }

  /** Events are the window's, captured: an element that goes needs no farewell. */
  #listen() {
    /** @type {Record<string, (event: any) => void>} */
    const heard = {
      input: () => this.fields.settle(),
      blur: () => this.fields.settle(),
      compositionstart: ({ target }) => (this.fields.composing = target),
      compositionend: () => {
        this.fields.composing = undefined;
        this.fields.settle();
      },
      scroll: () => this.render(),
      resize: () => this.render(),
      online: () => this.wake(),
      offline: () => this.session.restart(),
      pagehide: () => this.#leave(),
      visibilitychange: () => {
        this.fields.flush();
        this.render();
        if (document.hidden) setTimeout(() => document.hidden && this.session.restart(), HIDDEN);
        else this.wake();
      },
    };
    for (const name in heard) addEventListener(name, heard[name], { capture: true, signal: this.#listening.signal });
  }
}
