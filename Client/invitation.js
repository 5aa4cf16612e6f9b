// SPDX-License-Identifier: MIT
// Somebody who follows a link with an invitation, `/form#invitation=…`. This stands before the client, so that it is the
// first to read the link: the invitation goes to the root that takes one, with the request that opens its session, and is
// gone from the address before the page shows anything. So no bookmark, no copied address and no step back has it. The
// browser's list of visited pages may keep the link as it was followed: once it was used, it lets nobody in.
const FRAGMENT = "#invitation=";

const root = /** @type {HTMLElement | null} */ (document.querySelector("[data-vm-invited]"));
if (root && location.hash.startsWith(FRAGMENT)) {
  root.dataset.vmInvitation = location.hash.slice(FRAGMENT.length);
  history.replaceState(history.state, "", location.pathname + location.search);
  // The session that this tab had is not the one that the link leads to.
  const own = "euripus:" + root.dataset.vmRoot;
  for (const key of Object.keys(sessionStorage)) if (`${key}:`.startsWith(`${own}:`)) delete sessionStorage[key];
  // An invitation is used once.
  document.addEventListener("vm:state", (/** @type {any} */ { detail }) => {
    if (detail.root === root && detail.state === "live") delete root.dataset.vmInvitation;
  });
}
// A tab that shows the page already only goes to the fragment, and runs nothing anew.
if (root) addEventListener("hashchange", () => location.hash.startsWith(FRAGMENT) && location.reload());
