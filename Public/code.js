// SPDX-License-Identifier: MIT
// A button that copies the code beside it, and says so. A page without a secure connection has no clipboard, and gets no button.

/** Says to the ear what the button says to the eye. */
const status = document.createElement("p");
status.className = "aloud";
status.setAttribute("role", "status");

/** The button that says how its copying went, until another one does. @type {HTMLElement | undefined} */
let told;

function tell(button, words) {
  if (told) told.textContent = "Copy";
  button.textContent = status.textContent = words;
  told = button;
}

/** @param {HTMLElement} figure with a `code` */
function addButton(figure) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "small quiet copy", textContent: "Copy" });
  button.addEventListener("click", async () => {
    status.textContent = "";
    const isCopied = await navigator.clipboard.writeText(figure.querySelector("code").textContent).then(() => true, () => false);
    tell(button, isCopied ? "Copied" : "Not copied");
  });
  figure.append(button);
}

if (navigator.clipboard) {
  document.body.append(status);
  document.querySelectorAll("figure.code").forEach(addButton);
}
