// SPDX-License-Identifier: MIT
// Lines of a shell that reach the page's session with curl.
import { HIDDEN } from "./secrets.js";

/** @typedef {import("./traffic.js").Exchange} Exchange */

/**
 * A text as one word of a shell.
 * @param {string} text
 */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * The lines that make the cookie jar. The key to a session is a cookie that no script can read (PROTOCOL §2), so a
 * person copies its value; the page does not have it.
 * @param {Pick<Location, "protocol" | "hostname" | "port">} location
 */
export function jarLines({ protocol, hostname, port }) {
  const isSecure = protocol === "https:";
  const name = isSecure ? "__Host-euripus" : `euripus-${port || "80"}`;
  const entry = [hostname, "FALSE", "/", isSecure ? "TRUE" : "FALSE", "0", name].join("\\t");
  return [
    `# In the browser's developer tools, copy the value of the cookie ${name}.`,
    "KEY=PASTE-IT-HERE",
    `printf '${entry}\\t%s\\n' "$KEY" > jar`,
  ];
}

/**
 * A request as a line of curl. Its version is left out, so the answer has the changes of this request alone. A line with
 * a hidden text is a comment, as the shell would send the dots in its place.
 * @param {string} origin
 * @param {Pick<Exchange, "method" | "session" | "path">} exchange
 * @param {any} [value] the body, without secrets; undefined where there is none
 */
export function line(origin, { method, session, path }, value) {
  const body = value === undefined ? [] : ["--json", quoted(JSON.stringify(value))];
  const isPlain = method === "GET" || (method === "POST" && body.length > 0);
  const isHidden = body.some((word) => word.includes(HIDDEN));
  return [isHidden ? "# curl -sb jar" : "curl -sb jar", ...(isPlain ? [] : ["-X", method]), ...body, quoted(origin + session + path.replace(/\?.*/, ""))].join(" ");
}
