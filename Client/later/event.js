// SPDX-License-Identifier: MIT

/**
 * `data-vm-event`: a pulse of the view model is a DOM event at the element, `vm:pulse`, with the pulse's value. Pulses that came together are
 * one event, as frames are merged; how many there were is its `count`. Those that came while this was loaded came together.
 * @type {import("../part.js").Directive}
 */
export const directive = (node, { part, at, names, first }) => {
  /** @type {number | undefined} */
  let known = first && (first.value?.count ?? 0);
  let session = first?.url;
  part.onState(() => {
    const { count = 0, value } = at() ?? {};
    // The first state of a session tells of pulses that nobody here has missed.
    if (known !== undefined && session === part.root.session.url && count > known) {
      const detail = { name: names.at(-1), value, count: count - known };
      node.dispatchEvent(new CustomEvent("vm:pulse", { bubbles: true, detail }));
    }
    [known, session] = [count, part.root.session.url];
  });
};
