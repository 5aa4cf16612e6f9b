// SPDX-License-Identifier: MIT
// The contents of a long page: they mark the part that is read, and a search field in them leaves the parts that have
// its words. A part is an `article` with an `id`; its `data-words` are further words that people look for.

const contents = document.querySelector(".contents");
const field = contents.querySelector("input");
const found = contents.querySelector("[role=status]");
const links = [...contents.querySelectorAll("a")];
const parts = [...document.querySelectorAll("article[id]")];
const sections = new Set(parts.map((part) => part.closest("section")));

/** The parts in the upper half of the window. */
const seen = new Set();

/** Marks the link to the first part that is seen, and shows it where the contents scroll by themselves. */
function follow(entries) {
  for (const { target, isIntersecting } of entries) isIntersecting ? seen.add(target) : seen.delete(target);
  const part = parts.find((each) => seen.has(each));
  if (!part) return;
  const current = links.find((link) => link.hash === "#" + part.id);
  for (const link of links) link.removeAttribute("aria-current");
  current.setAttribute("aria-current", "true");
  contents.scrollTop = current.offsetTop - contents.clientHeight / 2;
}

/** The text in which the words of a search are looked for: a part's name, its purpose, and its further words. */
const textOf = (part) =>
  [part.querySelector("h3"), part.querySelector("p")].map((each) => each.textContent).concat(part.dataset.words).join(" ").toLowerCase();

/** Whether an element leads to a part that is shown, or has one in it. */
const isNeeded = (item) => [...item.querySelectorAll("a")].some((link) => !document.getElementById(link.hash.slice(1)).closest("[hidden]"));

/** Shows the parts that have all words of the search, and the links that lead to them. */
function search() {
  const words = field.value.toLowerCase().split(/\s+/);
  for (const part of parts) part.hidden = !words.every((word) => textOf(part).includes(word));
  for (const section of sections) section.hidden = !section.querySelector("article:not([hidden])");
  for (const item of contents.querySelectorAll("li")) item.hidden = !isNeeded(item);
  const count = parts.filter((part) => !part.hidden).length;
  found.textContent = field.value.trim() && (count ? `${count} of ${parts.length}` : "Nothing here matches. Try another word, or the index of the handbook, Documentation/CLIENT.md.");
}

const observer = new IntersectionObserver(follow, { rootMargin: "0px 0px -50% 0px" });
for (const part of parts) observer.observe(part);
field.addEventListener("input", search);
// A link within the page may lead to a part that the search has hidden.
addEventListener("hashchange", () => {
  const part = document.getElementById(location.hash.slice(1));
  if (!part?.closest("[hidden]")) return;
  field.value = "";
  search();
  part.scrollIntoView();
});
search();
