// SPDX-License-Identifier: MIT

/**
 * The statuses of answers that decide nothing (PROTOCOL §4): the same request is sent again. 0 stands for no
 * answer.
 */
export const UNDECIDED = [0, 401, 429, 502, 503, 504];

/** The status of an edit that the view model does not take now, and perhaps later. */
export const NOT_NOW = 409;
