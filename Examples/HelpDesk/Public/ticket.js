// SPDX-License-Identifier: MIT
// Opens the page's sessions with the ticket of its address: /tickets.html?ticket=7.

const ticket = Number.parseInt(new URLSearchParams(location.search).get("ticket") ?? "0", 10);
for (const root of document.querySelectorAll("[data-vm-root]")) root.dataset.vmParamsTicket = `=${ticket}`;
