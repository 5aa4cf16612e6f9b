// SPDX-License-Identifier: MIT
// `data-vm-window`: an element that scrolls asks for the part of a list that it shows (CLIENT.md, "Windows").
import { hear } from "../listening.js";
import { writes } from "../targets.js";

/** @type {import("../part.js").Directive} */
export const window = (node, { part, at, names }) => {
  const { root } = part;
  let asked = "";
  const look = () => {
    const row = node.querySelector("template + *");
    const { count, order, window } = at() ?? {};
    const height = row?.offsetHeight;
    if (!window || !height) return;
    // Leaves room for the rows that are not there.
    row.parentNode.style.paddingBlock = `${window.first * height}px ${(count - window.first - order.length) * height}px`;
    const page = Math.ceil(node.clientHeight / height);
    const turn = Math.floor(node.scrollTop / height / page);
    // The server may grant another part, and that counts. So the page asks for a part once in an epoch, whose first state may
    // have the first rows again.
    const wanted = [root.version.split(".")[0], page, turn].join();
    if (asked === wanted) return;
    asked = wanted;
    root.queue.add({ what: writes([...names, "window"]), value: { first: turn && (turn - 1) * page, count: 3 * page } });
  };
  part.onState(look);
  return hear(["scroll", "resize"], look, root.signal);
};
