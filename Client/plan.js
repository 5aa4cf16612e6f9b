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
 * The plan of the rows that are copies of an element in a template.
 * @param {Element} source
 */
export function planOf(source) {
  const plan = plans.get(source) ?? scan(source);
  plans.set(source, plan);
  return plan;
}

/**
 * The elements of a part that have attributes, children first, so that a window finds its rows and a choice its
 * options.
 * @param {Element} node the part's element, or one in it
 * @param {Element[]} [nodes] all elements of the part
 * @returns {Step[]}
 */
export function scan(node, nodes = [node, ...node.querySelectorAll("*")]) {
  const steps = [...node.children].filter((child) => !child.matches(FOREIGN)).flatMap((child) => scan(child, nodes));
  /** @type {Step} */
  const step = { index: nodes.indexOf(node), bindings: [], args: {} };
  for (const { name, value: text } of node.attributes) {
    const [, kind = "", rest = ""] = /^data-vm-([a-z]+)-?(.*)$/.exec(name) ?? [];
    if (kind === "arg" || has(DIRECTIVES, kind)) step.bindings.push({ name, kind, rest, text });
  }
  return step.bindings.length ? [...steps, step] : steps;
}
