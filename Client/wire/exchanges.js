// SPDX-License-Identifier: MIT
// The list of exchanges, the newest last, as in a log: it stays scrolled to its end, unless a person scrolls up.
import { bytes, format, parse } from "./json.js";
import { make } from "./make.js";
import { HIDDEN } from "./secrets.js";

/** @typedef {import("./traffic.js").Exchange} Exchange */

/** The most lines of JSON that are shown unfolded. */
const LINES = 14;

/** The pixels from its end within which the list counts as scrolled to it. */
const NEAR = 16;

export class Exchanges {
  element = make("ol", { className: "box exchanges", tabIndex: 0, "aria-label": "Requests and answers" });
  /**
   * The item of each exchange, its texts, and whether it will stay as it is.
   * @type {Map<Exchange, { item: HTMLElement, texts: string, isFinal: boolean }>}
   */
  #items = new Map();
  #secrets;

  /** @param {import("./secrets.js").Secrets} secrets */
  constructor(secrets) {
    this.#secrets = secrets;
  }

  /**
   * Shows these exchanges, and no other. Marks those that brought the newest version.
   * @param {Exchange[]} exchanges
   * @param {string | undefined} version
   */
  show(exchanges, version) {
    const { scrollTop, clientHeight, scrollHeight } = this.element;
    const isAtEnd = scrollTop + clientHeight > scrollHeight - NEAR;
    for (const [exchange, { item }] of this.#items) {
      if (exchanges.includes(exchange)) continue;
      item.remove();
      this.#items.delete(exchange);
    }
    for (const exchange of exchanges) {
      const known = this.#items.get(exchange);
      const item = known?.item ?? make("li");
      if (!known) this.element.append(item);
      if (!known?.isFinal) this.#items.set(exchange, { item, ...this.#fill(item, exchange, known?.texts) });
      item.classList.toggle("lit", !!version && item.dataset.to === version);
    }
    if (isAtEnd) this.element.scrollTop = this.element.scrollHeight;
  }

  /**
   * Writes an exchange, if its texts are others than before: what a person has unfolded stays so. Answers its texts, and
   * whether it will stay as it is: it is answered, and no state will show what it hides.
   * @param {HTMLElement} item
   * @param {Exchange} exchange
   * @param {string | undefined} before
   */
  #fill(item, exchange, before) {
    const { method, path, session, status, milliseconds = 0, sent = "", received = "" } = exchange;
    const target = path ? "…" + path : session;
    const outcome = status === undefined ? "waiting" : `${status || "no answer"} · ${Math.round(milliseconds)} ms`;
    const value = this.#secrets.sent(exchange);
    const up = value === undefined ? "" : format(value);
    const isHidden = up.includes(HIDDEN);
    const answer = parse(received);
    // One that brought nothing new is not marked.
    item.dataset.to = answer.patch?.length || answer.state ? answer.to ?? answer.version : "";
    const down = received && format(this.#secrets.received(answer));
    const texts = JSON.stringify([outcome, up, down]);
    if (texts !== before) item.replaceChildren(
      make("p", { className: "line" }, make("code", {}, `${method} ${target}`), make("span", {}, outcome)),
      // The length of a secret is a part of it.
      ...(up ? body(isHidden ? "up" : `up ${bytes(sent)}`, up) : []),
      ...(down ? body(`down ${bytes(received)}`, down) : []),
    );
    return { texts, isFinal: status !== undefined && !isHidden };
  }
}

/**
 * @param {string} head
 * @param {string} text
 */
function body(head, text) {
  const { length } = text.split("\n");
  const json = make("pre", {}, make("code", {}, text));
  const shown = length > LINES ? make("details", {}, make("summary", {}, make("code", {}, text.replace(/\n */g, " "))), json) : json;
  return [make("p", { className: "direction" }, head), shown];
}
