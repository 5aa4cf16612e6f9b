// SPDX-License-Identifier: MIT
// The weight of a first view: all that a browser asks for until the page is live.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { JSDOM } from "./world.mjs";

const read = (name) => readFileSync(new URL(`../../Public/${name}`, import.meta.url));

/** More than the answer that opens a session of one of these demos has. */
const OPENING = 500;

/**
 * The files of a page, each once. Its icon is not among them: the browser asks for that when the page is there, once a
 * site. Neither is the drawer of the wire, which is no part of an app's page; `Tests/Browser/test_weight.py` counts it.
 */
function filesOf(page) {
  const { document } = new JSDOM(read(page).toString()).window;
  const needing = document.querySelectorAll("link[href]:not([rel=icon]), [src]:not([src*=wire]), [srcset], object, video");
  const names = [...needing].map((each) => each.getAttribute("href") ?? each.getAttribute("src") ?? each.getAttribute("srcset") ?? each.localName);
  return [...new Set([page, ...names].map((path) => path.replace(/^\//, "")))];
}

test("a page has one style, as a third file would wait for a third connection", () => {
  const pages = readdirSync(new URL("../../Public", import.meta.url)).filter((name) => name.endsWith(".html"));
  for (const page of pages) assert.equal(filesOf(page).filter((name) => name.endsWith(".css")).length, 1, page);
  assert.ok(pages.length > 10);
});

for (const page of ["login.html", "signup.html"]) {
  test(`a first view of ${page} has at most 4 requests and 20,000 bytes, its session's opening among them`, () => {
    const files = filesOf(page);
    const bytes = files.reduce((sum, name) => sum + gzipSync(read(name), { level: 9 }).length, OPENING);
    // The client comes first: by the connection that the page came by, where more of it fits into a flight (Decisions/0062).
    assert.deepEqual(files, [page, "euripus.js", "euripus.css"]);
    assert.ok(bytes <= 20_000, `${bytes} bytes: ${files}`);
    assert.doesNotMatch(read("euripus.css").toString(), /@import|url\(/);
  });
}
