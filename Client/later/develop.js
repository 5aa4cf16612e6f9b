// SPDX-License-Identifier: MIT
// A page of a server in development: says in the console what of its markup leads nowhere, with the element and what there is, and why a
// request was refused (CLIENT.md, "A console that helps").
import { Description, KEY } from "../developing/schema.js";
import { parsePath, resolve } from "../paths.js";

/** Attributes whose value is a path of the state, or `=` and a text where that may be. */
const VALUES = ["text", "bind", "field", "show", "if", "each", "window", "class", "attr", "prop", "error", "confirm", "arg", "event", "title", "lang"];
const ACTIONS = ["do", "cancel"];
/** Attributes with a value of their own. */
const WORDS = ["root", "at", "debounce", "compose", "kind", "on", "status", "permanent", "retry", "countdown", "heading", "announce"];
/** Attributes that the client sets. */
const SIGNS = ["ready", "pending", "refused"];
const KNOWN = [...VALUES, ...ACTIONS, ...WORDS];
const TEMPLATES = ["each", "if"];
/**
 * What an attribute has to stand beside.
 * @type {Record<string, string[]>}
 */
const BESIDE = { arg: ACTIONS, confirm: ACTIONS, on: ACTIONS, debounce: ["bind", "field"], compose: ["bind", "field"], error: ["bind"], at: ["root"] };

/** @param {string[]} names */
const list = (names) => names.slice().sort().join(", ");

export class Developer {
  #root;

  /** @param {import("../root.js").Root} root */
  constructor(root) {
    this.#root = root;
    document.addEventListener("vm:error", (event) => {
      const { model, title, detail, status, type, errors = [] } = /** @type {CustomEvent} */ (event).detail;
      if (model !== root.model) return;
      const reasons = errors.map((/** @type {any} */ each) => `\n  ${each.pointer}: ${each.detail}`).join("");
      console.error(`Euripus: ${root.model} was refused something: ${title ?? type}${status ? ` (${status})` : ""}. ${detail ?? ""}${reasons}`);
    }, { signal: root.signal });
    this.#check();
  }

  async #check() {
    const { model, element } = this.#root;
    const answer = await fetch(`/models/${model}/openapi.json`);
    if (!answer.ok) {
      const models = await (await fetch("/models")).json();
      const names = Array.isArray(models) ? models : models.models ?? Object.keys(models);
      const known = names.map((/** @type {any} */ each) => each.name ?? each);
      return this.#say(element, "data-vm-root", `no view model '${model}' is hosted here; expected one of: ${list(known)}`);
    }
    this.#walk(element, [[]], new Description(await answer.json(), model));
  }

  /**
   * Looks at an element and all below it, rows in templates as well.
   * @param {Element} node
   * @param {string[][]} scopes
   * @param {Description} description
   */
  #walk(node, scopes, description) {
    const kinds = new Map();
    for (const { name, value } of node.attributes) {
      const [, kind, rest = ""] = /^data-vm-([a-z]+)-?(.*)$/.exec(name) ?? [];
      if (kind) kinds.set(kind, { name, value, rest });
      if (kind && !SIGNS.includes(kind)) this.#checkAttribute(node, name, kind, value, scopes, description);
    }
    for (const [kind, { name }] of kinds) {
      const needed = BESIDE[kind];
      if (needed && !needed.some((each) => kinds.has(each))) this.#say(node, name, `does nothing here; expected it beside ${needed.map((each) => "data-vm-" + each).join(" or ")}`);
    }
    const isTemplate = node instanceof HTMLTemplateElement;
    for (const kind of TEMPLATES) {
      if (kinds.has(kind) && !isTemplate) this.#say(node, "data-vm-" + kind, `stands on <${node.localName}>; expected a <template>`);
    }
    const within = isTemplate ? this.#rowScopes(kinds.get("each")?.value, scopes) : scopes;
    if (!within) return;
    for (const child of isTemplate ? node.content.children : node.children) {
      if (!child.matches("[data-vm-permanent],[data-vm-root]") && !this.#root.rows.has(child)) this.#walk(child, within, description);
    }
  }

  /**
   * The scopes within a template: of one with `each` its rows'. Undefined where its path is none.
   * @param {string | undefined} each
   * @param {string[][]} scopes
   */
  #rowScopes(each, scopes) {
    if (each === undefined) return scopes;
    try {
      return [...scopes, [...resolve(parsePath(each), scopes), "items", KEY]];
    } catch {
      return undefined;
    }
  }

  /**
   * @param {Element} node
   * @param {string} name
   * @param {string} kind
   * @param {string} value
   * @param {string[][]} scopes
   * @param {Description} description
   */
  #checkAttribute(node, name, kind, value, scopes, description) {
    if (!KNOWN.includes(kind)) return this.#say(node, name, `is no attribute of Euripus; expected one of: ${list(KNOWN.map((each) => "data-vm-" + each))}`);
    const isAction = ACTIONS.includes(kind);
    if (!isAction && (!VALUES.includes(kind) || value[0] === "=")) return;
    try {
      const names = resolve(parsePath(value), scopes);
      if (names.at(-1) === "#") return;
      const missing = isAction ? description.missingAction(names) : description.missingValue(names);
      const what = isAction ? "action" : "value";
      if (missing) this.#say(node, name, `there is no ${what} '${missing.name}' on ${this.#place(names, missing.name)}; expected one of: ${list(missing.known)}`);
    } catch (error) {
      this.#say(node, name, `${/** @type {Error} */ (error).message}; expected a path such as name, ../name or items/key/name`);
    }
  }

  /**
   * @param {string[]} names
   * @param {string} missing
   */
  #place(names, missing) {
    return [this.#root.model, ...names.slice(0, names.lastIndexOf(missing))].join("/");
  }

  /**
   * @param {Element} node
   * @param {string} name
   * @param {string} text
   */
  #say(node, name, text) {
    console.error(`Euripus: ${name}="${node.getAttribute(name) ?? ""}": ${text}`, node);
  }
}
