// SPDX-License-Identifier: MIT
// The script of the cookbook's recipe for an upload: a route of the app takes the photo, and an action gets its address.
import { root } from "/euripus.js";
const cookbook = root("cookbook");
const photo = document.querySelector("#photo");
photo.addEventListener("change", async () => {
  const [file] = photo.files;
  if (!file) return;
  photo.setCustomValidity("");
  try {
    const answer = await fetch("/photos", { method: "POST", body: file });
    if (!answer.ok) throw new Error(`The route answered ${answer.status}`);
    await cookbook.perform("addPhoto", await answer.text());
  } catch (error) {
    console.warn(error);
    photo.value = "";
    photo.setCustomValidity("The photo could not be sent. Try again, or choose a smaller one.");
    photo.reportValidity();
  }
});
