// SPDX-License-Identifier: MIT
// A part of the page that comes and goes as one: a root, or a row of a list. The client scans it for attributes
// once, and renders it with each state. As the part goes, it lets go of everything.
import { evaluate, isOwn, parsePath, resolve } from "./paths.js";
import { refusedElement } from "./refusals.js";
import { DIRECTIVES } from "./directives/index.js";
import { planOf } from "./plan.js";
import { warnOf } from "./console.js";
import { camel } from "./values.js";
import { guarded } from "./watching.js";

/**
 * An attribute, as its directive gets it.
 * @typedef {object} Binding
 * @property {Part} part
 * @property {string} rest the text behind the directive in the attribute's name
 * @property {() => any} at the value of its path
 * @property {string[]} names its path from the state's root
 * @property {string[][]} scopes
 * @property {Record<string, () => any>} args the values of the element's `data-vm-arg-NAME`
 */

/**
 * A directive sets up an element, and returns its clean-up, if it needs one.
 * @typedef {(node: any, binding: Binding) => (() => void) | void} Directive
 */

export class Part {
  /**
   * The functions to call when the part's own object is another one.
   * @type {(() => void)[]}
   */
  #own = [];
  /**
   * Those to call with the next state: before the first one all, and then its own.
   * @type {(() => void)[]}
   */
  #due = [];
  /**
   * The functions to call as the part ends.
   * @type {(() => void)[]}
   */
  #cleanups = [];

  /**
   * @param {import("./root.js").Root} root
   * @param {Element} element
   * @param {string[][]} scopes
   * @param {Element} [source] the element of a template that it is a copy of
   */
  constructor(root, element, scopes, source = element) {
    this.root = root;
    this.scopes = scopes;
    const nodes = [element, ...element.querySelectorAll("*")];
    for (const { index, bindings } of planOf(source)) this.#setUp(nodes[index], bindings);
  }

  /**
   * Calls a function with each state in which a value may be another one: one of the part's own object with that
   * object, and any other when it has changed. Without names it is called with every state. Directives call this as they
   * are set up.
   * @param {() => void} update
   * @param {string[]} [names] the path of the value from the root
   */
  onState(update, names) {
    const { watching, tree } = this.root;
    this.#due.push(update);
    if (names && isOwn(names, this.scopes)) this.#own.push(update);
    else this.#cleanups.push(names ? watching.add(names, tree, update) : watching.addAlways(update));
  }

  /** Shows its own object, which is another one than before. */
  update() {
    const due = this.#due;
    this.#due = this.#own;
    due.forEach(guarded);
  }

  /** Lets go of all that its directives have set up. */
  end() {
    this.#cleanups.reverse().forEach((cleanup) => cleanup());
    this.#due = this.#own = this.#cleanups = [];
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
   * Sets up the attributes of an element.
   * @param {Element} node
   * @param {import("./plan.js").Planned[]} bindings
   */
  #setUp(node, bindings) {
    const { scopes } = this;
    /** @type {Record<string, () => any>} */
    const args = {};
    for (const { name, kind, rest, text } of bindings) {
      try {
        const at = this.reader(text);
        if (kind === "arg") {
          args[camel(rest)] = at;
          continue;
        }
        if (refusedElement(node.localName)) throw Error("refused, as it could run code");
        const cleanup = DIRECTIVES[kind](node, { part: this, rest, at, names: resolve(parsePath(text), scopes), scopes, args });
        if (cleanup) this.#cleanups.push(cleanup);
      } catch (error) {
        // A faulty attribute does nothing, and hinders no other.
        warnOf(this.root, node, name, /** @type {Error} */ (error));
      }
    }
  }
}
