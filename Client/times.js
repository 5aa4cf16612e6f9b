// SPDX-License-Identifier: MIT
// The times of requests and of looks, in milliseconds (CLIENT.md, "Connection").

export const SECOND = 1_000;
/** For how long a poll waits, also in seconds, and what the network may take besides. */
export const WAIT = 25_000;
export const SECONDS = 25;
export const NETWORK = 5_000;
/** The time after which any other request is given up: a server that waits for its store answers after 30 s. */
export const LONGEST = 40_000;
/** For how long a hidden page keeps its poll, as a look at another tab is short. */
export const HIDDEN = 5_000;
/** The time after which an edit without an answer counts as not sent. */
export const LATE = 2_000;
/** The time between two looks at a composition, which may end without an event, with its element. */
export const LOOK = 99;
