// SPDX-License-Identifier: MIT
// A part of the page that comes and goes as one: a root, or a row of a list. The client scans it for attributes
// once, and renders it with each state. As the part goes, it lets go of everything.
import { evaluate, isOwn, parsePath, resolve } from "./paths.js";
import { refusedElement } from "./refusals.js";
import { DIRECTIVES } from "./directives/index.js";
import { planOf, scan } from "./plan.js";
import { warnOf } from "./console.js";
import { camel } from "./values.js";
import { guarded } from "./watching.js";

/**
 * An attribute, as its directive gets it.
 * @typedef {object} Binding
 * @property {Part} part
 * @property {string} kind the directive's name
 * @property {string} rest the text behind the directive in the attribute's name
 * @property {string} text its own text, a path
 * @property {() => any} at the value of its path
 * @property {string[]} names its path from the state's root
 * @property {Record<string, string>} args the texts of the element's `data-vm-arg-NAME`
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
   * Its own object: the state, or the row's part of it.
   * @type {any}
   */
  object;

  /**
   * @param {import("./root.js").Root} root
   * @param {Element} element
   * @param {string[][]} scopes
   * @param {Element} [source] the element of a template that a row is a copy of
   */
  constructor(root, element, scopes, source) {
    this.root = root;
    this.element = element;
    this.scopes = scopes;
    this.source = source;
    const nodes = [element, ...element.querySelectorAll("*")];
    // The elements of a root change while it is not mounted, and those of a template do not.
    for (const step of source ? planOf(source) : scan(element)) this.#setUp(nodes[step.index], step);
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

  /**
   * Shows its own object.
   * @param {any} object
   */
  update(object) {
    this.object = object;
    const due = this.#due;
    this.#due = this.#own;
    due.forEach(guarded);
  }

  /** Lets go of all that its directives have set up. */
  end() {
    this.#cleanups.forEach(guarded);
    this.#due = this.#own = this.#cleanups = [];
  }

  /**
   * The value that an attribute names by a path, or by `=` and a text.
   * @param {string} text
   * @returns {any}
   */
  read(text) {
    return text[0] === "=" ? text.slice(1) : evaluate(parsePath(text), this.root.tree, this.scopes, this.object);
  }

  /**
   * Sets up the attributes of an element.
   * @param {Element} node
   * @param {import("./plan.js").Step} step
   */
  #setUp(node, { bindings, args }) {
    for (const { name, kind, rest, text } of bindings) {
      try {
        const at = () => this.read(text);
        if (kind === "arg") {
          at();
          args[camel(rest)] = text;
          continue;
        }
        if (refusedElement(node.localName)) throw Error("refused, as it could run code");
        const names = resolve(parsePath(text), this.scopes);
        const cleanup = DIRECTIVES[kind](node, { part: this, kind, rest, text, at, names, args });
        if (cleanup) this.#cleanups.push(cleanup);
      } catch (error) {
        // A faulty attribute does nothing, and hinders no other.
        warnOf(this.root, node, name, /** @type {Error} */ (error));
      }
    }
  }
}
