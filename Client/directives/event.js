// SPDX-License-Identifier: MIT

/**
 * `data-vm-event`: a pulse of the view model becomes a DOM event at the element, `vm:pulse`, with the pulse's
 * value. Pulses that come together become one event, as frames are merged; `count` is their number.
 * @type {import("../part.js").Directive}
 */
export const event = (node, { part, at, names }) => {
  let known = 0;
  /** @type {string | undefined} */
  let session;
  part.onState(() => {
    const { url } = part.root.session;
    const { count = 0, value } = at() ?? {};
    // The first state of a session counts pulses from before, which are no news to this page.
    if (session === url && count > known) {
      node.dispatchEvent(new CustomEvent("vm:pulse", { bubbles: true, detail: { name: names.at(-1), value, count: count - known } }));
    }
    [known, session] = [count, url];
  });
};
