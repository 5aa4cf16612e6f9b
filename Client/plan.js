// SPDX-License-Identifier: MIT
// The plan of a part: its attributes and what each asks for, found once for each template, however many rows that has.
import { DIRECTIVES } from "./directives/index.js";
import { has } from "./values.js";

/** The elements whose subtrees do not belong to a root. */
const FOREIGN = "[data-vm-permanent],[data-vm-root]";

/**
 * An attribute: its name, its directive, the text behind that in the name, and its value.
 * @typedef {{ name: string, kind: string, rest: string, text: string }} Planned
 */

/**
 * An element with attributes, by its place among the elements of its part. Its arguments are found as it is set up.
 * @typedef {{ index: number, bindings: Planned[], args: Record<string, string> }} Step
 */

/** @type {WeakMap<Element, Step[]>} */
const plans = new WeakMap();

/**
 * The elements of a part that have attributes, children first, so that a window finds its rows and a choice its
 * options.
 * @param {Element} element
 * @returns {Step[]}
 */
export function planOf(element) {
  let plan = plans.get(element);
  if (!plan) plans.set(element, (plan = scanned(element, [element, ...element.querySelectorAll("*")])));
  return plan;
}

/**
 * @param {Element} node
 * @param {Element[]} nodes
 * @returns {Step[]}
 */
function scanned(node, nodes) {
  const steps = [...node.children].filter((child) => !child.matches(FOREIGN)).flatMap((child) => scanned(child, nodes));
  /** @type {Step} */
  const step = { index: nodes.indexOf(node), bindings: [], args: {} };
  for (const { name, value: text } of node.attributes) {
    const [, kind = "", rest = ""] = /^data-vm-([a-z]+)-?(.*)$/.exec(name) ?? [];
    if (kind === "arg" || has(DIRECTIVES, kind)) step.bindings.push({ name, kind, rest, text });
  }
  return step.bindings.length ? [...steps, step] : steps;
}
