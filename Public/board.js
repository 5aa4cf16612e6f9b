// SPDX-License-Identifier: MIT
// The board's page: dragging, moving by keyboard, the two fields that send an action, and the mark of the cards that were found.
import { root } from "/euripus.js";

const [board, finder] = [root("board"), root("card-finder")];
const cards = document.querySelector("#cards");
const told = (error) => console.warn(error);

/** Performs an action with what a form's only field has, when it is submitted. */
function submits(form, send) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const field = form.querySelector("input");
    send(field.value, field);
  });
}

submits(document.querySelector("#new"), (text, field) => {
  if (!board.state?.canAdd || !text.trim()) return;
  field.value = "";
  board.perform("add", { column: "todo", text }).catch((error) => {
    field.value ||= text;
    told(error);
  });
});
submits(document.querySelector("#me"), (name) => board.perform("call", name).catch(told));

// Somebody else has deleted the card in which this person has just written.
const lost = document.querySelector("#lost");
document.addEventListener("vm:error", ({ detail }) => {
  if (!detail.text) return;
  lost.querySelector("q").textContent = detail.text;
  lost.hidden = false;
});
lost.querySelector("button").addEventListener("click", () => {
  board.perform("add", { column: "todo", text: lost.querySelector("q").textContent }).then(() => (lost.hidden = true), told);
});

let dragged;
cards.addEventListener("dragstart", (event) => { dragged = event.target.dataset?.key; });
cards.addEventListener("dragend", () => { dragged = undefined; });
cards.addEventListener("dragover", (event) => event.preventDefault());
cards.addEventListener("drop", (event) => {
  event.preventDefault();
  const over = event.target.closest("[data-key]")?.dataset.key;
  if (!dragged || dragged === over) return;
  const column = board.state?.cards.items[over]?.column ?? columnAt(event.clientX);
  board.perform("move", { card: dragged, column, ...(over && { before: over }) }).catch(told);
});

// By keyboard too a card changes its place within its column.
cards.addEventListener("click", ({ target }) => {
  const step = Number(target.closest("[data-step]")?.dataset.step);
  const card = target.closest("[data-key]")?.dataset.key;
  const { order, items } = board.state?.cards ?? {};
  if (!step || !items?.[card]) return;
  const { column } = items[card];
  const others = order.filter((key) => items[key].column === column && key !== card);
  const place = order.filter((key) => items[key].column === column).indexOf(card) + step;
  if (place < 0 || place > others.length) return;
  const before = others[place];
  board.perform("move", { card, column, ...(before && { before }) }).catch(told);
});

// A person who leaves the cards is at none of them.
cards.addEventListener("focusout", (event) => {
  if (!cards.contains(event.relatedTarget)) board.perform("point", null).catch(told);
});

/** The column under a place between the cards. */
function columnAt(x) {
  const heads = [...cards.querySelectorAll("h2")];
  return (heads.findLast((head) => head.getBoundingClientRect().left <= x) ?? heads[0]).className;
}

/** Marks the cards that were found. */
function mark() {
  const found = new Set(finder.state?.found);
  for (const card of cards.querySelectorAll("[data-key]")) card.classList.toggle("found", found.has(card.dataset.key));
}
finder.follow("found", mark);
board.follow("cards/order", mark);
