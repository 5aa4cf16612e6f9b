// SPDX-License-Identifier: MIT
// `data-vm-do` and `data-vm-cancel`: an event performs an action or cancels a command (CLIENT.md, "Commands and
// actions").
import { isOwn, parsePath, pointer, resolve } from "../paths.js";
import { mark, sendAgain } from "../refused.js";
import { has, textOf } from "../values.js";
import { followSign } from "./device.js";
import { setAttribute } from "./showing.js";

/**
 * The event that an element listens for, and the key, if it is one of the keyboard.
 * @param {any} node
 */
const triggerOf = (node) => (node.dataset.vmOn ?? (node.submit ? "submit" : "click")).split(".");

/** An attribute that performs or cancels an action. A long list has many, so each is one small object. */
class Action {
  /**
   * @param {any} node
   * @param {import("../part.js").Binding} binding
   * @param {string} method of its request
   * @param {string} needed the member of a command that has to be true
   */
  constructor(node, { part, text, args }, method, needed) {
    this.node = node;
    this.part = part;
    this.text = text;
    this.args = args;
    this.method = method;
    this.needed = needed;
    // The view model refuses a form, and not the browser.
    if (node.submit) node.noValidate = true;
  }

  get names() {
    return resolve(parsePath(this.text), this.part.scopes);
  }

  get what() {
    return this.method + " /actions" + pointer(this.names);
  }

  /** The element that is pressed. The button of a form may be in a row of it, and so come later than the form. */
  get control() {
    return (this.node.submit && this.node.querySelector("[type=submit],button:not([type])")) || this.node;
  }

  /** Listens for its event. Gives a function that ends that, if that is needed. */
  listen() {
    const { node, part } = this;
    part.onState(() => this.show(), this.names);
    const [type] = triggerOf(node);
    // A sign of the device is no event (CLIENT.md, "The device").
    if (/^(visible|hidden|rotate)$/.test(type)) return followSign(type, part, (own) => this.act(own));
    node.addEventListener(type, this);
    // That of a row goes with the row's element.
    return part.source ? undefined : () => node.removeEventListener(type, this);
  }

  /** @param {any} event */
  handleEvent(event) {
    const { node, part } = this;
    const [type, key] = triggerOf(node);
    // An event that belongs to a composition has the key code 229.
    if (key && (event.keyCode === 229 || event.key.toLowerCase() !== key)) return;
    const isSent = key || type === "submit";
    // The action takes the place of the browser's own deed for a submit, a link, a button and the named key. A
    // tick and typed text are the person's, and stay.
    if (isSent || (type === "click" && node.matches("a,button,[type=submit]"))) event.preventDefault();
    // A keyboard need not end the word whose text the person sends. Its field may take the action's effect then.
    const { composing } = part.root.fields;
    if (isSent && node.contains(composing)) {
      composing.blur();
      composing.focus();
    }
    this.act();
    part.root.status.heed();
  }

  /**
   * Performs the action, once all edits before it are in the queue.
   * @param {any} [own] the value of a sign of the device
   */
  act(own) {
    const { node, part, what, names, control } = this;
    const { root } = part;
    mark(control);
    root.fields.flush();
    const last = root.queue.last((each) => (each.what === what && each.node === node) || node.contains(each.field?.node));
    const command = part.read(this.text);
    // A command that runs is enabled if it lets another run wait or take its place.
    if (last?.bases || (command?.executing && !command[this.needed])) return false;
    const { vmConfirm } = node.dataset;
    if (vmConfirm && !confirm(textOf(part.read(vmConfirm)))) return false;
    const bases = root.fields.all.map((field) => ({ field, value: field.shown }));
    const read = (/** @type {any=} */ before) => own ?? this.#value(before);
    const show = () => (isOwn(names, part.scopes) ? part.update(part.object) : root.watching.tell(names));
    const item = { what, value: read(), read, control, node, bases, show };
    // If one of them is refused again, the action is not sent.
    sendAgain(root.fields, control, true);
    const problem = root.status.refusal;
    if (problem) root.queue.end(item, problem);
    else root.queue.add(item);
    root.render();
    return true;
  }

  /**
   * The action's value: its one argument without a name, or an object of those with names. It is read as the action is
   * sent, when the edits before it are in the state. What is not there any more, such as a row, counts as it was.
   * @param {any} [before] the value at the press
   */
  #value(before) {
    const { part, args } = this;
    const now = (/** @type {string} */ name, /** @type {any} */ earlier, value = part.read(args[name])) => (value === undefined ? earlier : value);
    if (args[""]) return now("", before);
    const names = Object.keys(args);
    return names.length ? Object.fromEntries(names.map((name) => [name, now(name, before?.[name])])) : undefined;
  }

  /** Shows whether it can be performed, and whether it is under way. */
  show() {
    const { part, needed, control } = this;
    const command = part.read(this.text);
    if (has(command, needed)) setAttribute(control, !command[needed], "aria-disabled");
    // A control that cancels is not busy while the command runs.
    const isBusy = (needed === "enabled" && command?.executing) || part.root.queue.has((each) => each.what === this.what);
    setAttribute(control, isBusy || null, "aria-busy");
  }
}

/** @type {import("../part.js").Directive} */
export const perform = (node, binding) => new Action(node, binding, "POST", "enabled").listen();

/** @type {import("../part.js").Directive} */
export const cancel = (node, binding) => new Action(node, binding, "DELETE", "executing").listen();
