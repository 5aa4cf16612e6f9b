// SPDX-License-Identifier: MIT
// Has the commands and programs on a page name the server that the page came from.

const WRITTEN = "http://127.0.0.1:8080";

for (const code of document.querySelectorAll("pre code")) {
  // The text alone is changed: the elements around it have its colours.
  const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (text.data.includes(WRITTEN)) text.data = text.data.replaceAll(WRITTEN, location.origin);
  }
}
