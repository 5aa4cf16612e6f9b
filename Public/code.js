// SPDX-License-Identifier: MIT
// A button that copies the code beside it. A page without a secure connection has no clipboard, and gets no button.

/** @param {HTMLElement} figure with a `code` */
function addButton(figure) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "small quiet copy", textContent: "Copy" });
  button.addEventListener("click", async () => {
    const isCopied = await navigator.clipboard.writeText(figure.querySelector("code").textContent).then(() => true, () => false);
    button.textContent = isCopied ? "Copied" : "Not copied";
  });
  button.addEventListener("blur", () => (button.textContent = "Copy"));
  figure.append(button);
}

if (navigator.clipboard) document.querySelectorAll("figure.code").forEach(addButton);
