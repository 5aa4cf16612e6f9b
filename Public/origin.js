// SPDX-License-Identifier: MIT
// Has the commands and programs on a page name the server that the page came from.

const WRITTEN = "http://127.0.0.1:8080";

for (const code of document.querySelectorAll("pre code")) {
  if (code.textContent.includes(WRITTEN)) code.textContent = code.textContent.replaceAll(WRITTEN, location.origin);
}
