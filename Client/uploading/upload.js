// SPDX-License-Identifier: MIT
// `data-vm-upload`: files that a person chooses, drops or pastes go to an `Uploads` of the view model. A page with this
// attribute loads this. The state has the files with their progress, and the page shows them as it shows any list.
import { Sending } from "./sending.js";
import { pointer } from "../paths.js";
import { valueAt } from "../values.js";

/** The most files that are sent at once. */
const AT_ONCE = 2;

class Uploader {
  /**
   * The files that are on their way, by their keys.
   * @type {Map<string, Sending>}
   */
  #sendings = new Map();

  /**
   * @param {HTMLElement} node an input of the type `file`, or an element with one
   * @param {import("../root.js").Root} root
   * @param {string[]} names the path of the `Uploads`
   */
  constructor(node, root, names) {
    this.node = node;
    this.root = root;
    this.names = names;
    this.input = /** @type {HTMLInputElement | null} */ (node.matches("input") ? node : node.querySelector("input[type=file]"));
  }

  /** The `Uploads`, as the state has it. */
  get state() {
    return valueAt(this.root.tree, this.names) ?? {};
  }

  /** The URL of the `Uploads`; undefined without a session. */
  get url() {
    const { url } = this.root.session;
    return url && url + "/uploads" + pointer(this.names);
  }

  /**
   * Begins to send files, or goes on with those that were begun.
   * @param {Iterable<File>} files
   */
  add(files) {
    for (const file of files) {
      const sending = new Sending(this, file);
      const known = this.#sendings.get(sending.key);
      if (known && !known.isOver) continue;
      this.#sendings.set(sending.key, sending);
    }
    this.#next();
  }

  /**
   * Takes note that a file has another key.
   * @param {Sending} sending
   */
  renamed(sending) {
    for (const [key, each] of this.#sendings) if (each === sending) this.#sendings.delete(key);
    this.#sendings.set(sending.key, sending);
  }

  /** Shows how it stands with each file, and forgets those that the person or the app has taken away. */
  look() {
    const { types = "", most = 1, files = {} } = this.state;
    if (this.input) {
      this.input.accept ||= types;
      this.input.multiple = most > 1;
    }
    for (const [key, sending] of this.#sendings) {
      sending.look(files.items?.[key]);
      if (sending.isOver && !files.items?.[key]) this.#sendings.delete(key);
    }
    // The client keeps the rows behind their template, in the order of the keys.
    let row = this.node.querySelector("template[data-vm-each]")?.nextElementSibling;
    for (const key of files.order ?? []) {
      if (row) this.#show(row, key, files.items[key]);
      row = row?.nextElementSibling;
    }
  }

  /**
   * @param {Element} row the element of a file
   * @param {string} key
   * @param {any} item
   */
  #show(row, key, item) {
    const sending = this.#sendings.get(key);
    // A page that was loaded anew has no file to go on with.
    const isLost = !item.ready && !item.error && (!sending || sending.isOver);
    for (const [name, isOn] of [["lost", isLost], ["waiting", !!sending?.isWaiting && !item.ready]]) {
      for (const node of row.querySelectorAll(`[data-vm-${name}]`)) /** @type {HTMLElement} */ (node).hidden = !isOn;
    }
    for (const picture of row.querySelectorAll("img[data-vm-preview]")) {
      const source = item.ready && !this.state.elsewhere && /^image\//.test(item.type) && this.url ? this.url + pointer([key]) : "";
      if (source ? picture.getAttribute("src") !== source : picture.hasAttribute("src")) {
        if (source) picture.setAttribute("src", source);
        else picture.removeAttribute("src");
      }
      /** @type {HTMLElement} */ (picture).hidden = !source;
    }
  }

  #next() {
    const waiting = [...this.#sendings.values()];
    const count = waiting.filter((each) => each.hasBegun && !each.isOver).length;
    for (const each of waiting.filter((each) => !each.hasBegun).slice(0, Math.max(0, AT_ONCE - count))) each.run().then(() => this.#next());
    this.look();
  }

  /** Ends all that is on its way. */
  end() {
    for (const sending of this.#sendings.values()) sending.stop();
  }
}

/** @type {import("../part.js").Directive} */
export function add(node, { part, names }) {
  const { root } = part;
  const uploader = new Uploader(node, root, names);
  const how = { signal: root.signal };
  node.addEventListener("change", (/** @type {Event} */ { target }) => {
    const input = /** @type {HTMLInputElement} */ (target);
    if (input.type !== "file") return;
    uploader.add([.../** @type {FileList} */ (input.files)]);
    // The same file can be chosen once more.
    input.value = "";
  }, how);
  const over = (/** @type {boolean} */ isOver) => node.toggleAttribute("data-vm-over", isOver);
  node.addEventListener("dragover", (/** @type {DragEvent} */ event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    over(true);
  }, how);
  node.addEventListener("dragleave", (/** @type {DragEvent} */ event) => over(node.contains(/** @type {Node} */ (event.relatedTarget))), how);
  node.addEventListener("drop", (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    over(false);
    uploader.add([...(event.dataTransfer?.files ?? [])]);
  }, how);
  node.addEventListener("paste", (/** @type {ClipboardEvent} */ event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (!files.length) return;
    event.preventDefault();
    uploader.add(files);
  }, how);
  part.onState(() => uploader.look());
  uploader.look();
}
