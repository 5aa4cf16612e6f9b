// SPDX-License-Identifier: MIT
// A widget as a form-associated custom element: a month whose days are chosen. It knows nothing of Euripus.
//
//   <month-calendar aria-label="Day" data-vm-bind="day"></month-calendar>
//
// A form gets its value under its `name`. Safari before 16.4 has no `attachInternals`, so a form gets none there.

const WEEK = 7;
const KEYS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -WEEK, ArrowDown: WEEK };

/** The day so many days after another one; both as texts such as `2026-11-23`. */
function shifted(day, count) {
  const date = new Date(day + "T00:00Z");
  date.setUTCDate(date.getUTCDate() + count);
  return date.toISOString().slice(0, 10);
}

/** Shows the month of its `value`, a day such as `2026-11-23`, and fires `input` when a person chooses another one. */
class MonthCalendar extends HTMLElement {
  static formAssociated = true;
  #internals = this.attachInternals?.();
  #value = "";
  get value() {
    return this.#value;
  }
  set value(value) {
    this.#value = /^\d{4}-\d\d-\d\d$/.test(value) ? value : "";
    this.#internals?.setFormValue(this.#value);
    if (this.isConnected) this.#draw();
  }
  #choose(day) {
    if (!day) return;
    this.value = day;
    this.querySelector("[aria-pressed=true]").focus();
    this.dispatchEvent(new Event("input", { bubbles: true }));
  }

  constructor() {
    super();
    // The page may have set the value before this class was there: then it hides the class's own.
    const { value } = this;
    delete this.value;
    this.value = value;
    this.addEventListener("click", ({ target }) => this.#choose(target.dataset.day));
    this.addEventListener("keydown", (event) => this.#step(event));
  }

  connectedCallback() {
    this.setAttribute("role", "group");
    this.#draw();
  }

  /** An arrow with Alt, Ctrl or Meta is the browser's, as in going back. */
  #step(event) {
    if (!KEYS[event.key] || !this.#value || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.#choose(shifted(this.#value, KEYS[event.key]));
  }

  #draw() {
    const hadFocus = this.contains(document.activeElement);
    const first = (this.#value || new Date().toISOString()).slice(0, 8) + "01";
    const date = new Date(first + "T00:00Z");
    const name = document.createElement("p");
    name.textContent = date.toLocaleDateString(navigator.languages, { month: "long", year: "numeric", timeZone: "UTC" });
    const days = [];
    for (let day = first; day.slice(0, 7) === first.slice(0, 7); day = shifted(day, 1)) days.push(this.#button(day, Number(day.slice(8))));
    // The first day stands in the column of its weekday; a week begins with Monday.
    days[0].style.gridColumnStart = ((date.getUTCDay() + 6) % WEEK) + 1;
    const before = this.#button(shifted(first, -1), "←");
    const after = this.#button(shifted(days.at(-1).dataset.day, 1), "→");
    before.setAttribute("aria-label", "Previous month");
    after.setAttribute("aria-label", "Next month");
    this.replaceChildren(before, name, after, ...days);
    if (hadFocus) this.querySelector("[aria-pressed=true]")?.focus();
  }

  #button(day, name) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: name });
    button.dataset.day = day;
    button.setAttribute("aria-pressed", day === this.#value);
    return button;
  }
}

customElements.define("month-calendar", MonthCalendar);
