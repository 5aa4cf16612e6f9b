// SPDX-License-Identifier: MIT

/**
 * Loads a module that few pages need, from beside this one.
 * @param {string} name of the module `euripus-NAME.js`
 * @param {(module: any) => void} use
 */
export const load = (name, use) => void import(`./euripus-${name}.js`).then(use).catch(reportError);
