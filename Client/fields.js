// SPDX-License-Identifier: MIT
// Inputs that are bound both ways, and those of them that something has happened to: a frame, an event, an
// acknowledgement. Only these are looked at (settling.js).
import { adapt, read, readFirst, show } from "./inputs.js";
import { unsent } from "./kept.js";
import { settle } from "./settling.js";
import { guarded } from "./watching.js";

/** @typedef {import("./types").Field} Field */

export class Fields {
  /** @type {Map<Node, Field>} */
  #of = new Map();
  /**
   * The fields to be looked at, those with an edit that is not acknowledged among them.
   * @type {Set<Field>}
   */
  due = new Set();
  /**
   * Those that a person has edited since the session began, in the order of their last edits.
   * @type {Set<Field>}
   */
  edited = new Set();
  /**
   * The input in which a composition is under way.
   * @type {any}
   */
  composing;
  /**
   * The functions to call at the end of the composition: lists with a row that only that keeps.
   * @type {Set<() => void>}
   */
  held = new Set();

  /** @param {import("./root.js").Root} root */
  constructor(root) {
    this.root = root;
  }

  get all() {
    return [...this.#of.values()];
  }

  /**
   * @param {any} node
   * @param {() => any} at the server's value
   * @param {string} what
   * @param {{ error?: () => any, touched?: boolean }} more
   * @returns {Field}
   */
  add(node, at, what, more) {
    const shown = readFirst(node, !this.root.session.url);
    const field = { node, ...adapt(node, at), what, shown, ...more };
    this.due.add(field);
    this.#of.set(node, field);
    return field;
  }

  /** @param {Field} field one whose element goes */
  remove(field) {
    // An edit that waits for a pause is sent by its timer.
    if (/** @type {number} */ (field.timer) < 0) this.send(field);
    this.due.delete(field);
    this.edited.delete(field);
    this.#of.delete(field.node);
  }

  /** Whether an edit of the field is not acknowledged yet. */
  isPending = (/** @type {Field} */ { what, timer }) => !!timer || this.root.queue.has((each) => each.what === what);

  /** Has the browser ask before it takes unsent edits along. */
  ask = (/** @type {Event} */ event) => unsent(this.root).length && event.preventDefault();

  /**
   * Puts the edit of a field into the queue. Among radio buttons only the checked one sends its value.
   * @param {Field} field
   */
  send(field) {
    const { node, what, shown, encode, rest, origin } = field;
    clearTimeout(field.timer);
    field.timer = undefined;
    if (node.type !== "radio" || shown) this.root.queue.add({ what, field, origin, value: encode(rest ? rest(shown) : shown) });
  }

  /**
   * Writes a value into the input.
   * @param {Field} field
   * @param {any} value
   */
  write(field, value) {
    show(field.node, value);
    field.shown = read(field.node);
    field.was = field.at();
  }

  /**
   * Looks at the field of an element; at all, if that is a radio button or no field's.
   * @param {any} [target]
   */
  look(target) {
    let node = target;
    while (node && !this.#of.has(node)) node = node.parentElement;
    const field = this.#of.get(node);
    for (const each of field && node.type !== "radio" ? [field] : this.all) this.due.add(each);
    settle(this);
  }

  /** Takes what a composition has left, once it is over. */
  composed() {
    const field = this.#of.get(this.composing);
    this.composing = undefined;
    this.look(field?.node);
    const rest = field?.rest;
    if (field && rest) {
      field.rest = undefined;
      this.write(field, rest(field.shown));
    }
    const due = [...this.held];
    this.held.clear();
    due.forEach(guarded);
  }

  /** Sends all edits that wait for a pause or for blur. */
  flush() {
    for (const field of this.all) if (!field.node.isConnected) this.remove(field);
    this.look();
    for (const field of this.all) if (field.timer) this.send(field);
  }

  /**
   * Accepts the option that a choice shows when its options have just come: it is no edit.
   * @param {any} parent of the options
   */
  acknowledge(parent) {
    const field = this.#of.get(parent.closest?.("select"));
    if (!field) return;
    field.shown = read(field.node);
    this.due.add(field);
  }
}
