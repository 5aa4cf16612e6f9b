// SPDX-License-Identifier: MIT
// The scripts of the cookbook's recipes. Each paragraph belongs to one recipe, and stands beside it on the page.
import { root } from "/euripus.js";
const cookbook = root("cookbook");

// A modal: it is open while the state says so, and Escape only asks the view model to close it. A browser closes it at a
// second Escape all the same, so it is opened again then.
const dialog = document.querySelector("#rename");
dialog.addEventListener("cancel", (event) => event.preventDefault());
dialog.addEventListener("close", () => show(cookbook.state.isRenaming));
cookbook.follow("isRenaming", show);
function show(isOpen) {
  if (isOpen && !dialog.open) dialog.showModal();
  if (!isOpen) dialog.close();
}

// A menu: it closes once one of its buttons is pressed.
for (const menu of document.querySelectorAll("[popover]")) {
  menu.addEventListener("click", () => menu.hidePopover());
}

// Shortcuts: a key presses the button that names it.
const modifiers = ["Control", "Alt", "Shift", "Meta"];
document.addEventListener("keydown", (event) => {
  const held = modifiers.filter((key) => event.getModifierState?.(key));
  if (!held.length) return;
  const isLetter = /^[a-z]$/i.test(event.key);
  const key = isLetter ? event.key.toUpperCase() : event.code.replace("Key", "");
  const keys = [...held, key].join("+");
  const button = document.querySelector(`[aria-keyshortcuts~="${keys}"]`);
  if (!button) return;
  event.preventDefault();
  button.click();
});

// The focus after a change: a new row's field gets it.
function focusNewRow({ detail }) {
  if (detail.name !== "added") return;
  document.querySelector(`#names [data-key="${detail.value}"]`).focus();
}
document.addEventListener("vm:pulse", focusNewRow);

// Drag and drop: a row that is dropped on another one takes its place.
const places = document.querySelector("#places");
let dragged;
places.addEventListener("dragstart", (event) => {
  dragged = event.target.dataset?.key;
});
places.addEventListener("dragend", () => {
  dragged = undefined;
});
places.addEventListener("dragover", (event) => event.preventDefault());
places.addEventListener("drop", (event) => {
  event.preventDefault();
  const to = event.target.closest("[data-key]")?.dataset.key;
  if (!dragged || !to) return;
  cookbook.perform("move", { boat: dragged, to }).catch(console.warn);
});

// A row that leaves slowly: it comes back for the time of its animation, and can no longer be used.
new MutationObserver((records) => {
  for (const { removedNodes, previousSibling } of records.reverse()) {
    for (const row of removedNodes) {
      if (row.isConnected || row.inert) continue;
      row.inert = true;
      row.classList.add("leaving");
      previousSibling.after(row);
      const ends = row.getAnimations().map(({ finished }) => finished);
      Promise.allSettled(ends).then(() => row.remove());
    }
  }
}).observe(document.querySelector("#crews"), { childList: true });

// Numbers as the reader writes them.
customElements.define("local-number", class extends HTMLElement {
  static observedAttributes = ["value"];
  attributeChangedCallback(name, before, value) {
    this.textContent = value && Number(value).toLocaleString(navigator.languages);
  }
});

// Times as the reader writes them, in the reader's time zone.
customElements.define("local-time", class extends HTMLElement {
  static observedAttributes = ["value"];
  attributeChangedCallback(name, before, value) {
    const style = { dateStyle: "long", timeStyle: "short" };
    const time = new Date(value);
    this.textContent = value && time.toLocaleString(navigator.languages, style);
  }
});

// Printing.
const printer = document.querySelector("#to-paper");
printer.addEventListener("click", () => print());
