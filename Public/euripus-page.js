// SPDX-License-Identifier: MIT
// The script of pages that 'euripus page' prints: forms of actions that take a value, and values that are no text. A page
// that you have written needs neither: bind the action's value, and show rows.
//
//   <form data-page-do="move">
//     <label>Card <input data-page-value="card"></label> <label>Place <input type="number" data-page-type="number" data-page-value="place"></label>
//     <button type="submit">Move</button>
//     <p role="status" data-page-said></p>
//   </form>
//
// performs 'move' with {"card":…,"place":…}; one input with data-page-value="" is the whole value. data-page-set writes a
// value instead. In a row of a list the path is the row's own.
import { root } from "/euripus.js";

/** The names of a pointer, as a key of a row may have any characters. */
const escaped = (key) => key.replaceAll("~", "~0").replaceAll("/", "~1");

/** The path from the root's state: below the rows that the form stands in. */
function pathOf(form, path) {
  const row = form.parentElement.closest("[data-page-row]");
  return row ? pathOf(row, `${row.dataset.pageRow}/items/${escaped(row.dataset.pageKey)}/${path}`) : path;
}

/** Reads an input's text as a value, by the type that the page says. */
const READERS = {
  number: Number,
  json: JSON.parse,
  lines: (text) => text.split("\n").filter((line) => line !== ""),
};

/** The value of an input; undefined for one that is left out. */
function valueOf({ type, checked, value, dataset: { pageType, pageNull, pageOptional } }) {
  if (type === "checkbox") return checked;
  if (value === "" && pageOptional !== undefined) return undefined;
  if (value === "" && pageNull !== undefined) return null;
  return READERS[pageType]?.(value) ?? value;
}

/** The value of a form: that of its one input without a name, or an object. */
function valueIn(form) {
  const inputs = [...form.querySelectorAll("[data-page-value]")].map((input) => [input.dataset.pageValue, valueOf(input)]);
  if (inputs[0]?.[0] === "") return inputs[0][1];
  return Object.fromEntries(inputs.filter(([, value]) => value !== undefined));
}

/** A value as a person reads it. */
function textOf(value) {
  const isList = Array.isArray(value);
  if (value == null || (isList && !value.length)) return isList ? "none" : "";
  if (isList && value.every((each) => Object(each) !== each)) return value.join(", ");
  return Object(value) === value ? JSON.stringify(value, null, 2) : String(value);
}

async function send(form) {
  const { pageDo, pageSet } = form.dataset;
  const button = form.querySelector("[type=submit]");
  const said = form.querySelector("[data-page-said]");
  const say = (words, isWrong = true) => {
    said.textContent = words;
    said.classList.toggle("wrong", isWrong);
  };
  if (button.getAttribute("aria-busy")) return;
  if (button.getAttribute("aria-disabled") === "true") return say("That is not possible now.");
  button.setAttribute("aria-busy", "true");
  try {
    const handle = root(form.closest("[data-vm-root]"));
    const value = valueIn(form);
    const result = await (pageDo === undefined ? handle.set(pathOf(form, pageSet), value) : handle.perform(pathOf(form, pageDo), value));
    say(textOf(result) || "Done.", false);
    form.reset();
  } catch (error) {
    say(error.detail ?? error.title ?? `That is no value of this kind: ${error.message}`);
  } finally {
    button.removeAttribute("aria-busy");
  }
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-page-do], [data-page-set]")) return;
  event.preventDefault();
  send(event.target);
});

/** Shows its `value`, any JSON, as a text. */
class JSONValue extends HTMLElement {
  #value;
  get value() {
    return this.#value;
  }
  set value(value) {
    this.#value = value;
    this.textContent = textOf(value);
  }

  connectedCallback() {
    // The page may have set the property before this class was there: then it hides the class's own.
    if (!Object.hasOwn(this, "value")) return;
    const { value } = this;
    delete this.value;
    this.value = value;
  }
}

customElements.define("json-value", JSONValue);
