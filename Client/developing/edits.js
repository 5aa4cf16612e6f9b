// SPDX-License-Identifier: MIT
// The page's part of `euripus dev`, which tells of edits. An edited style is loaded anew, and a page when it or another of its
// files was edited. A program that could not be built, or that has trapped, is shown above the page.

const NEWS = "/euripus-development.json";
const PAUSE = 300;

/**
 * The news: how often each file of the pages was edited, by its path, and the fault of the program, if it has one.
 * @typedef {{ edits: Record<string, number>, fault: { title: string, text: string } | null }} News
 */

let isFollowing = false;
/** @type {News["edits"] | undefined} the edits that the page has seen */
let seen;
/** @type {HTMLElement | undefined} */
let shown;

/** Follows the edits, once for all roots of a page. */
export function followEdits() {
  if (!isFollowing) ask();
  isFollowing = true;
}

async function ask() {
  try {
    const answer = await fetch(NEWS);
    // The server was started by itself.
    if (answer.status === 204) return;
    if (answer.ok) take(await answer.json());
  } catch {
    // The next server has not begun.
  }
  setTimeout(ask, PAUSE);
}

/** @param {News} news */
function take({ edits, fault }) {
  const before = seen ?? edits;
  seen = edits;
  show(fault);
  for (const path of Object.keys(edits).filter((path) => edits[path] !== before[path])) {
    if (!renewStyle(path, edits[path]) && isOfPage(path)) location.reload();
  }
}

/**
 * Loads a style anew. The old one counts until the new one is there.
 * @param {string} path
 * @param {number} edit
 * @returns {boolean} whether the path is one of the page's styles
 */
function renewStyle(path, edit) {
  /** @type {HTMLLinkElement[]} */
  const links = [...document.querySelectorAll("link")].filter(({ rel, href }) => rel === "stylesheet" && pathOf(href) === path);
  for (const link of links) {
    const next = /** @type {HTMLLinkElement} */ (link.cloneNode());
    next.href = `${path}?edit=${edit}`;
    next.addEventListener("load", () => link.remove());
    link.after(next);
  }
  return links.length > 0;
}

/**
 * @param {string} path
 * @returns {boolean} whether it is the file of the page itself, or of something that the page has loaded
 */
function isOfPage(path) {
  const { pathname } = location;
  // The file of a page at an address of its own is not known here.
  const isAddress = !/\.\w+$/.test(pathname);
  return path === pathname || (isAddress && path.endsWith(".html")) ||
    performance.getEntriesByType("resource").some(({ name }) => pathOf(name) === path);
}

/** @param {string} url */
const pathOf = (url) => new URL(url, location.href).pathname;

/**
 * Shows the fault of the program above the page; none takes it away.
 * @param {News["fault"]} fault
 */
function show(fault) {
  if (!fault || shown?.textContent !== fault.title + fault.text) shown?.remove();
  if (!fault || shown?.isConnected) return;
  shown = document.createElement("div");
  shown.setAttribute("role", "alert");
  shown.dataset.vmPermanent = "euripus-development";
  Object.assign(shown.style, {
    position: "fixed", inset: "auto 0 0", zIndex: "2147483647", maxHeight: "50vh", overflow: "auto", padding: "1rem", color: "#fff",
    background: "#7f1d1d", font: "14px/1.5 ui-monospace, monospace", whiteSpace: "pre-wrap",
  });
  const title = document.createElement("strong");
  title.textContent = fault.title;
  const text = document.createElement("p");
  text.textContent = fault.text;
  shown.append(title, text);
  document.body.append(shown);
}
