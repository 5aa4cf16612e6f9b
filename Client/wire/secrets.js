// SPDX-License-Identifier: MIT
// Values that the drawer does not show. A secret never stands in a state (PROTOCOL §2), so a text that is written to a
// place is shown only once the state has shown a text there. Nobody has to name the secrets, and none is forgotten.
import { namesOf } from "../paths.js";
import { parse } from "./json.js";
import { boundTo, passwordsOf } from "./passwords.js";

export const HIDDEN = "•••";

/** @typedef {import("./traffic.js").Exchange} Exchange */
/** @typedef {Pick<import("../types").Answer, "patch" | "state">} Frame */

export class Secrets {
  /** The paths, as JSON, at which a state has shown a text. */
  #shown = new Set();
  /** The texts that a state has shown, but for those of password fields. */
  #texts = new Set();
  #page;

  /** @param {ParentNode} page the part of the document that has the fields */
  constructor(page) {
    this.#page = page;
  }

  /**
   * Takes note of the texts of a frame: they are no secrets.
   * @param {Frame} frame
   */
  note({ state, patch = [] }) {
    const isPassword = boundTo(passwordsOf(this.#page));
    for (const { path, value } of [{ path: "", value: state }, ...patch]) {
      map(value, namesOf(path), (text, at) => {
        if (text) this.#shown.add(JSON.stringify(at));
        if (!isPassword(at)) this.#texts.add(text);
        return text;
      });
    }
  }

  /** Forgets all texts: those of a user who has signed out vouch for nobody else's. */
  forget() {
    this.#shown.clear();
    this.#texts.clear();
  }

  /**
   * The body of a request, without secrets; undefined where it has none.
   * @param {Exchange} exchange
   */
  sent({ path, sent }) {
    if (sent === undefined) return undefined;
    const value = parse(sent);
    const target = decodeURIComponent(path.split("?")[0]);
    if (target.startsWith("/state/")) return this.#written(value, namesOf(target).slice(1));
    if (!target.startsWith("/actions")) return value;
    return Array.isArray(value) && target === "/actions" ? value.map((entry) => this.#entry(entry)) : this.#given(value);
  }

  /**
   * The body of an answer, without the values of password fields. A server gives out no secrets.
   * @param {any} answer
   */
  received(answer) {
    if (Object(answer) !== answer) return answer;
    const { state, patch, token } = answer;
    return {
      ...answer,
      ...(token === undefined ? {} : { token: HIDDEN }),
      ...(state === undefined ? {} : { state: this.shown(state) }),
      ...(Array.isArray(patch) ? { patch: patch.map((each) => ("value" in each ? { ...each, value: this.shown(each.value, namesOf(each.path)) } : each)) } : {}),
    };
  }

  /**
   * A value of the state, without the values of password fields.
   * @param {any} value
   * @param {string[]} [names]
   */
  shown(value, names = []) {
    const isPassword = boundTo(passwordsOf(this.#page));
    return map(value, names, (text, at) => (text && isPassword(at) ? HIDDEN : text));
  }

  /**
   * A change of a batch (PROTOCOL §4).
   * @param {any} entry
   */
  #entry(entry) {
    if (entry?.set !== undefined) return { ...entry, value: this.#written(entry.value, namesOf(entry.set)) };
    return "value" in entry ? { ...entry, value: this.#given(entry.value) } : entry;
  }

  /**
   * @param {any} value
   * @param {string[]} names
   */
  #written(value, names) {
    const known = map(value, names, (text, at) => (text && !this.#shown.has(JSON.stringify(at)) ? HIDDEN : text));
    return this.shown(known, names);
  }

  /**
   * The value of an action. It has no place in the state, so a text is hidden unless the state has shown an equal one. A
   * text that stands in a password field is hidden all the same.
   * @param {any} value
   */
  #given(value) {
    const passwords = passwordsOf(this.#page).map((field) => field.value);
    return map(value, [], (text) => (text && (passwords.includes(text) || !this.#texts.has(text)) ? HIDDEN : text));
  }
}

/**
 * A value whose texts are replaced, each by the one for it and for its path.
 * @param {any} value
 * @param {string[]} names
 * @param {(text: string, names: string[]) => string} replace
 * @returns {any}
 */
function map(value, names, replace) {
  if (typeof value === "string") return replace(value, names);
  if (Object(value) !== value) return value;
  const members = Object.entries(value).map(([name, each]) => [name, map(each, [...names, name], replace)]);
  return Array.isArray(value) ? members.map(([, each]) => each) : Object.fromEntries(members);
}
