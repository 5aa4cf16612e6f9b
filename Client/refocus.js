// SPDX-License-Identifier: MIT
// The focus of a row that has gone: it goes to the next row, and where there is none to the list's heading, so that a
// person who acts by keyboard or by ear goes on where they were (CLIENT.md, "Lists"). That of a part that is hidden goes
// to what follows.

const FOCUSABLE = "a[href],button,input,select,textarea,summary,[tabindex]";

/**
 * The element at the same place in a row as another one in its row; the row's first, or the row, where there is none.
 * @param {Element} row
 * @param {Element} gone the row that has gone
 * @param {Element} focused
 */
function counterpart(row, gone, focused) {
  const all = row.querySelectorAll(FOCUSABLE);
  return all[[...gone.querySelectorAll(FOCUSABLE)].indexOf(focused)] ?? all[0] ?? row;
}

/**
 * The heading that names a list: the one that its element says, or else the last one before it.
 * @param {Element} list
 */
function headingOf(list) {
  const named = list.closest("[aria-labelledby]")?.getAttribute("aria-labelledby");
  const before = [...document.querySelectorAll("h1,h2,h3,h4,h5,h6")].filter((each) => each.compareDocumentPosition(list) & list.DOCUMENT_POSITION_FOLLOWING);
  return (named && document.getElementById(named)) || before.at(-1) || list;
}

/**
 * Gives away the focus of a row that has gone.
 * @param {HTMLTemplateElement} template the list's
 * @param {Element[]} before the rows that there were
 * @param {Element[]} rows the rows that there are
 * @param {Element} focused the element that had the focus
 */
export function refocus(template, before, rows, focused) {
  const index = before.findIndex((each) => each.contains(focused));
  const { activeElement, body } = document;
  // A person may have gone elsewhere meanwhile.
  if (index < 0 || (activeElement && activeElement !== body)) return;
  const row = rows[index] ?? rows.at(-1);
  const target = /** @type {HTMLElement} */ (row ? counterpart(row, before[index], focused) : headingOf(/** @type {Element} */ (template.parentElement)));
  if (!target.matches(FOCUSABLE)) target.tabIndex = -1;
  target.focus();
}

/**
 * Gives the focus of a part that is hidden to the next element that can have it, or else to the one before.
 * @param {Element} node
 */
export function goOn(node) {
  const { activeElement, body } = document;
  // A person may have gone elsewhere meanwhile. The browser takes the focus off a hidden element when it paints.
  if (activeElement && activeElement !== body && !node.contains(activeElement)) return;
  const all = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(FOCUSABLE)]);
  const others = all.filter((each) => each.tabIndex >= 0 && !node.contains(each));
  const next = others.filter((each) => node.compareDocumentPosition(each) & node.DOCUMENT_POSITION_FOLLOWING);
  // An element that is disabled or not shown takes no focus.
  for (const each of [...next, ...others.reverse()]) {
    each.focus();
    if (document.activeElement === each) return;
  }
}
