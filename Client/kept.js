// SPDX-License-Identifier: MIT
// A tab's session over a reload: its URL, the last state that the page showed, and the edits that could not be sent.
// The page shows that state at once, and goes on from its version. All lie in `sessionStorage`, which is the tab's own.
// A state has no secrets, and what is typed into an input of type `password` is not kept.
import { show } from "./inputs.js";
import { paramsOf } from "./params.js";
import { LATE } from "./times.js";

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
 * Forgets the kept state, once a page has it that goes on from there: a duplicate of the tab would send its edits again.
 * @param {Root} root
 */
export const forgetKept = ({ key }) => delete sessionStorage[key + STATE];

/**
 * The fields with an edit that is not sent, in the order of the edits: there is no connection, or the one that there is
 * answers so late that it may be dead. An edit that was just made goes out as the page is left.
 * @param {Root} root
 * @param {boolean} [isKept] whether those of which an edit was refused are wanted, too
 */
export function unsent({ fields, status, queue }, isKept) {
  const isLate = status.state !== "live" || Date.now() > /** @type {number} */ (queue.items[0]?.since) + LATE;
  return [...fields.edited].filter((each) => (isLate && fields.isPending(each)) || (isKept && each.refused));
}

/**
 * The name of a field among the kept edits: each radio button has its own, as those of a group have one path.
 * @param {import("./types").Field} field
 */
const nameOf = ({ node, what }) => (node.type === "radio" ? what + "=" + node.value : what);

/**
 * Keeps the present state, and the edits that are not sent or were refused, as the page is left or hidden, if the browser
 * has room for them.
 * @param {Root} root
 */
export function keepState(root) {
  const { key, tree, version, address, session } = root;
  const edits = unsent(root, true).flatMap((field) => (field.node.type === "password" ? [] : [[nameOf(field), field.shown, field.origin]]));
  try {
    if (session.url && version) sessionStorage[key + STATE] = JSON.stringify({ url: session.url, edits, shown: { version, tree, address } });
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
  forgetKept(root);
  // At another address there is another page.
  if (!kept || kept.url !== root.session.url || (root.place && root.place !== kept.shown?.address)) return;
  Object.assign(root, kept.shown);
  root.render();
  const { all, due } = root.fields;
  for (const [name, shown, origin] of kept.edits) {
    for (const field of all) {
      if (nameOf(field) !== name) continue;
      show(field.node, shown);
      field.origin = origin;
      // They are looked at in the order of the edits.
      due.add(field);
    }
  }
  root.fields.look();
}
