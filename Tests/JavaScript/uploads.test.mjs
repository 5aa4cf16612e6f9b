// SPDX-License-Identifier: MIT
// Files on their way, while the elements that show them come and go.
import assert from "node:assert/strict";
import { test } from "./opened.mjs";
import { openPeople } from "./people.mjs";

const zone = `<div data-vm-upload="photos"><input type="file"><ul><template data-vm-each="photos/files">
  <li><b data-vm-text="name"></b><i data-vm-lost hidden>Choose it again.</i></li></template></ul></div>`;
const file = (name) => ({ name, type: "image/gif", size: 10, lastModified: 1, slice: () => "bytes" });

/** Opens a page whose server takes files. `asked` has the requests of files, and `take` answers the parts that wait. */
async function openUploads(markup) {
  const asked = [];
  const parts = [];
  const declared = new Set();
  let it;
  const take = async (status = 204) => {
    for (const answer of parts.splice(0)) answer(status);
    await it.clock.run(500);
  };
  const fetched = (fetch) => async (address, how) => {
    if (!address.includes("/uploads/")) return fetch(address, how);
    const { method, signal } = how;
    const key = address.split("/").at(-1);
    const name = key.split("-").at(-1);
    asked.push(`${method} ${name}`);
    const answered = (status, headers = {}) => ({ ok: status < 300, status, headers: new Map(Object.entries(headers)), json: async () => ({ status, title: "Refused" }) });
    if (method === "HEAD") return declared.has(key) ? answered(204, { "upload-offset": "0", "upload-complete": "?0" }) : answered(404);
    if (method === "PATCH") {
      return new Promise((done, fail) => {
        signal.addEventListener("abort", () => fail(new Error("aborted")));
        parts.push((status) => done(answered(status)));
      });
    }
    declared.add(key);
    it.server.change(it.server.only(), ({ photos: { files } }) => {
      files.order.push(key);
      files.items[key] = { name, type: "image/gif", ready: false, error: null };
    });
    return { ...answered(201), json: async () => ({}) };
  };
  const prepare = (model) => Object.assign(model, { isOpen: true, photos: { types: "image/gif", most: 3, files: { order: [], items: {} } } });
  it = await openPeople(markup, { fetched, prepare });
  const drop = async (...names) => {
    it.fire(it.find("div"), "drop", { dataTransfer: { files: names.map(file) } });
    await it.clock.run(500);
  };
  const open = (isOpen) => it.change((model) => (model.isOpen = isOpen));
  const lost = () => [...it.document.querySelectorAll("li")].map((row) => [row.querySelector("b").textContent, !row.querySelector("i").hidden]);
  return { ...it, asked, take, drop, open, lost };
}

test("files go on while the part that shows them is closed, and it knows them when it opens again", async () => {
  const it = await openUploads(`<template data-vm-if="isOpen">${zone}</template>`);
  await it.drop("a", "b", "c");
  const begun = ["HEAD a", "HEAD b", "PUT a", "PUT b", "HEAD a", "HEAD b", "PATCH a", "PATCH b"];
  assert.deepEqual(it.asked.splice(0), begun);
  await it.open(false);
  assert.deepEqual([it.lost(), it.find("div")], [[], null]);
  await it.open(true);
  assert.deepEqual(it.lost(), [["a", false], ["b", false]]);
  await it.drop("a");
  assert.deepEqual(it.asked, [], "it is on its way");
  await it.open(false);
  await it.take();
  assert.deepEqual(it.asked.splice(0), ["HEAD c", "PUT c", "HEAD c", "PATCH c"]);
  await it.take();
  await it.open(true);
  assert.equal(it.find("input").accept, "image/gif");
  await it.drop("d");
  await it.take();
  assert.deepEqual(it.asked, ["HEAD d", "PUT d", "HEAD d", "PATCH d"]);
});

test("two elements of one place send a file once, and a refusal is told at both; without an element it is told all the same", async () => {
  const it = await openUploads(`<template data-vm-if="isOpen"><section>${zone}${zone}</section></template>`);
  it.fire(it.document.querySelectorAll("div")[1], "drop", { dataTransfer: { files: [file("a")] } });
  await it.drop("a");
  assert.deepEqual(it.asked.filter((each) => each === "PATCH a").length, 1);
  await it.take(415);
  assert.deepEqual([...it.document.querySelectorAll("input")].map((each) => each.dataset.vmRefused), ["Refused", "Refused"]);
  await it.drop("b");
  await it.open(false);
  await it.take(415);
  assert.deepEqual(it.errors.map((each) => [each.status, each.file.name]), [[415, "a"], [415, "b"]]);
});

test("files end with their root: none is asked for any more, and a page that is mounted again has none to go on with", async () => {
  const it = await openUploads(zone);
  await it.drop("a", "b", "c");
  const sent = it.asked.length;
  it.script.root("people").unmount();
  await it.take();
  await it.clock.run(120_000);
  assert.equal(it.asked.length, sent);
  it.script.mount(it.find("main"));
  await it.clock.run(1000);
  assert.deepEqual(it.lost(), [["a", true], ["b", true]]);
  await it.drop("a");
  assert.deepEqual([it.asked.slice(sent), it.lost()], [["HEAD a", "PATCH a"], [["a", false], ["b", true]]]);
});

test("an element that goes before the script of uploads has come sends nothing", async () => {
  const it = await openUploads(`<template data-vm-if="isOpen">${zone}</template>`);
  await it.open(false);
  const { load } = it.world;
  let come;
  const coming = new Promise((done) => (come = done));
  it.world.load = (name) => coming.then(() => load(name));
  await it.open(true);
  const gone = it.find("div");
  await it.open(false);
  come();
  await it.clock.run(500);
  it.fire(gone, "drop", { dataTransfer: { files: [file("a")] } });
  await it.clock.run(500);
  assert.deepEqual(it.asked, []);
});
