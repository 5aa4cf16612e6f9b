// SPDX-License-Identifier: MIT
// The targets of changes, method and path below the session's, by which the queue knows them.
import { pointer } from "./paths.js";

/** An edit's goes on with the pointer of its value. */
export const WRITE = "PUT /state";
export const SET_ADDRESS = "PUT /address";

/** @param {string[]} names */
export const writes = (names) => WRITE + pointer(names);
