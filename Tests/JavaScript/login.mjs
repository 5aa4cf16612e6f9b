// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { openPage } from "./opened.mjs";
import { login } from "./world.mjs";

export const html = readFileSync(new URL("../../Public/login.html", import.meta.url), "utf8");

/** Opens the login demo's page, or another one on its view model. */
export async function open({ markup = html, ...options } = {}) {
  const it = await openPage(markup, { kind: login, ...options });
  return { ...it, username: it.find("#username"), password: it.find("#password"), form: it.find("form"), button: it.find("button") };
}

export const state = (document) => document.documentElement.dataset.vm;

/** At rest the page shows the server's state. */
export function assertInStep({ server, document, username, find, button }, note) {
  const { model, history } = server.only();
  const now = history.at(-1);
  assert.equal(state(document), "live", note);
  assert.equal(username.value, model.username, note);
  assert.equal(find("#message").textContent, now.instruction, note);
  assert.equal(button.getAttribute("aria-disabled"), String(!now.loginEnabled), note);
  assert.equal(document.querySelectorAll("form [data-vm-pending], [aria-busy]").length, 0, note);
}
