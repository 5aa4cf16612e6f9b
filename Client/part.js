// SPDX-License-Identifier: MIT
// A part of the page that lives and goes as one: a root, or a row of a list. It is scanned for attributes once, rendered with each state, and
// lets go of everything as it goes.
import { evaluate, parsePath, resolve } from "./paths.js";
import { load } from "./loading.js";
import { camel } from "./values.js";
import { DIRECTIVES } from "./directives/index.js";

/** Subtrees that are none of this root's. */
const FOREIGN = "[data-vm-permanent],[data-vm-root]";

/**
 * An attribute, as its directive gets it.
 * @typedef {object} Binding
 * @property {Part} part
 * @property {string} rest the text behind the directive in the attribute's name
 * @property {() => any} at the value of its path
 * @property {string[]} names its path from the state's root
 * @property {string[][]} scopes
 * @property {Record<string, () => any>} args those of the element's `data-vm-arg-NAME`
 * @property {{ url?: string, value: any }} [first] the value as the session of that URL began, of a directive that was loaded since
 * @property {(value?: any) => boolean} [act] performs the action, of one that is performed by a sign of the device
 */

/**
 * A directive sets up an element, and returns its clean-up, if it needs one.
 * @typedef {(node: any, binding: Binding) => (() => void) | void} Directive
 */

export class Part {
  /** @type {((isFresh: boolean) => void)[]} */
  #updates = [];
  /**
   * The functions to call as the part ends; undefined once it has.
   * @type {((() => void) | void)[] | undefined}
   */
  cleanups = [];
  /** Whether all its attributes are set up. */
  #isWhole = false;

  /**
   * @param {import("./root.js").Root} root
   * @param {Element} element
   * @param {string[][]} scopes
   */
  constructor(root, element, scopes) {
    this.root = root;
    this.scopes = scopes;
    this.#scan(element);
    this.#isWhole = true;
  }

  /**
   * Has a function called with each state. It is told whether the part's own object is another one than before.
   * @param {(isFresh: boolean) => void} update
   * @returns {() => void} a function that ends it
   */
  onState(update) {
    this.#updates.push(update);
    if (this.root.tree !== undefined && this.#isWhole) update(true);
    return () => void (this.#updates = this.#updates.filter((each) => each !== update));
  }

  /** @param {boolean} isFresh */
  update(isFresh) {
    for (const update of this.#updates) {
      try {
        update(isFresh);
      } catch (error) {
        reportError(error);
      }
    }
  }

  /** Lets go of all that its directives have set up. */
  end() {
    this.cleanups?.reverse().forEach((cleanup) => cleanup?.());
    this.#updates = [];
    this.cleanups = undefined;
  }

  /**
   * A function that reads the value which an attribute names by a path, or by `=` and a text.
   * @param {string} text
   * @returns {() => any}
   */
  reader(text) {
    if (text[0] === "=") return () => text.slice(1);
    const path = parsePath(text);
    return () => evaluate(path, this.root.tree, this.scopes);
  }

  /**
   * Children first, so that a window finds its rows and a choice its options.
   * @param {Element} node
   */
  #scan(node) {
    for (const child of node.children) if (!child.matches(FOREIGN)) this.#scan(child);
    /** @type {Record<string, () => any>} */
    const args = {};
    for (const { name, value } of node.attributes) {
      const [, kind = "", rest = ""] = /^data-vm-([a-z]+)-?(.*)$/.exec(name) ?? [];
      try {
        if (kind === "arg") args[camel(rest)] = this.reader(value);
        if (Object.hasOwn(DIRECTIVES, kind)) this.#bind(node, DIRECTIVES[kind], rest, value, args);
      } catch (error) {
        // One that cannot be does nothing, and hinders no other.
        load("warning", ({ warnOf }) => warnOf(this.root, node, name, error));
      }
    }
  }

  /**
   * @param {Element} node
   * @param {Directive} directive
   * @param {string} rest
   * @param {string} text
   * @param {Record<string, () => any>} args
   */
  #bind(node, directive, rest, text, args) {
    const names = resolve(parsePath(text), this.scopes);
    this.cleanups?.push(directive(node, { part: this, rest, at: this.reader(text), names, scopes: this.scopes, args }));
  }
}
