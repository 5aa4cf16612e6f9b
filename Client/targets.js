// SPDX-License-Identifier: MIT
// The targets of changes, by which the queue knows them: the method, and the path below the session's.
import { pointer } from "./paths.js";

/** The beginning of the target of an edit. The pointer of the value follows. */
export const WRITE = "PUT /state";
export const SET_ADDRESS = "PUT /address";

/** @param {string[]} names */
export const writes = (names) => WRITE + pointer(names);
