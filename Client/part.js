// SPDX-License-Identifier: MIT
// A part of the page that comes and goes as one: a root, or a row of a list. The client scans it for attributes
// once, and renders it with each state. As the part goes, it lets go of everything.
import { evaluate, parsePath, resolve } from "./paths.js";
import { load } from "./loading.js";
import { refusedElement } from "./refusals.js";
import { camel } from "./values.js";
import { DIRECTIVES } from "./directives/index.js";

/** The elements whose subtrees do not belong to this root. */
const FOREIGN = "[data-vm-permanent],[data-vm-root]";

/**
 * An attribute, as its directive gets it.
 * @typedef {object} Binding
 * @property {Part} part
 * @property {string} rest the text behind the directive in the attribute's name
 * @property {() => any} at the value of its path
 * @property {string[]} names its path from the state's root
 * @property {string[][]} scopes
 * @property {Record<string, () => any>} args the values of the element's `data-vm-arg-NAME`
 * @property {{ url?: string, value: any }} [first] for a directive that was loaded later, the value with which
 *   the session of that URL began
 * @property {(value?: any) => boolean} [act] for a sign of the device, performs the action
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
   * Calls a function with each state. The function learns whether the part's own object is another one than before.
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
   * Sets up the attributes of an element and of all below it: children first, so that a window finds its rows
   * and a choice its options.
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
        // A faulty attribute does nothing, and hinders no other.
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
    if (refusedElement(node.localName)) throw Error("refused, as it could run code");
    const names = resolve(parsePath(text), this.scopes);
    this.cleanups?.push(directive(node, { part: this, rest, at: this.reader(text), names, scopes: this.scopes, args }));
  }
}
