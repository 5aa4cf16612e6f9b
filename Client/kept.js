// SPDX-License-Identifier: MIT
// A tab's session over a reload: its URL, and the last state that was shown, so that the page shows that at once and goes on from its
// version. It lies in `sessionStorage`, which is the tab's own. Secrets are in no state.

/** @typedef {import("./root.js").Root} Root */

/** The end of a state's key, behind the key of its root's URL. */
const STATE = ":state";

/**
 * The parameters of a root, as its attributes have them: each by its name in `dataset`.
 * @param {HTMLElement} element
 */
export const paramsOf = ({ dataset }) => Object.entries(dataset).filter(([name]) => /^vmParams/.test(name));

/**
 * The key of a root in the tab's storage. With other parameters there is another session. Of several roots of one view model those behind the first have their place among them in it;
 * one with an `id` has that, wherever it stands.
 * @param {HTMLElement} element
 */
export function keyOf(element) {
  const { vmRoot } = element.dataset;
  const roots = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-vm-root]")]);
  const place = roots.filter((each) => each.dataset.vmRoot === vmRoot).indexOf(element);
  return ["euripus", vmRoot, element.id || place || [], ...paramsOf(element)].flat().join(":");
}

/**
 * Remembers the session's URL for this tab; an empty one is none. The kept state was the former session's.
 * @param {Root} root
 * @param {string} url
 */
export function keepURL({ key }, url) {
  sessionStorage[key] = url;
  sessionStorage[key + STATE] = "";
}

/**
 * Keeps the state that is shown, as the page is left; not one that the browser has no room for.
 * @param {Root} root
 */
export function keepState({ key, tree, version, address, session: { url } }) {
  try {
    if (url && version) sessionStorage[key + STATE] = JSON.stringify({ url, version, tree, address });
  } catch {}
}

/**
 * After a reload: shows the state that this tab showed last of its session. The page goes on from the version of that
 * state.
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
  [root.tree, root.version, root.address] = [kept.tree, kept.version, kept.address];
  root.render();
}
