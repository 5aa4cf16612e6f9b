// SPDX-License-Identifier: MIT
// `data-vm-do` and `data-vm-cancel`: an event performs an action or cancels a command (CLIENT.md, "Commands and
// actions").
import { isOwn, pointer } from "../paths.js";
import { sendAgain } from "../refused.js";
import { has, textOf } from "../values.js";
import { followSign } from "./device.js";
import { setAttribute } from "./showing.js";

/** Signs of the device, which are no events (CLIENT.md, "The device"). */
const SIGNS = ["visible", "hidden", "rotate"];

/** The key code of an event that belongs to a composition. */
const COMPOSING = 229;

/**
 * @param {string} method
 * @param {string} needed the member of a command that has to be true
 * @param {string} [forbidden] the member that must not be true
 * @returns {import("../part.js").Directive}
 */
const acting = (method, needed, forbidden) => (node, binding) => {
  const { part, at, names, args } = binding;
  const { root } = part;
  const what = method + " /actions" + pointer(names);
  const { vmOn = node.submit ? "submit" : "click", vmConfirm } = node.dataset;
  const [type, key] = vmOn.split(".");
  let control = node;
  // The view model refuses a form, and not the browser.
  if (node.submit) node.noValidate = true;

  /**
   * The action's value: its one argument without a name, or an object of those with names. It is read as the action is
   * sent, when the edits before it are in the state. What is not there any more, such as a row, counts as it was.
   * @param {any} [before] the value at the press
   */
  function value(before) {
    const now = (/** @type {string} */ name, /** @type {any} */ earlier, value = args[name]()) => (value === undefined ? earlier : value);
    if (args[""]) return now("", before);
    const names = Object.keys(args);
    return names.length ? Object.fromEntries(names.map((name) => [name, now(name, before?.[name])])) : undefined;
  }

  /**
   * Performs the action, once all edits before it are in the queue.
   * @param {any} [own] the value of a sign of the device
   */
  function act(own) {
    control.removeAttribute("data-vm-refused");
    root.fields.flush();
    const last = root.queue.last((each) => each.what === what || node.contains(each.field?.node ?? null));
    // A command that runs is enabled if it lets another run wait or take its place.
    if (last?.bases || (forbidden && at()?.[forbidden] && !at()[needed])) return false;
    if (vmConfirm && !confirm(textOf(part.reader(vmConfirm)()))) return false;
    const bases = [...root.fields.all].map((field) => ({ field, value: field.shown }));
    const item = { what, value: own ?? value(), read: own === undefined ? value : undefined, control, node, bases, show: () => (isOfPart ? part.update() : root.watching.tell(names)) };
    // If one of them is refused again, the action is not sent.
    sendAgain(root.fields, control, true);
    const problem = root.status.refusal;
    if (problem) root.queue.end(item, problem);
    else root.queue.add(item);
    root.render();
    return true;
  }

  const show = () => {
    const command = at();
    // The button of a form may be in a row of it, and so come later than the form.
    control = node.querySelector("[type=submit],button:not([type])") ?? node;
    if (has(command, needed)) setAttribute(control, !command[needed], "aria-disabled");
    const isBusy = (forbidden && command?.[forbidden]) || root.queue.has((each) => each.what === what);
    setAttribute(control, isBusy || null, "aria-busy");
  };
  part.onState(show, names);
  const isOfPart = isOwn(names, part.scopes);
  if (SIGNS.includes(type)) return followSign(type, part, act);
  const heard = (/** @type {any} */ event) => {
    if (key && (event.keyCode === COMPOSING || event.key.toLowerCase() !== key)) return;
    // The action takes the place of the browser's own deed for a submit, a link, a button and the named key. A
    // tick and typed text are the person's, and stay.
    if (key || type === "submit" || (type === "click" && node.matches("a,button,[type=submit]"))) event.preventDefault();
    // A keyboard need not end the word whose text the person sends. Its field may take the action's effect then.
    const { composing } = root.fields;
    if ((key || type === "submit") && node.contains(composing ?? null)) {
      composing.blur();
      composing.focus();
    }
    act();
    root.status.heed();
  };
  node.addEventListener(type, heard);
  return () => node.removeEventListener(type, heard);
};

export const perform = acting("POST", "enabled", "executing");
export const cancel = acting("DELETE", "executing");
