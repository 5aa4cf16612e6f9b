// SPDX-License-Identifier: MIT
// Types that several modules share.

/** An operation of RFC 6902. */
export interface Operation {
  op: string;
  path: string;
  from?: string;
  value?: any;
}

/** A frame (PROTOCOL, second idea), or another answer of the server; a refusal is a problem (PROTOCOL §7). */
export interface Answer {
  status: number;
  /** Milliseconds, from `Retry-After`; undefined where no whole answer came. */
  retryAfter?: number;
  /** The version that was held when the request was sent. */
  held: string;
  url?: string;
  version?: string;
  from?: string | null;
  to?: string;
  patch?: Operation[];
  state?: any;
  result?: any;
  results?: any[];
  /** Whether the session is this client's no more, as the action has signed its user out. */
  ended?: boolean;
  address?: string;
  /** The page to which the action has sent this client. */
  location?: string;
  type?: string;
  title?: string;
  detail?: string;
  /** The reason why a session ended that its client has not closed, such as `superseded`. */
  reason?: string;
  errors?: { pointer: string; detail: string }[];
  /** The number that the server expects next, of `409 out-of-order`. */
  expected?: number;
  /** The text of a person whose row has gone, as its refusal is told on a page that shows conflicts. */
  text?: string;
}

/** A problem as the page tells of it: the server's, or one of its own (`offline`, `expired`, `unmounted`, `action-disabled`, `edit-refused`). */
export type Problem = Partial<Answer>;

/** The state of the connection, as `html[data-vm]` has it. */
export type ConnectionState = "connecting" | "live" | "retrying" | "offline" | "expired" | "blocked";

/** A request that is to change the session: an edit, an action, or several edits that go out together. */
export interface Request {
  /** Method and path below the session's: `PUT /state/name`. */
  what: string;
  value?: any;
  /** Gives an action's value as it is sent, from the one at its press. */
  read?: (before: any) => any;
  /** Its number under this page's name, once it was sent (PROTOCOL §4). */
  n?: number;
  /** The request in which an edit went out together with others. */
  batch?: Request;
  field?: Field;
  /** The value that an edit was made of, which the server is to have still. */
  origin?: Origin;
  /** The time at which it was first sent. */
  since?: number;
  /** The texts of the fields as an action was performed: only an action has them. */
  bases?: Base[];
  /** The element of an action's attribute, and the one in it that is pressed. */
  node?: HTMLElement;
  control?: Element;
  /** Shows at the controls of its action whether it is under way. */
  show?: () => void;
  /** The calls of the page's own script that wait for its end. */
  waiters?: ((problem?: Problem, result?: any) => void)[];
}

/** A value of the server, and the tag of a version that had it, of a field with a `data-vm-conflict` (conflicts/). */
export interface Origin {
  value: any;
  tag: string;
}

export interface Base {
  field: Field;
  value: any;
}

/** An input that is bound to a value of the state. */
export interface Field {
  node: any;
  /** The server's value, as the input would show it. */
  at: () => any;
  /** The value that is sent for the one that the input shows. */
  encode: (shown: any) => any;
  what: string;
  /** The message that says what is wrong with it. */
  error?: () => any;
  /** The value that the page knows the input to show: another one is an edit. */
  shown: any;
  /** The server's value as the last action was sent, or as it was last written into the input. */
  was?: any;
  /** The timer of an edit that waits for a pause; -1 where it waits for blur. */
  timer?: number;
  touched?: boolean;
  /** Whether it is edited in this focus (rule 4). */
  engaged?: boolean;
  /** The words with which its last edit was refused (rule 6); empty for a choice, which has gone back. */
  refused?: string;
  /** The value that its text is made of. */
  origin?: Origin;
  /** Whether somebody else has changed the value meanwhile, and the person has not chosen yet. */
  conflict?: boolean;
  /** Whether the view model may take that edit later. */
  waits?: boolean;
  /** While it is composed in: what is left of its text, once an action has taken the beginning ("Typing on"). */
  rest?: (text: any) => any;
}
