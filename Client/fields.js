// SPDX-License-Identifier: MIT
// Inputs that are bound both ways. `settle` is the two-way rule of CLIENT.md, and has the numbers of its parts
// where it keeps them. It runs after every frame, input, blur, end of a composition and acknowledgement.
import { textOf } from "./values.js";
import { adapt, read, readFirst, show } from "./inputs.js";

/** @typedef {import("./types").Field} Field */

export class Fields {
  /** @type {Field[]} */
  all = [];
  #root;
  /**
   * The input in which a composition is under way.
   * @type {any}
   */
  composing;

  /** @param {import("./root.js").Root} root */
  constructor(root) {
    this.#root = root;
  }

  /**
   * @param {any} node
   * @param {() => any} at the server's value
   * @param {string} what
   * @param {{ error?: () => any, touched?: boolean }} more
   * @returns {() => void} its clean-up
   */
  add(node, at, what, { error, touched }) {
    const shown = readFirst(node, !this.#root.session.url);
    /** @type {Field} */
    const field = { node, ...adapt(node, at), what, shown, error, touched };
    this.all.push(field);
    return () => {
      // An edit that waits for a pause is sent by its timer.
      if (/** @type {number} */ (field.timer) < 0) this.#send(field);
      this.all = this.all.filter((each) => each !== field);
    };
  }

  /**
   * Whether an edit of the field is not acknowledged yet.
   * @param {Field} field
   */
  isPending({ what, timer }) {
    return !!timer || this.#root.queue.has((each) => each.what === what);
  }

  /**
   * Puts the edit of a field into the queue. Among radio buttons only the checked one sends its value.
   * @param {Field} field
   */
  #send(field) {
    const { node, what, shown, encode } = field;
    clearTimeout(field.timer);
    field.timer = undefined;
    if (node.type !== "radio" || shown) this.#root.queue.add({ what, field, value: encode(shown) });
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

  /** Takes in edits, and writes the values that may be written. */
  settle() {
    // While any field is edited, no field is written in the same turn: the radio button that a person leaves
    // may come before or behind the one that they choose (rule 3).
    let isHeld = this.all.some((field) => this.isPending(field));
    for (const field of this.all) {
      if (this.#takeEdit(field)) isHeld = true;
      const { node } = field;
      field.engaged &&= node.matches(":focus") && document.hasFocus();
      if (/** @type {number} */ (field.timer) < 0 && !field.engaged) this.#send(field);
      const value = field.at();
      // A secret that is set is absent (rule 1), and an equal value is never written (rule 5).
      const isNews = value !== undefined && value !== field.shown;
      // No value is written while a person edits the field (rule 4), before all edits are acknowledged (rule 3),
      // or into a composition (rule 2).
      if (isNews && !field.engaged && !isHeld && node !== this.composing) this.write(field, value);
      node.toggleAttribute("data-vm-pending", this.isPending(field));
      this.#showError(field);
    }
    this.all = this.all.filter((field) => field.node.isConnected);
  }

  /**
   * Takes an edit: a value that a field shows and did not show before, with an event or without. Answers
   * whether there is one.
   * @param {Field} field
   */
  #takeEdit(field) {
    const { node } = field;
    const { vmDebounce: wait, vmCompose } = node.dataset;
    const shown = read(node);
    if ((node === this.composing && !vmCompose) || shown === field.shown) return false;
    field.shown = shown;
    field.edited = field.touched = field.engaged = true;
    clearTimeout(field.timer);
    field.timer = wait === "blur" ? -1 : wait && setTimeout(() => this.#send(field), wait);
    if (!field.timer) this.#send(field);
    this.#root.status.heed();
    return true;
  }

  /** @param {Field} field */
  #showError(field) {
    const { node, error } = field;
    field.touched ||= !!textOf(field.at());
    if (!error) return;
    // An untouched field shows no error.
    const text = (field.touched && error()) || "";
    node.setCustomValidity?.(text);
    node.setAttribute("aria-invalid", !!text);
  }

  /** Sends all edits that wait for a pause or for blur. */
  flush() {
    this.settle();
    for (const field of this.all) if (field.timer) this.#send(field);
  }

  /**
   * Accepts the option that a choice shows when its options have just come: it is no edit.
   * @param {Node} parent of the options
   */
  acknowledge(parent) {
    for (const field of this.all) if (field.node.contains(parent)) field.shown = read(field.node);
  }

  /** Remembers the server's values as an action is sent: a value that differs later is an effect. */
  remember = () => this.all.forEach((field) => (field.was = field.at()));
}

