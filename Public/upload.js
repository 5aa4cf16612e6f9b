// SPDX-License-Identifier: MIT
// The script of the cookbook's recipe for an upload: a route of the app takes the photo, and an action gets its address.
import { root } from "/euripus.js";
const cookbook = root("cookbook");
const photo = document.querySelector("#photo");
photo.addEventListener("change", async () => {
  const [file] = photo.files;
  if (!file) return;
  const answer = await fetch("/photos", { method: "POST", body: file }).catch(() => Response.error());
  photo.setCustomValidity(answer.ok ? "" : "The photo was not taken.");
  if (!photo.reportValidity()) return;
  await cookbook.perform("addPhoto", await answer.text());
});
