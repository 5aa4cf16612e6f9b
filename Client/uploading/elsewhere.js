// SPDX-License-Identifier: MIT
// Sends a file to a store of the app's, at the address that the server has told (PROTOCOL §10).

/** The time between two words to the server about how far a file has come, in ms. */
const PAUSE = 1000;
/** The statuses of a problem that ends a file, and of one after which it is sent anew. */
const REFUSED = 400;
const BUSY = 503;

/**
 * @param {{ url?: string, fields?: Record<string, string> }} address
 * @param {File} file
 * @param {AbortSignal} signal
 * @param {(count: number) => void} tell is told of the bytes that are there
 * @returns {Promise<import("../types").Problem | undefined>} `undefined` if all of them are
 */
export const sendElsewhere = ({ url = "", fields = {} }, file, signal, tell) =>
  new Promise((resolve) => {
    // Unlike fetch, this tells how far a body has come.
    const request = new XMLHttpRequest();
    let told = Date.now();
    let isSent = false;
    request.upload.onprogress = ({ loaded }) => {
      if (loaded === file.size || Date.now() - told < PAUSE) return;
      told = Date.now();
      tell(loaded);
    };
    request.upload.onload = () => (isSent = true);
    request.onloadend = () => resolve(problemOf(request.status, isSent));
    signal.addEventListener("abort", () => request.abort());
    try {
      request.open("PUT", url);
      for (const [name, value] of Object.entries(fields)) request.setRequestHeader(name, value);
      request.send(file);
    } catch (error) {
      resolve({ status: REFUSED, detail: `The address of the store is none: ${error}` });
    }
  });

/**
 * @param {number} status the store's; 0 without an answer that the page may read
 * @param {boolean} isSent whether all bytes have gone
 */
function problemOf(status, isSent) {
  if (status >= 200 && status < 300) return undefined;
  const detail = status ? `The store of files answered ${status}.` : "The store of files did not let this page send it.";
  const isBusy = status ? status >= 500 || [408, 409, 429].includes(status) : !isSent;
  return { status: isBusy ? BUSY : REFUSED, detail };
}
