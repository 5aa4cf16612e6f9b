// SPDX-License-Identifier: MIT
// Checks of the markup of a root, and of the page around it. The console says which parts lead nowhere.
import { isBelow, parsePath, resolve } from "../paths.js";
import { ACTIONS, ANYWHERE, attributesOf, BESIDE, INPUTS, KNOWN, NAMED, NAMING, say, TEMPLATES, TEXTS, VALUES } from "./attributes.js";
import { refusedElement, refusedName } from "../refusals.js";
import { camel } from "../values.js";
import { wrongEvent } from "./events.js";
import { wrongChoice, wrongInput, wrongSecret } from "./inputs.js";
import { choice } from "./nearest.js";
import { checkRows, listAt, ownChildren, rowsOf } from "./rows.js";
import { plainName } from "./schema.js";

/** @typedef {import("./attributes.js").Attribute} Attribute */

/** Says which elements outside of all roots have attributes that the client does not read there. */
export function checkOutside() {
  for (const node of document.querySelectorAll("*")) {
    if (node.closest("[data-vm-root],[data-vm-permanent]")) continue;
    const attribute = attributesOf(node).find(({ kind }) => !ANYWHERE.includes(kind));
    if (attribute) say(node, attribute.name, "stands outside of each element with data-vm-root, where nothing reads it");
  }
}

export class Markup {
  #model;
  #description;

  /**
   * @param {string} model
   * @param {import("./schema.js").Description} description
   */
  constructor(model, description) {
    this.#model = model;
    this.#description = description;
  }

  /**
   * Checks an element and all elements below it, and rows in templates too.
   * @param {Element} node
   * @param {string[][]} scopes
   * @param {boolean} [isRow] whether the element is a row in a template
   */
  check(node, scopes = [[]], isRow = false) {
    const attributes = attributesOf(node);
    for (const attribute of attributes) {
      const text = this.#wrong(node, attribute, scopes, isRow) ?? wrongPlace(node, attribute, attributes);
      if (text) say(node, attribute.name, text);
    }
    const isTemplate = node instanceof HTMLTemplateElement;
    const each = attributes.find(({ kind }) => kind === "each");
    const names = each && listAt(each.value, scopes, this.#description);
    // A path that leads to no list has no rows to check.
    if (each && !names) return;
    if (isTemplate) checkRows(node, names, this.#description);
    for (const child of isTemplate ? node.content.children : ownChildren(node)) {
      const within = names ? [...scopes, rowsOf(child, names, this.#description)] : scopes;
      if (!child.matches("[data-vm-permanent],[data-vm-root]")) this.check(child, within, isTemplate);
    }
  }

  /**
   * The fault of an attribute by itself.
   * @param {Element} node
   * @param {Attribute} attribute
   * @param {string[][]} scopes
   * @param {boolean} isRow
   * @returns {string | undefined}
   */
  #wrong(node, { kind, rest, value }, scopes, isRow) {
    if (!KNOWN.includes(kind)) return `is no attribute of Euripus; ${choice("data-vm-" + kind, KNOWN.map((each) => "data-vm-" + each))}`;
    if (rest && !NAMING.includes(kind)) return `is no attribute of Euripus; expected data-vm-${kind}, whose value says ${kind === "on" ? `the event: data-vm-on="${rest}"` : "what it is about"}`;
    if (kind === "on") return wrongEvent(node, value);
    if (kind === "at") return this.#wrongAddress(value);
    if (kind === "choose") return wrongChoice(node, value);
    if (kind === "params") return this.#wrongParameter(rest, value);
    if (kind === "kind" && !isRow) return "does nothing here; expected it on a root element in a <template>";
    if (kind === "debounce" && !/^(\d+|blur)?$/.test(value)) return "is no time; expected milliseconds, such as 300, or blur";
    if (NAMED.includes(kind) && !rest) return `has no name; expected data-vm-${kind}-NAME`;
    if (refusedElement(node.localName) || (/^(attr|prop)$/.test(kind) && refusedName(camel(rest), node.localName))) return "is refused, as it could run code";
    const wrong = INPUTS.includes(kind) && wrongInput(node);
    if (wrong) return wrong;
    if (TEXTS.includes(kind)) return value[0] === "=" ? undefined : this.#wrongPath(kind, value, scopes, `; for the text itself: =${value}`);
    const missing = [...ACTIONS, ...VALUES].includes(kind) ? this.#wrongPath(kind, value, scopes) : undefined;
    if (missing || !INPUTS.includes(kind)) return missing;
    return wrongSecret(node, kind, resolve(parsePath(value), scopes), this.#description);
  }

  /**
   * @param {string} kind
   * @param {string} path
   * @param {string[][]} scopes
   * @param {string} [hint]
   */
  #wrongPath(kind, path, scopes, hint = "") {
    try {
      const names = resolve(parsePath(path), scopes);
      if (names.at(-1) === "#") return undefined;
      const isAction = ACTIONS.includes(kind);
      const missing = isAction ? this.#description.missingAction(names) : this.#description.missingValue(names);
      if (missing) {
        const place = [this.#model, ...names.slice(0, names.lastIndexOf(missing.name)).map(plainName)].join("/");
        return `there is no ${isAction ? "action" : "value"} '${missing.name}' on ${place}; ${choice(missing.name, missing.known)}${hint}`;
      }
      if (kind !== "each" || this.#description.isList(names)) return undefined;
      const above = path.split("/").slice(0, -1).join("/");
      const isWithin = above && this.#description.isList(names.slice(0, -1));
      return `is no list; expected the path of one${isWithin ? `: ${above}` : ", which has 'order' and 'items'"}`;
    } catch (error) {
      return `${/** @type {Error} */ (error).message}; expected a path such as name, ../name or items/key/name${hint}`;
    }
  }

  /**
   * @param {string} rest
   * @param {string} text
   */
  #wrongParameter(rest, text) {
    const { params } = this.#description;
    const name = camel(rest);
    if (name && !params.includes(name)) return `there is no parameter '${name}' of ${this.#model}${params.length ? `; ${choice(name, params)}` : ", which takes none"}`;
    try {
      if (text[0] === "=") JSON.parse(text.slice(1));
      else if (!name) return "is no object; expected = and JSON, such as ={\"boardName\":1}";
      return undefined;
    } catch {
      return `is no JSON behind the equals sign; expected JSON, such as =10, or no equals sign, for a text`;
    }
  }

  /** @param {string} at */
  #wrongAddress(at) {
    const { place } = this.#description;
    if (!place) return `${this.#model} has no address`;
    if (!isBelow(place, at)) return `the addresses of ${this.#model} are at ${place} and below`;
    return isBelow(at, location.pathname) ? undefined : `this page lies at ${location.pathname}, so its address and that of ${this.#model} do not follow each other; expected it at ${at} or below`;
  }
}

/**
 * The fault of an attribute's place.
 * @param {Element} node
 * @param {Attribute} attribute
 * @param {Attribute[]} beside
 */
function wrongPlace(node, { kind }, beside) {
  const needed = BESIDE[kind];
  if (needed && !beside.some((each) => needed.includes(each.kind))) return `does nothing here; expected it beside ${needed.map((each) => "data-vm-" + each).join(" or ")}`;
  if (TEMPLATES.includes(kind) && !(node instanceof HTMLTemplateElement)) return `stands on <${node.localName}>; expected a <template>`;
  return undefined;
}
