// SPDX-License-Identifier: MIT

/**
 * `data-vm-event`: a pulse of the view model becomes a DOM event at the element, `vm:pulse`, with the pulse's
 * value. Pulses that come together become one event, as frames are merged; `count` is their number. Pulses that
 * came while this module was loaded count as one event, too.
 * @type {import("../part.js").Directive}
 */
export const directive = (node, { part, at, names, first }) => {
  /** @type {number | undefined} */
  let known = first && (first.value?.count ?? 0);
  let session = first?.url;
  part.onState(() => {
    const { count = 0, value } = at() ?? {};
    // The first state of a session counts pulses from before, which are no news to this page.
    if (known !== undefined && session === part.root.session.url && count > known) {
      const detail = { name: names.at(-1), value, count: count - known };
      node.dispatchEvent(new CustomEvent("vm:pulse", { bubbles: true, detail }));
    }
    [known, session] = [count, part.root.session.url];
  });
};
