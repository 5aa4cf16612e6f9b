// SPDX-License-Identifier: MIT
// `data-vm-each` and `data-vm-if`: elements behind a template, as often as the state says.
import { arrange } from "../order.js";
import { Part } from "../part.js";
import { refocus } from "../refocus.js";
import { has, valueAt } from "../values.js";

/** @typedef {{ source: Element, node: Element, part: Part, object: any }} Row */

/**
 * Keeps a row behind the template for each key, in the order of the keys.
 * @param {HTMLTemplateElement} template
 * @param {Part} part
 * @param {string[][]} watched the paths of what it depends on
 * @param {() => { keys: Iterable<string>, objectOf: (key: string) => any }} read gives the keys, and the object of each
 * @param {(key: string) => string[][]} scopesOf
 */
function keepRows(template, part, watched, read, scopesOf) {
  const { root } = part;
  if (!template.content) throw Error("no template");
  /** @type {Map<string, Row>} */
  const rows = new Map();

  /**
   * Whether a person composes text in a row, which then stays until the end of the composition.
   * @param {Row | undefined} row
   */
  const isComposing = (row) => !!root.fields.composing && row?.node.contains(root.fields.composing);

  /** @param {string} key */
  function remove(key) {
    const row = rows.get(key);
    rows.delete(key);
    row?.node.remove();
    row?.part.end();
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
    const candidates = /** @type {HTMLElement[]} */ ([...template.content.children]);
    const source = candidates.find((each) => (each.dataset.vmKind ?? kind) === kind);
    if (row?.source !== source && !isComposing(row)) {
      remove(key);
      row = undefined;
      if (source) {
        const node = document.importNode(source, true);
        row = { source, node, part: new Part(root, node, scopesOf(key), source), object };
        rows.set(key, row);
      }
    }
    if (row) row.object = object;
    row?.part.update();
    return row;
  }

  /** @type {Element[]} */
  let shown = [];

  /**
   * Gives away the focus of a row that has gone.
   * @param {Element} focused
   * @param {Element[]} nodes
   */
  function leave(focused, nodes) {
    const index = shown.findIndex((node) => node.contains(focused));
    const gone = shown[index];
    // After the rendering, as a page may act on the focus.
    if (gone) queueMicrotask(() => refocus(template, nodes, index, gone, focused));
  }

  /** @type {Iterable<string> | undefined} */
  let known;

  const show = () => {
    const focused = document.activeElement;
    const { keys: listed = [], objectOf } = read();
    const keys = new Set(listed);
    if (listed !== known || shown.length !== rows.size) {
      for (const [key, row] of [...rows]) {
        if (keys.has(key)) continue;
        if (isComposing(row)) root.fields.held.add(show);
        else remove(key);
      }
    }
    /** @type {Element[]} */
    const nodes = [];
    for (const key of keys) {
      const row = update(key, objectOf(key));
      if (row) nodes.push(row.node);
    }
    arrange(template, nodes);
    if (focused && !focused.isConnected) leave(focused, nodes);
    [shown, known] = [nodes, listed];
    root.fields.acknowledge(template.parentNode);
  };
  for (const each of watched) part.onState(show, each);
  return () => [...rows.keys()].forEach(remove);
}

/** @type {import("../part.js").Directive} */
export const each = (template, { part, at, names, scopes }) => {
  const read = () => {
    const { order, items } = at() ?? {};
    return { keys: order, objectOf: (/** @type {string} */ key) => (has(items, key) ? items[key] : undefined) };
  };
  return keepRows(template, part, [names], read, (key) => [...scopes, [...names, "items", key]]);
};

/** @type {import("../part.js").Directive} */
export const when = (template, { part, at, names, scopes }) => {
  const scope = scopes.at(-1) ?? [];
  const read = () => ({ keys: at() ? [""] : [], objectOf: () => valueAt(part.root.tree, scope) });
  // The content shows the object around it.
  return keepRows(template, part, [names, scope], read, () => scopes);
};
