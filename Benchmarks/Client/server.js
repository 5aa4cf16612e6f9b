// SPDX-License-Identifier: MIT
// The server of a page of euripus.js, in the page itself: one session of a list, and no network.

let revision = 1;
/**
 * Answers the poll that waits.
 * @type {((frame: object) => void) | undefined}
 */
let answer;

const answered = (status, body) => ({ status, headers: new Headers(), json: async () => body });
const frame = (patch) => ({ from: "e." + revision, to: "e." + ++revision, patch });

window.fetch = async (target, { method, body }) => {
  if (method === "PUT") {
    const [path] = target.split("/state")[1].split("?");
    const news = frame([{ op: "replace", path, value: JSON.parse(body) }]);
    answer?.(news);
    return answered(200, { ...news, result: null });
  }
  if (!target.includes("/changes")) return answered(201, { url: "/sessions/list/1", version: "e.1", state: { rows: { order: [], items: {} } } });
  if (!target.endsWith("since=e." + revision)) throw Error("a frame was lost");
  return new Promise((done) => (answer = (news) => done(answered(200, news))));
};

/** Ends the present task of the browser. */
const task = () =>
  new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = done;
    port2.postMessage(0);
  });

/**
 * Changes the state, and waits until the page has shown the change. It shows a frame in the turn in which it tells of it,
 * so the browser has drawn nothing yet, as it has not for the other pages.
 * @param {object[]} patch
 */
export async function change(patch) {
  while (!answer) await task();
  const send = answer;
  answer = undefined;
  const taken = new Promise((done) => document.addEventListener("vm:frame", done, { once: true }));
  send(frame(patch));
  await taken;
}

/**
 * The path of a row in the state.
 * @param {string} key
 */
export const path = (key) => "/rows/items/" + key;

sessionStorage.clear();
await import("/Public/euripus.js");
