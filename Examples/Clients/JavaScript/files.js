// SPDX-License-Identifier: MIT
// Files of a session: those that it takes, and those that it offers.

import { NO_ANSWER, Problem, asJSON } from "./client.js";

/** The bytes of one request. */
const PART = 1 << 20;

/** Sends a file (a `Blob`) to a place for files, and goes on where it was broken off. Gives its key in the place's list. */
export async function upload(session, path, file, { name = file.name ?? "file", type = file.type || "application/octet-stream" } = {}) {
  const key = crypto.randomUUID();
  const target = `/uploads/${path}/${key}`;
  const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (it) => "%" + it.charCodeAt(0).toString(16))}`;
  const declared = { "content-disposition": disposition, "content-type": type, "upload-length": String(file.size) };
  await ask(session, "PUT", target, { headers: { ...declared, "upload-complete": "?0" } });
  for (;;) {
    const { headers: there } = await ask(session, "HEAD", target);
    if (there.get("upload-complete") === "?1") break;
    const offset = Number(there.get("upload-offset"));
    const part = file.slice(offset, offset + PART, "application/partial-upload");
    const isLast = offset + part.size === file.size;
    const headers = { "upload-offset": String(offset), "upload-complete": isLast ? "?1" : "?0", "content-type": part.type };
    // If its answer is lost, the part may have come: HEAD says so.
    await ask(session, "PATCH", target, { headers, body: part }, { isRepeated: false });
  }
  await session.next({ wait: 0 });
  return key;
}

/** Fetches a file that the session offers, from the `url` in its state, as a `Blob`. */
export const download = async (session, url) => (await ask(session, "GET", url.replace(session.url, ""), {}, { read: (answer) => answer.blob() })).body;

/** Sends a request until it has a whole answer, or once. Gives the answer's headers, and what `read` makes of its body. */
async function ask(session, method, path, request = {}, { isRepeated = true, read = (answer) => answer.text() } = {}) {
  for (let failures = 0; ; failures++) {
    let seconds = Math.min(2 ** failures, 30);
    try {
      const answer = await session.request(method, path, request);
      if (answer.ok) return { headers: answer.headers, body: await read(answer) };
      // A date in this field is not read.
      const retryAfter = Number(answer.headers.get("retry-after")) || 0;
      const text = await answer.text();
      if (!retryAfter && !NO_ANSWER.has(answer.status)) throw new Problem(answer.status, asJSON(text) ?? {});
      seconds = retryAfter || seconds;
    } catch (error) {
      if (error instanceof Problem) throw error;
    }
    await session.pause(seconds * 1000);
    if (!isRepeated) return {};
  }
}
