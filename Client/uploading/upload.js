// SPDX-License-Identifier: MIT
// `data-vm-upload`: files that a person chooses, drops or pastes go to an `Uploads` of the view model. A page with this
// attribute loads this. The state has the files with their progress, and the page shows them as it shows any list.
import { Uploader } from "./uploader.js";

/** @type {import("../part.js").Directive} */
export function add(node, { part, names }) {
  const { root } = part;
  // The element may have gone until this was loaded.
  if (root.signal.aborted || !root.element.contains(node)) return;
  const uploader = Uploader.of(root, names);
  const how = { signal: root.signal };
  node.addEventListener("change", (/** @type {Event} */ { target }) => {
    const input = /** @type {HTMLInputElement} */ (target);
    if (input.type !== "file") return;
    uploader.add([.../** @type {FileList} */ (input.files)]);
    // The same file can be chosen once more.
    input.value = "";
  }, how);
  const over = (/** @type {boolean} */ isOver) => node.toggleAttribute("data-vm-over", isOver);
  node.addEventListener("dragover", (/** @type {DragEvent} */ event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    over(true);
  }, how);
  node.addEventListener("dragleave", (/** @type {DragEvent} */ event) => over(node.contains(/** @type {Node} */ (event.relatedTarget))), how);
  node.addEventListener("drop", (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    over(false);
    uploader.add([...(event.dataTransfer?.files ?? [])]);
  }, how);
  node.addEventListener("paste", (/** @type {ClipboardEvent} */ event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (!files.length) return;
    event.preventDefault();
    uploader.add(files);
  }, how);
  uploader.show(node);
}
