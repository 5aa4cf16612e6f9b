// The types of the view model "todo": printed by `app types todo --typescript`.

/** Rows by their keys, and the keys in their order. */
export interface RemoteRows<Row> { order: string[]; items: Record<string, Row> }

export interface TodoState {
  draft: string;
  items: RemoteRows<ItemState>;
  canAdd: boolean;
  left: number;
}

export interface ItemState {
  text: string;
  done: boolean;
}

/** The values that may be written, each with what it takes. */
export type TodoValue =
  | { path: "draft"; takes: string }
  | { path: `items/items/${string}/done`; takes: boolean };

/** The actions, each with what it takes and what it gives. */
export type TodoAction =
  | { path: "add"; takes: undefined; result: null }
  | { path: "remove"; takes: string; result: null };

/** The kinds of problems: the last part of a problem's `type`. */
export type TodoProblem =
  | "malformed-json"
  | "bad-version"
  | "bad-request"
  | "bad-credential"
  | "signed-out"
  | "sign-in-needed"
  | "credential-replaced"
  | "cross-site"
  | "not-allowed"
  | "no-invitation"
  | "not-found"
  | "no-session"
  | "not-acceptable"
  | "action-disabled"
  | "out-of-order"
  | "session-closed"
  | "version-moved"
  | "value-changed"
  | "body-too-large"
  | "target-too-long"
  | "not-json"
  | "expectation-failed"
  | "wrong-host"
  | "invalid-action"
  | "refused"
  | "key-reused"
  | "command-failed"
  | "too-many-requests"
  | "too-many-sessions"
  | "headers-too-large"
  | "internal"
  | "poisoned"
  | "not-implemented"
  | "draining"
  | "overloaded"
  | "state-too-large"
  | "store-full"
  | "store-unavailable";

/** The view model "todo". */
export interface TodoModel {
  name: "todo";
  params: undefined;
  state: TodoState;
  value: TodoValue;
  action: TodoAction;
  problem: TodoProblem;
}
