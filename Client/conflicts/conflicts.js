// SPDX-License-Identifier: MIT
// Two people in one text. A value that somebody else changes while a person has text of their own in its field is a
// conflict: the field keeps that text, the page shows the other one beside it, and the person chooses (CLIENT.md, "Two
// people in one text"). A page with a `data-vm-conflict` loads this.
import { mark, unmarkRefused } from "../refused.js";
import { writes } from "../targets.js";

/** @typedef {import("../types").Field} Field */
/** @typedef {import("../types").Request} Request */
/** @typedef {import("../types").Problem} Problem */

/** The status of an edit of a value that somebody else has changed meanwhile. */
const CHANGED = 412;

/** @param {string} version */
const tagOf = (version) => `"${version}"`;

/** The conflicts of a root: in fields whose value the page has a `data-vm-conflict` for. */
class Conflicts {
  #root;
  /**
   * The elements that show the conflicts of values, by the targets of their edits.
   * @type {Map<string, HTMLElement>}
   */
  #places = new Map();

  /** @param {import("../root.js").Root} root */
  constructor(root) {
    this.#root = root;
  }

  /**
   * @param {string} what the target of a value's edits
   * @param {HTMLElement} node the element that shows a conflict of it, with the buttons by which a person chooses
   */
  add(what, node) {
    this.#places.set(what, node);
    node.addEventListener("click", ({ target }) => {
      const choice = /** @type {HTMLElement} */ (target).closest("button")?.dataset.vmChoose;
      if (choice) for (const field of this.#root.fields.all) if (field.conflict && field.what === what) this.#choose(field, choice === "mine");
    });
    this.#root.fields.look();
  }

  /**
   * Notes the server's value, and its version, as those that the text in a field is made of.
   * @param {Field} field
   * @param {string} version
   */
  #note(field, version) {
    field.origin = { value: field.at(), tag: tagOf(version) };
  }

  /**
   * Looks whether a field is in conflict, and shows that.
   * @param {Field} field
   * @param {boolean} isNews whether the server's value is another one than the field shows
   * @param {boolean} isPending whether the server has yet to decide on an edit
   */
  look(field, isNews, isPending) {
    const place = this.#places.get(field.what);
    if (!place) return;
    const isOthers = isNews && !!field.origin && field.at() !== field.origin.value;
    if (field.conflict && !isNews) this.#end(field);
    else if (isOthers && !isPending && (field.engaged || field.refused)) field.conflict = true;
    if (field.conflict) this.#hold(field, place);
    else if (!isPending) this.#note(field, this.#root.version);
    place.hidden = !field.conflict;
  }

  /**
   * Has a field keep what it shows, as one does whose edit was refused. Its words are those beside it, so none are drawn.
   * @param {Field} field
   * @param {HTMLElement} place
   */
  #hold(field, place) {
    const told = [...place.childNodes].filter(({ nodeName }) => nodeName !== "BUTTON");
    field.refused = told.map((each) => each.textContent).join("").trim();
    field.engaged = false;
    mark(field.node);
  }

  /** @param {Field} field */
  #end(field) {
    field.conflict = false;
    unmarkRefused(field);
  }

  /**
   * @param {Field} field
   * @param {boolean} isMine whether the person wants their own text
   */
  #choose(field, isMine) {
    const { fields, version } = this.#root;
    this.#end(field);
    this.#note(field, version);
    field.engaged = false;
    if (isMine) fields.send(field);
    field.node.focus();
    fields.look(field.node);
  }

  /**
   * Takes note of an answer to the person's own edit or action: what that has made of a value is no news to them.
   * @param {Request} item
   * @param {string} version the answer's
   */
  answered({ field, bases }, version) {
    const { fields, version: held } = this.#root;
    for (const each of field ? [field] : bases ? fields.all : []) {
      if (!this.#places.has(each.what)) continue;
      if (version === held) this.#note(each, version);
      else if (each.origin) each.origin.tag = tagOf(version);
    }
  }

  /**
   * Looks whether an edit was refused as its value has changed since the version that it was made of. Where the value is
   * the same, and only the version is another one, as after a restart of the server, the edit is to be sent again.
   * @param {Request} item
   * @param {Problem} problem
   * @returns {Promise<boolean>} whether it is
   */
  async settle(item, { status }) {
    const { field } = item;
    const root = this.#root;
    if (status !== CHANGED || !field) return false;
    root.take(await root.session.ask("GET", "/changes", {}));
    field.conflict = field.at() !== field.origin?.value;
    if (field.conflict) return false;
    this.#note(field, root.version);
    item.n = undefined;
    return true;
  }
}

/** @type {import("../part.js").Directive} */
export function conflict(node, { part, names }) {
  part.root.conflicts ??= new Conflicts(part.root);
  part.root.conflicts.add(writes(names), node);
}
