// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { seeded } from "./random.mjs";
import { start } from "./start.mjs";
import { Clock, Server, network, page } from "./world.mjs";

export const html = readFileSync(new URL("../../Public/login.html", import.meta.url), "utf8");
export const fair = () => ({ delay: [5, 40], lose: 0, busy: 0, down: false });

/** Opens the login demo's page, or another one on its view model. */
export async function open({ seed = 1, weather = fair(), markup = html, storage, server, clock } = {}) {
  const dice = seeded(seed);
  clock ??= new Clock();
  server ??= new Server(clock);
  const view = page(markup, { clock, dice, storage, fetch: network(server, clock, dice, weather) });
  start(view.world);
  return { dice, clock, server, weather, ...view, username: view.find("#username"), password: view.find("#password"), form: view.find("form"), button: view.find("button") };
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
