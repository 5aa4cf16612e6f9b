// SPDX-License-Identifier: MIT
// The attributes: `data-vm-NAME` is the directive of that name.
import { bind, field } from "./fields.js";
import { cancel, perform } from "./actions.js";
import { each, when } from "./rows.js";
import { event } from "./event.js";
import { attr, className, lang, prop, show, text } from "./showing.js";
import { title } from "./title.js";
import { window } from "./window.js";

/**
 * A directive in a file of its own, `euripus-NAME.js`, which only pages with such an attribute load.
 * @type {import("../part.js").Directive}
 */
const later = (node, binding) => {
  const file = "./euripus-" + binding.kind + ".js";
  import(file).then(({ add }) => add(node, binding));
};

/** @type {Record<string, import("../part.js").Directive>} */
export const DIRECTIVES = {
  text,
  show,
  class: className,
  prop,
  attr,
  bind,
  field,
  each,
  if: when,
  do: perform,
  cancel,
  title,
  lang,
  window,
  event,
  conflict: later,
  upload: later,
};
