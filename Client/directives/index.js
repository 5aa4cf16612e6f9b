// SPDX-License-Identifier: MIT
// The attributes: `data-vm-NAME` is the directive of that name.
import { bind, field } from "./fields.js";
import { cancel, perform } from "./actions.js";
import { each, when } from "./rows.js";
import { later } from "./later.js";
import { attr, className, prop, show, text } from "./showing.js";

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
  title: later("title"),
  lang: later("language"),
  window: later("window"),
  event: later("event"),
};
