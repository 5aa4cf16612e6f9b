// SPDX-License-Identifier: MIT

/**
 * The modules, each loaded once, so that callers that wait for one get it in their order.
 * @type {Record<string, Promise<any>>}
 */
const modules = {};

/**
 * A module that few pages need, from beside this one.
 * @param {string} name of the module `euripus-NAME.js`
 * @returns {Promise<any>}
 */
export const loaded = (name) =>
  (modules[name] ??= import(`./euripus-${name}.js`).catch((error) => {
    // The next caller tries again.
    delete modules[name];
    throw error;
  }));

/**
 * Loads such a module for a caller that does not wait for it.
 * @param {string} name
 * @param {(module: any) => void} use
 */
export const load = (name, use) => void loaded(name).then(use).catch(reportError);
