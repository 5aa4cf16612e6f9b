// SPDX-License-Identifier: MIT
// One request of a file that is on its way, and what its answer means for the file.

/** @typedef {import("../types").Problem} Problem */

/** @typedef {{ status: number, ok: boolean, fields: Headers, body: Problem & { url?: string, fields?: Record<string, string> } }} Answer */

/** @type {Answer} */
export const NO_ANSWER = { status: 0, ok: false, fields: new Headers(), body: { status: 0 } };

/**
 * @param {string} url
 * @param {RequestInit} request
 * @returns {Promise<Answer>} with its body, which is a problem unless it is `ok`
 */
export async function ask(url, request) {
  try {
    const response = await fetch(url, { ...request, cache: "no-store" });
    const { status, ok, headers: fields } = response;
    const body = { ...(await response.json().catch(() => ({}))), status, retryAfter: Number(fields.get("retry-after")) * 1000 || 0 };
    return { status, ok, fields, body };
  } catch {
    return NO_ANSWER;
  }
}

/**
 * Whether it is of no use to ask again: the file is refused. A part that begins elsewhere, a session that is new and a server
 * that is busy are asked again.
 * @param {Problem} problem
 */
export const isFinal = ({ status = 0, type = "" }) => status >= 400 && ![401, 429, 502, 503, 504].includes(status) && !/\/(upload-offset|no-session|session-closed)$/.test(type);
