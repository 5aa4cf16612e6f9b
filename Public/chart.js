// SPDX-License-Identifier: MIT
// A widget as a custom element: bars, from a property that the page's markup binds to the state. It knows nothing of Euripus.
//
//   <bar-chart data-vm-prop-points="heights" aria-label="Letters"></bar-chart>

const SVG = "http://www.w3.org/2000/svg";

/** Draws its `points`, an array of numbers from 0 on, as bars of one height in all. */
class BarChart extends HTMLElement {
  #points = [];
  get points() {
    return this.#points;
  }
  set points(points) {
    this.#points = Array.isArray(points) ? points : [];
    if (this.isConnected) this.#draw();
  }
  constructor() {
    super();
    // The page may have set the property before this class was there: then it hides the class's own.
    const { points } = this;
    delete this.points;
    this.points = points;
  }

  #drawing = document.createElementNS(SVG, "svg");

  connectedCallback() {
    this.setAttribute("role", "img");
    this.#drawing.setAttribute("preserveAspectRatio", "none");
    this.append(this.#drawing);
    this.#draw();
  }

  /** Its content goes with the row that it stands in. */
  disconnectedCallback() {
    this.replaceChildren();
  }

  #draw() {
    const most = Math.max(1, ...this.#points);
    this.#drawing.setAttribute("viewBox", `0 0 ${Math.max(1, this.#points.length)} 1`);
    this.#drawing.replaceChildren(
      ...this.#points.map((point, index) => {
        const bar = document.createElementNS(SVG, "rect");
        const height = Math.max(0, point) / most;
        for (const [name, value] of Object.entries({ x: index + 0.1, y: 1 - height, width: 0.8, height })) bar.setAttribute(name, value);
        return bar;
      }),
    );
  }
}

customElements.define("bar-chart", BarChart);
