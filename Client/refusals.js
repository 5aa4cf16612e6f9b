// SPDX-License-Identifier: MIT
// Names and values that a path never sets. A view model's values are not to run as code, and not to load from
// anywhere but the web (CLIENT.md, "What is refused").
import { textOf } from "./values.js";

const CODE = /^(on.*|style|srcdoc|protocol|.*html)$/i;
const ANIMATION = /^(animate\w*|set) (attributename|from|to|by|values)$/i;
const ADDRESS = /(href|src|srcset|action|data|^(poster|ping|cite|background|manifest|codebase|longdesc))$/i;
const SEVERAL_ADDRESSES = /(srcset|^ping|^attributionsrc)$/i;

/**
 * Whether an element takes no values at all: its text is code, or a style that may load things.
 * @param {string} element its local name
 */
export const refusedElement = (element) => /^(script|style)$/i.test(element);

/**
 * Whether a path may not set the attribute or property of this name.
 * @param {string} name
 * @param {string} element its local name
 */
export const refusedName = (name, element) => CODE.test(name) || ANIMATION.test(element + " " + name);

/**
 * Whether the scheme of an address is refused. The scheme is found as the URL standard finds it.
 * @param {string} text
 */
const refusedAddress = (text) =>
  /^(?!(https?|mailto|tel):)[a-z][a-z\d+.-]*:/i.test(text.replace(/^[\0- ]+|[\t\n\r]/g, ""));

/**
 * Whether a value is a refused address of an attribute, or several addresses with a refused one among them.
 * @param {string} name
 * @param {any} value
 */
export function refusedValue(name, value) {
  const addresses = SEVERAL_ADDRESSES.test(name) ? textOf(value).split(/[\s,]+/) : [textOf(value)];
  return ADDRESS.test(name) && addresses.some(refusedAddress);
}
