// SPDX-License-Identifier: MIT
// `data-vm-each` and `data-vm-if`: elements behind a template, as often as the state says.
import { Part } from "../part.js";
import { valueAt } from "../values.js";

/** @typedef {{ source: Element, node: Element, part: Part, object: any }} Row */

/**
 * Keeps a row behind the template for each key, in the order of the keys. A row that has the focus is never
 * moved: the other rows move around it.
 * @param {HTMLTemplateElement} template
 * @param {Part} part
 * @param {() => Iterable<string>} keysOf
 * @param {(key: string) => string[][]} scopesOf
 */
function keepRows(template, part, keysOf, scopesOf) {
  const { root } = part;
  /** @type {Map<string, Row>} */
  const rows = new Map();

  /**
   * Whether a person composes text in a row, which then stays until the end of the composition.
   * @param {Row | undefined} row
   */
  const isComposing = (row) => row?.node.contains(root.fields.composing);

  /** @param {string} key */
  function remove(key) {
    const row = rows.get(key);
    rows.delete(key);
    row?.node.remove();
    row?.part.end();
  }

  /**
   * Brings the row of a key in step with the state. It becomes another row where its kind has another element
   * in the template, and none where its kind has no element.
   * @param {string} key
   */
  function update(key) {
    let row = rows.get(key);
    const scopes = row?.part.scopes ?? scopesOf(key);
    const object = valueAt(root.tree, scopes.at(-1) ?? []);
    if (!row || row.object !== object) {
      const kind = object?.kind;
      const candidates = /** @type {HTMLElement[]} */ ([...template.content.children]);
      const source = candidates.find((each) => (each.dataset.vmKind ?? kind) === kind);
      if (row?.source !== source && !isComposing(row)) {
        remove(key);
        row = undefined;
        if (source) {
          const node = document.importNode(source, true);
          row = { source, node, part: new Part(root, node, scopes), object: undefined };
          rows.set(key, row);
        }
      }
    }
    // A row whose object is the same one skips its own values.
    row?.part.update(row.object !== object);
    if (row) row.object = object;
    return row;
  }

  part.onState(() => {
    const parent = /** @type {any} */ (template.parentNode);
    const keys = new Set(keysOf());
    for (const [key, row] of [...rows]) if (!keys.has(key) && !isComposing(row)) remove(key);
    /** @type {Element} */
    let last = template;
    for (const key of keys) {
      const node = update(key)?.node;
      if (!node) continue;
      for (let next; (next = last.nextElementSibling) !== node; ) {
        const [moved, before] = node.contains(document.activeElement) ? [next, node.nextSibling] : [node, next];
        if (parent.moveBefore && moved?.isConnected) parent.moveBefore(moved, before);
        else parent.insertBefore(moved, before);
      }
      last = node;
    }
    root.fields.acknowledge(parent);
  });
  return () => [...rows.keys()].forEach(remove);
}

/** @type {import("../part.js").Directive} */
export const each = (template, { part, at, names, scopes }) =>
  keepRows(template, part, () => at()?.order, (key) => [...scopes, [...names, "items", key]]);

/** @type {import("../part.js").Directive} */
export const when = (template, { part, at, scopes }) => keepRows(template, part, () => (at() ? [""] : []), () => scopes);
