// SPDX-License-Identifier: MIT
// The lines of a view model's source.
import { make, reveal } from "./make.js";

export class Source {
  element = make("pre", { className: "box source", tabIndex: 0, role: "group", "aria-label": "The view model in Swift" });
  #url;
  #isLoaded = false;

  /** @param {string} url of a text */
  constructor(url) {
    this.#url = url;
  }

  /** Gets the lines, if they have not come yet. Says so where they do not come. */
  async load() {
    if (this.#isLoaded) return;
    const text = await fetch(this.#url).then((answer) => (answer.ok ? answer.text() : undefined)).catch(() => undefined);
    this.#isLoaded = text !== undefined;
    const lines = (text ?? "// The lines did not come.\n// Hide the traffic and show it to try again.").trimEnd().split("\n");
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
