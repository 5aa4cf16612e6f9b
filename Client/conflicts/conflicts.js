// SPDX-License-Identifier: MIT
// Two people in one text. A value that somebody else changes while a person has text of their own in its field is a
// conflict: the field keeps that text, the page shows the other one beside it, and the person chooses (CLIENT.md, "Two
// people in one text"). A page with a `data-vm-conflict` loads this.
import { isSame, settle, takeNote } from "./answers.js";
import { originOf } from "./frames.js";
import { Places } from "./places.js";
import { mark, unmarkRefused } from "../refused.js";
import { writes } from "../targets.js";
import { valueAt } from "../values.js";

/** @typedef {import("../types").Field} Field */
/** @typedef {import("../types").Request} Request */

/** The conflicts of a root: in fields whose value the page has a `data-vm-conflict` for. */
export class Conflicts {
  places = new Places();
  #isDue = false;

  /** @param {import("../root.js").Root} root */
  constructor(root) {
    this.root = root;
  }

  /**
   * @param {string[]} names the path of a value
   * @param {HTMLElement} node the element that shows a conflict of it, with the buttons by which a person chooses
   */
  add(names, node) {
    const what = writes(names);
    this.places.add(names, node);
    node.addEventListener("click", ({ target }) => {
      const choice = /** @type {HTMLElement} */ (target).closest("button")?.dataset.vmChoose;
      if (choice) for (const field of this.root.fields.all) if (field.conflict && field.what === what) this.#choose(field, names, choice === "mine");
    }, { signal: this.root.signal });
    // Many rows may come together, and all fields are looked at once for them.
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      this.root.fields.look();
    });
  }

  /**
   * Looks whether a field is in conflict, and shows that.
   * @param {Field} field
   * @param {boolean} isNews whether the server's value is another one than the field shows
   * @param {boolean} isPending whether the server has yet to decide on an edit
   * @param {boolean} mayWrite whether news is written into it now
   */
  look(field, isNews, isPending, mayWrite) {
    const { tree, version, queue } = this.root;
    const { what, origin } = field;
    const place = this.places.of(what);
    if (field.conflict && (!place || !isNews)) end(field);
    if (!place) return;
    const value = valueAt(tree, place.names);
    // An action of this page that is under way may have made it so. Its answer tells.
    const isHeld = (field.engaged || !!field.refused) && !isPending && !queue.has((each) => !!each.n && !each.field);
    if (isNews && isHeld && origin && !isSame(value, origin.value)) field.conflict = true;
    if (field.conflict) hold(field, place.node);
    else if (isPending) this.#wait(field);
    else if (version && (!isNews || mayWrite)) field.origin = originOf(value, version);
    this.#show(field, place.node);
  }

  /**
   * Shows whether fields of a value are in conflict. A button that goes hands the focus on to the field.
   * @param {Field} field the one that was looked at
   * @param {HTMLElement} node
   */
  #show({ conflict, what, node: input }, node) {
    if (conflict) node.hidden = false;
    if (node.hidden || this.root.fields.all.some((each) => each.conflict && each.what === what)) return;
    if (node.contains(document.activeElement)) input.focus();
    node.hidden = true;
  }

  /**
   * An edit behind one that is under way is made of what that one makes of the value: the answer says it.
   * @param {Field} field
   */
  #wait({ what }) {
    const [first, ...others] = this.root.queue.items.filter((each) => each.what === what);
    for (const each of others) if (first.n && !each.n && each.origin === first.origin) each.origin = undefined;
  }

  /**
   * Takes the edits of a field out of the queue that were not sent yet.
   * @param {Field} field
   */
  drop(field) {
    const { queue } = this.root;
    clearTimeout(field.timer);
    field.timer = undefined;
    queue.items = queue.items.filter((each) => each.field !== field || each.n);
  }

  /**
   * @param {Field} field
   * @param {string[]} names
   * @param {boolean} isMine whether the person wants their own text
   */
  #choose(field, names, isMine) {
    const { fields, tree, version } = this.root;
    this.drop(field);
    end(field);
    field.engaged = false;
    field.origin = originOf(valueAt(tree, names), version);
    if (isMine) fields.send(field);
    field.node.focus();
    fields.look(field.node);
  }

  answered = (/** @type {Request} */ item, /** @type {import("../types").Answer} */ answer, /** @type {string} */ to) => takeNote(this, item, answer, to);
  settle = (/** @type {Request} */ item, /** @type {import("../types").Problem} */ problem) => settle(this, item, problem);
}

/**
 * Has a field keep what it shows, as one does whose edit was refused. Its words are those beside it, so none are drawn.
 * @param {Field} field
 * @param {HTMLElement} node
 */
function hold(field, node) {
  const told = /** @type {HTMLElement} */ (node.cloneNode(true));
  for (const button of told.querySelectorAll("button")) button.remove();
  field.refused = told.textContent?.trim() || " ";
  field.engaged = false;
  mark(field.node);
}

/** @param {Field} field */
function end(field) {
  field.conflict = false;
  unmarkRefused(field);
}

/** @type {import("../part.js").Directive} */
export function add(node, { part, names }) {
  part.root.conflicts ??= new Conflicts(part.root);
  part.root.conflicts.add(names, node);
}
