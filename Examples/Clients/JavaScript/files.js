// SPDX-License-Identifier: MIT
// Files of a session: those that it takes, and those that it offers.

import { NO_ANSWER, Problem, asJSON } from "./client.js";

/** The bytes of one request. */
const PART = 1 << 20;
/** The time within which an answer begins. */
const PATIENCE = 60_000;
const GONE = 410;

/**
 * Sends a file (a `Blob`) to a place for files, and goes on where it was broken off. Gives its key in the place's list. If the
 * app has a store of its own for files, the file goes there, as a whole.
 */
export async function upload(session, path, file, { name = file.name ?? "file", type = file.type || "application/octet-stream", signal } = {}) {
  const key = crypto.randomUUID();
  const target = `${session.url}/uploads/${path}/${key}`;
  const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (it) => "%" + it.charCodeAt(0).toString(16))}`;
  const declared = { "content-disposition": disposition, "content-type": type, "upload-length": String(file.size), "upload-complete": "?0" };
  const declaration = await ask(session, "PUT", target, { headers: declared, signal });
  if (declaration.body) await sendElsewhere(session, JSON.parse(declaration.body), file, target, signal);
  else await sendParts(session, declaration.headers, file, target, signal);
  await session.next({ wait: 0, signal });
  return key;
}

/** Sends a file in parts, from where `there`, the headers of an answer, says that it goes on. */
async function sendParts(session, there, file, target, signal) {
  for (let stuck = 0; there.get("upload-complete") !== "?1"; ) {
    const offset = Number(there.get("upload-offset"));
    // A file that has changed on the disk cannot be read any more, which is thrown.
    const body = await file.slice(offset, offset + PART).arrayBuffer();
    const isLast = offset + body.byteLength === file.size;
    const headers = { "upload-offset": String(offset), "upload-complete": isLast ? "?1" : "?0", "content-type": "application/partial-upload" };
    const sent = await ask(session, "PATCH", target, { headers, body, signal, isRepeated: false }).catch(elsewhere);
    if (!sent) await session.pause(Math.min(2 ** stuck, 30) * 1000);
    // The part may have come, or some of it. An action may even have taken the file, if it was there as a whole.
    const answer = sent ?? (await ask(session, "HEAD", target, { signal }).catch((problem) => taken(problem, isLast)));
    if (!answer) break;
    there = answer.headers;
    stuck = Number(there.get("upload-offset")) > offset ? 0 : stuck + 1;
  }
}

/** Sends a file to the app's store, at an address of its own, and has the server look there. */
async function sendElsewhere(session, { url, fields }, file, target, signal) {
  const answer = await fetch(url, { method: "PUT", headers: fields, body: file, signal });
  if (!answer.ok) throw new Problem(answer.status, { detail: `the store of files answered ${answer.status}` });
  const headers = { "upload-offset": String(file.size), "upload-complete": "?1", "content-type": "application/partial-upload" };
  // The answer may have been lost, and an action may have taken the file since.
  await ask(session, "PATCH", target, { headers, signal }).catch((problem) => taken(problem, true));
}

/** Fetches a file that a session offers, from the `url` in the state, as a `Blob`. */
export const download = async (session, url, { signal } = {}) => (await ask(session, "GET", url, { signal, read: (answer) => answer.blob() })).body;

/** Takes a part that begins elsewhere for one whose answer is lost. */
function elsewhere(problem) {
  if (problem.kind !== "upload-offset") throw problem;
}

function taken(problem, isLast) {
  if (problem.status !== GONE || !isLast) throw problem;
}

/**
 * Sends a request until it has a whole answer. Gives the answer's headers, and what `read` makes of its body; undefined if
 * it is sent once and its answer is lost.
 */
async function ask(session, method, target, { headers, body, signal, isRepeated = true, read = (answer) => answer.text() }) {
  for (let failures = 0; ; failures++) {
    let seconds = Math.min(2 ** failures, 30);
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), PATIENCE);
    try {
      const answer = await session.request(method, target, { headers, body, signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal });
      // The rest may take as long as it takes.
      clearTimeout(timer);
      if (answer.ok) return { headers: answer.headers, body: await read(answer) };
      // A date in this field is not read.
      const retryAfter = Number(answer.headers.get("retry-after")) || 0;
      const text = await answer.text();
      if (!retryAfter && !NO_ANSWER.has(answer.status)) throw new Problem(answer.status, asJSON(text) ?? {});
      seconds = retryAfter || seconds;
    } catch (error) {
      if (error instanceof Problem || signal?.aborted) throw error;
    } finally {
      clearTimeout(timer);
    }
    if (!isRepeated) return undefined;
    await session.pause(seconds * 1000);
  }
}
