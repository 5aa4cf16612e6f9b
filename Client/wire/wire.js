// SPDX-License-Identifier: MIT
// The wire's first part, which a page with `data-vm-wire` names before the client. It notes the requests of the
// page's sessions from the first one on, and loads the drawer that shows them once there is something to show.
import { Traffic } from "./traffic.js";

/**
 * The file with the drawer, beside this one.
 * @type {string}
 */
const DRAWER = "./euripus-wire-drawer.js";

const page = /** @type {HTMLElement | null} */ (document.querySelector("[data-vm-wire]"));

if (page) {
  const traffic = new Traffic(window);
  const isOver = new AbortController();
  // The page is live, or will not be by itself. The first view has come by then, and nothing of it waited for the drawer.
  document.addEventListener("vm:state", async (event) => {
    if (/** @type {CustomEvent} */ (event).detail.state === "connecting") return;
    isOver.abort();
    const { show } = await import(DRAWER);
    show(page, traffic);
  }, { signal: isOver.signal });
}
