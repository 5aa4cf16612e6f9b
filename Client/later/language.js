// SPDX-License-Identifier: MIT
import { showing } from "../directives/showing.js";
import { textOf } from "../values.js";

/** `data-vm-lang`: the language of the document. */
export const directive = showing((_, value) => (document.documentElement.lang = textOf(value)));
