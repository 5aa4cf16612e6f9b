// SPDX-License-Identifier: MIT
// Sends a file to a store of the app's, at the address that the server has told (PROTOCOL §10).

/** The time between two words to the server about how far a file has come, in ms. */
const PAUSE = 1000;

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
    request.open("PUT", url);
    for (const [name, value] of Object.entries(fields)) request.setRequestHeader(name, value);
    let told = Date.now();
    request.upload.onprogress = ({ loaded }) => {
      if (loaded === file.size || Date.now() - told < PAUSE) return;
      told = Date.now();
      tell(loaded);
    };
    request.onloadend = () => {
      const { status } = request;
      // A store that has failed is asked again, as a server is.
      resolve(status >= 200 && status < 300 ? undefined : { status: status < 500 ? status : 503, detail: `The store of files answered ${status}.` });
    };
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
