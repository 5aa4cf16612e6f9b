// SPDX-License-Identifier: MIT
// `data-vm-each` and `data-vm-if`: elements behind a template, as often as the state says.
import { arrange } from "../order.js";
import { Part } from "../part.js";
import { refocus } from "../refocus.js";
import { valueAt } from "../values.js";

/**
 * Keeps a row behind the template for each key, in the order of the keys.
 * @param {HTMLTemplateElement} template
 * @param {Part} part
 * @param {string[][]} watched the paths of what it depends on
 * @param {() => any} read gives the list: the keys as its `order`, and the object of each in its `items`
 * @param {(key: string) => string[][]} scopesOf
 */
function keepRows(template, part, watched, read, scopesOf) {
  const { root } = part;
  if (!template.content) throw Error("no template");
  const candidates = /** @type {HTMLElement[]} */ ([...template.content.children]);
  /** @type {Map<string, Part>} */
  const rows = new Map();

  /**
   * Whether a person composes text in a row, which then stays until the end of the composition.
   * @param {Part | undefined} row
   */
  const isComposing = (row) => row?.element.contains(root.fields.composing);

  /** @param {string} key */
  function remove(key) {
    const row = rows.get(key);
    rows.delete(key);
    row?.element.remove();
    row?.end();
  }

  /**
   * Brings the row of a key in step with its object. It becomes another row where its kind has another element
   * in the template, and none where its kind has no element.
   * @param {string} key
   * @param {any} object
   */
  function update(key, object) {
    let row = rows.get(key);
    // A row whose object is the same one has nothing new of its own.
    if (row && row.object === object) return row;
    const kind = object?.kind;
    const source = candidates.find((each) => (each.dataset.vmKind ?? kind) === kind);
    if (row?.source !== source && !isComposing(row)) {
      remove(key);
      row = source && new Part(root, document.importNode(source, true), scopesOf(key), source);
      if (row) rows.set(key, row);
    }
    row?.update(object);
    return row;
  }

  /** @type {Element[]} */
  let shown = [];

  /**
   * The list that is shown.
   * @type {any}
   */
  let known;

  const show = () => {
    const list = read();
    // A row that a composition keeps is no row of the list.
    const isKeeping = shown.length !== rows.size;
    // The same list has the same rows: a state with other news costs the same, however many there are.
    if (list === known && !isKeeping) return;
    const focused = document.activeElement;
    const { order, items } = list ?? {};
    /** @type {Set<string>} */
    const keys = new Set(order);
    if (order !== known?.order || isKeeping) {
      for (const [key, row] of rows) {
        if (keys.has(key)) continue;
        if (isComposing(row)) root.fields.held.add(show);
        else remove(key);
      }
    }
    const nodes = [...keys].flatMap((key) => update(key, valueAt(items, [key]))?.element ?? []);
    arrange(template, nodes);
    const before = shown;
    // After the rendering, as a page may act on the focus.
    if (focused && !focused.isConnected) queueMicrotask(() => refocus(template, before, nodes, focused));
    [shown, known] = [nodes, list];
    root.fields.acknowledge(template.parentNode);
  };
  for (const each of watched) part.onState(show, each);
  return () => [...rows.keys()].forEach(remove);
}

/** @type {import("../part.js").Directive} */
export const each = (template, { part, at, names }) =>
  keepRows(template, part, [names], at, (key) => [...part.scopes, [...names, "items", key]]);

/** @type {import("../part.js").Directive} */
export const when = (template, { part, at, names }) => {
  // The content shows the object around it.
  const read = () => ({ order: at() ? [""] : [], items: { "": part.object } });
  return keepRows(template, part, [names, /** @type {string[]} */ (part.scopes.at(-1))], read, () => part.scopes);
};
