// SPDX-License-Identifier: MIT
// The focus of a row that has gone: it goes to the next row, and where there is none to the list's heading, so that a
// person who acts by keyboard or by ear goes on where they were (CLIENT.md, "Lists"). That of a part that is hidden goes
// to what follows.

/** `Node.DOCUMENT_POSITION_FOLLOWING` of the DOM standard. */
const FOLLOWING = 4;
const FOCUSABLE = "a[href],button,input,select,textarea,summary,[tabindex]";

/**
 * The elements in another one that a person can go to, if they are shown and not disabled.
 * @param {ParentNode} node
 * @returns {any[]}
 */
const within = (node) => [...node.querySelectorAll(FOCUSABLE)];

/**
 * Whether a person has gone elsewhere meanwhile: the focus is neither in a part that goes nor nowhere.
 * @param {Element} node the part
 */
function isElsewhere(node) {
  const { activeElement, body } = document;
  return activeElement && activeElement !== body && !node.contains(activeElement);
}

/**
 * Gives the focus to the first of some elements that takes it, and answers whether one did. An element that is disabled or
 * not shown takes none.
 * @param {any[]} elements
 */
const give = (elements) =>
  elements.some((each) => {
    if (!each.matches(FOCUSABLE)) each.tabIndex = -1;
    each.focus();
    return document.activeElement === each;
  });

/**
 * The heading that names a list: the one that its element says, or else the last one before it.
 * @param {Element} list
 */
function headingOf(list) {
  const named = list.closest("[aria-labelledby]")?.getAttribute("aria-labelledby") ?? "";
  const before = [...document.querySelectorAll("h1,h2,h3,h4,h5,h6")].filter((each) => each.compareDocumentPosition(list) & FOLLOWING);
  return document.getElementById(named) ?? before.at(-1) ?? list;
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
  const gone = before[index];
  if (!gone || isElsewhere(gone)) return;
  const place = within(gone).indexOf(focused);
  for (const row of [...rows.slice(index), ...rows.slice(0, index).reverse()]) {
    const all = within(row);
    // The control at the same place, then the row's others, and then the row itself.
    if (give([...all.slice(place, place + 1), ...all, row])) return;
  }
  give([headingOf(/** @type {Element} */ (template.parentElement))]);
}

/**
 * Gives the focus of a part that is hidden to the next element that can have it, or else to the one before.
 * @param {Element} node
 */
export function goOn(node) {
  // The browser takes the focus off a hidden element when it paints.
  if (isElsewhere(node)) return;
  const others = within(document).filter((each) => each.tabIndex >= 0 && !node.contains(each));
  const next = others.filter((each) => node.compareDocumentPosition(each) & FOLLOWING);
  give([...next, ...others.reverse()]);
}
