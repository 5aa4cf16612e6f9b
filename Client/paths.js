// SPDX-License-Identifier: MIT
// Paths, as attributes have them, and JSON pointers, as the wire has them (RFC 6901).
import { textOf, valueAt } from "./values.js";

/**
 * A path of an attribute: `["!"] ("/" | {"../"}) name {"/" name} ["=" literal]`.
 * @typedef {object} Path
 * @property {string} not `!`, or nothing
 * @property {string} start `/`, some `../`, or nothing
 * @property {string[]} names
 * @property {string} [literal] the text that the value is compared with
 */

/**
 * The names as the path of a URL: a JSON pointer with percent-encoded names.
 * @param {string[]} names
 */
export const pointer = (names) =>
  names.map((name) => "/" + encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))).join("");

/**
 * Whether the path of a URL is that of a place, or below it.
 * @param {string | undefined} place
 * @param {string} path
 */
export const isBelow = (place, path) => place !== undefined && (path + "/").startsWith(place === "/" ? place : place + "/");

/**
 * The names of a JSON pointer.
 * @param {string} text
 */
export function namesOf(text) {
  const [first, ...names] = text.split("/");
  if (first) throw Error(text);
  return names.map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/**
 * The paths that were parsed, by their texts: rows have the same ones.
 * @type {Map<string, Path>}
 */
const parsed = new Map();

/**
 * @param {string} text
 * @returns {Path}
 */
export function parsePath(text) {
  const known = parsed.get(text);
  if (known) return known;
  const match = /^(!?)(\/|(?:\.\.\/)*)([^/=!][^/=]*(?:\/[^/=]+)*)(?:=(.*))?$/s.exec(text);
  const [, not = "", start = "", path = "", literal] = match ?? [];
  const names = start + path === "." ? [] : namesOf("/" + path);
  if (!path || names.some((name) => name === "." || name === "..")) throw Error("not a path: " + text);
  const result = { not, start, names, literal };
  parsed.set(text, result);
  return result;
}

/**
 * Whether a value is one of a part's own object, and so the same one as before while that object is.
 * @param {string[]} names
 * @param {string[][]} scopes
 */
export const isOwn = (names, scopes) =>
  /** @type {string[]} */ (scopes.at(-1)).every((name, index) => names[index] === name);

/**
 * The names from the state's root. A path without a start is relative to a scope: the names of a row, or none for the
 * root.
 * @param {Path} path
 * @param {string[][]} scopes from the root's to the innermost
 */
export function resolve({ start, names }, scopes) {
  const scope = start === "/" ? [] : scopes.at(-1 - start.length / "../".length);
  if (!scope) throw Error("no scope");
  return [...scope, ...names];
}

/**
 * The value of a path. `#` is the key of the row that the path stands in.
 * @param {Path} path
 * @param {any} tree
 * @param {string[][]} scopes
 * @param {any} own the object of the innermost scope
 */
export function evaluate(path, tree, scopes, own) {
  const { start, names } = path;
  const isKey = names.at(-1) === "#";
  const value = isKey ? resolve(path, scopes).at(-2) : start ? valueAt(tree, resolve(path, scopes)) : valueAt(own, names);
  const told = path.literal === undefined ? value : textOf(value) === path.literal;
  return path.not ? !told : told;
}
