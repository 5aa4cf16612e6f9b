// SPDX-License-Identifier: MIT
// The lines of a view model's source.
import { make, reveal } from "./make.js";

export class Source {
  element = make("pre", { className: "box source", tabIndex: 0, role: "group", "aria-label": "The view model in Swift" });

  /** @param {string} url of a text */
  async load(url) {
    const answer = await fetch(url);
    if (!answer.ok) return;
    const lines = (await answer.text()).trimEnd().split("\n");
    this.element.replaceChildren(...lines.map((line) => make("code", {}, line + "\n")));
  }

  /**
   * Marks the lines that name a value of the state which has just changed, and no other.
   * @param {string[][]} changed paths
   */
  light(changed) {
    const names = [...new Set(changed.map(([name]) => `"${name}"`))];
    const lines = /** @type {HTMLElement[]} */ ([...this.element.children]);
    for (const line of lines) line.classList.toggle("lit", names.some((name) => line.textContent?.includes(name)));
    reveal(this.element, ".lit");
  }
}
