// SPDX-License-Identifier: MIT
// A button that copies the code beside it, and says so. A page without a secure connection has no clipboard, and gets no button.

/** Says to the ear what the button says to the eye. */
const status = document.createElement("p");
status.className = "aloud";
status.setAttribute("role", "status");

/** @param {HTMLElement} figure with a `code` */
function addButton(figure) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "small quiet copy", textContent: "Copy" });
  button.addEventListener("click", async () => {
    const isCopied = await navigator.clipboard.writeText(figure.querySelector("code").textContent).then(() => true, () => false);
    button.textContent = status.textContent = isCopied ? "Copied" : "Not copied";
  });
  button.addEventListener("blur", () => {
    button.textContent = "Copy";
    status.textContent = "";
  });
  figure.append(button);
}

if (navigator.clipboard) {
  document.body.append(status);
  document.querySelectorAll("figure.code").forEach(addButton);
}
