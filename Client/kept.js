// SPDX-License-Identifier: MIT
// A tab's session over a reload: its URL, the last state that the page showed, and the edits that could not be sent.
// The page shows that state at once, and goes on from its version. All lie in `sessionStorage`, which is the tab's own.
// There are no secrets in them.
import { show } from "./inputs.js";
import { paramsOf } from "./params.js";

/** @typedef {import("./root.js").Root} Root */

/** The end of the key of a state, behind the key of its root. */
const STATE = ":state";

/**
 * The key of a root in the tab's storage. It has the root's parameters, as other parameters mean another
 * session. It has the root's `id`, wherever the root stands. Without an `id`, each root of one view model but
 * the first has its place among those roots.
 * @param {HTMLElement} element
 */
export function keyOf(element) {
  const { vmRoot } = element.dataset;
  const roots = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-vm-root]")]);
  const place = roots.filter((each) => each.dataset.vmRoot === vmRoot).indexOf(element);
  return ["euripus", vmRoot, element.id || place || [], ...paramsOf(element)].flat().join(":");
}

/**
 * Remembers the session's URL for this tab; an empty one means no session. The kept state goes, as it was the
 * former session's.
 * @param {Root} root
 * @param {string} url
 */
export function keepURL({ key }, url) {
  sessionStorage[key] = url;
  sessionStorage[key + STATE] = "";
}

/**
 * The fields with an edit that is not sent, as there is no connection, in the order of the edits.
 * @param {Root} root
 */
export const unsent = ({ fields, status }) => (status.state === "live" ? [] : [...fields.edited].filter(fields.isPending));

/**
 * The name of a field among the kept edits: each radio button has its own, as those of a group have one path.
 * @param {import("./types").Field} field
 */
const nameOf = ({ node, what }) => (node.type === "radio" ? what + "=" + node.value : what);

/**
 * Keeps the present state and the unsent edits, as the page is left, if the browser has room for them.
 * @param {Root} root
 */
export function keepState(root) {
  const { key, tree, version, address, session } = root;
  const edits = unsent(root).flatMap((field) => (field.node.type === "password" ? [] : [[nameOf(field), field.shown]]));
  try {
    if (session.url && version) sessionStorage[key + STATE] = JSON.stringify({ url: session.url, version, tree, address, edits });
  } catch {}
}

/**
 * Shows, after a reload, the last state of its session that this tab showed. The page goes on from the version
 * of that state.
 * @param {Root} root
 */
export function showKept(root) {
  /** @type {any} */
  let kept;
  try {
    kept = JSON.parse(sessionStorage[root.key + STATE]);
  } catch {}
  // At another address there is another page.
  if (!kept || kept.url !== root.session.url || (root.place && root.place !== kept.address)) return;
  const { tree, version, address, edits } = kept;
  Object.assign(root, { tree, version, address });
  root.render();
  const { all, due } = root.fields;
  for (const [name, shown] of edits) {
    for (const field of all) {
      if (nameOf(field) !== name) continue;
      show(field.node, shown);
      // They are looked at in the order of the edits.
      due.add(field);
    }
  }
  root.fields.look();
}
