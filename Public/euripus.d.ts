// SPDX-License-Identifier: MIT
// The types of what a page's script imports from `/euripus.js`, and of the attributes in markup.

/** A root of the page, as `mount` and `root` give it. */
export interface Handle {
  /** The name of its view model. */
  readonly model: string;
  /** The present state, which must not be changed; undefined before the first one. */
  readonly state: any;
  /** Performs an action, and gives its result. Rejects with the problem. */
  perform(path: string, value?: any): Promise<any>;
  /** Writes a two-way value. */
  set(path: string, value: any): Promise<void>;
  /** Cancels a command. */
  cancel(path: string): Promise<void>;
  /** Says which languages and which time zone the person prefers; what is left out stays as it was. */
  prefer(preferences: { languages?: string[]; timeZone?: string }): Promise<void>;
  /** Calls back with the value of a path, now and whenever it is another one. Gives what ends that. */
  follow(path: string, callback: (value: any) => void): () => void;
  /** Takes the view model off the page; its session goes on. What waits, and what is asked later, rejects with the type `unmounted`. */
  unmount(): void;
}

/** A refusal of the server's (RFC 9457), or of the page's own: `offline`, `expired`, `action-disabled`, `edit-refused`. */
export interface Problem {
  type?: string;
  title?: string;
  status?: number;
  detail?: string;
  /** Why a session ended that nobody has closed: `superseded`. */
  reason?: string;
  errors?: { pointer: string; detail: string }[];
  model: string;
  /** The root's element. */
  root: HTMLElement;
  /** The element that was pressed or edited. */
  element?: Element;
  /** The text of a person whose edit was refused since its row has gone, on a page with a `data-vm-conflict`. */
  text?: string;
}

export type ConnectionState = "connecting" | "live" | "retrying" | "offline" | "expired" | "blocked";

/** Shows a view model in an element with `data-vm-root`. */
export function mount(element: HTMLElement): Handle;
/** A root of the page, by the name of its view model or its element. */
export function root(root: string | Element): Handle | undefined;

/** A path of the state: `name`, `../name`, `/name`, `#`, `!name`, `name=literal`. */
export type Path = string;
/** A path, or `=` and a text. */
export type PathOrText = string;

/** The attributes, for checkers of markup and for JSX. */
export interface EuripusAttributes {
  "data-vm-root"?: string;
  "data-vm-at"?: string;
  /** `=` and JSON: an object of all parameters. */
  "data-vm-params"?: string;
  /** A text, or `=` and JSON. */
  [parameter: `data-vm-params-${string}`]: string;
  "data-vm-text"?: Path;
  "data-vm-show"?: Path;
  "data-vm-bind"?: Path;
  "data-vm-field"?: Path;
  "data-vm-debounce"?: number | "blur" | string;
  "data-vm-compose"?: "end";
  "data-vm-error"?: Path;
  "data-vm-if"?: Path;
  "data-vm-each"?: Path;
  "data-vm-kind"?: string;
  "data-vm-window"?: Path;
  "data-vm-do"?: Path;
  "data-vm-cancel"?: Path;
  "data-vm-on"?: string;
  "data-vm-confirm"?: PathOrText;
  "data-vm-conflict"?: Path;
  "data-vm-upload"?: Path;
  "data-vm-preview"?: "" | true;
  "data-vm-waiting"?: "" | true;
  "data-vm-lost"?: "" | true;
  "data-vm-choose"?: "mine" | "theirs";
  "data-vm-invited"?: "" | true;
  "data-vm-arg"?: PathOrText;
  "data-vm-event"?: Path;
  "data-vm-title"?: Path;
  "data-vm-lang"?: Path;
  "data-vm-status"?: "" | true;
  "data-vm-countdown"?: "" | true;
  "data-vm-retry"?: "" | true;
  "data-vm-signin"?: "" | true;
  "data-vm-heading"?: "" | true;
  "data-vm-announce"?: "" | true;
  "data-vm-permanent"?: "" | true;
  /** The address of the view model's lines of Swift, or nothing: the page has the drawer of the wire. */
  "data-vm-wire"?: string | true;
  [attribute: `data-vm-class-${string}` | `data-vm-attr-${string}` | `data-vm-prop-${string}`]: Path;
  [argument: `data-vm-arg-${string}`]: PathOrText;
}

declare global {
  interface DocumentEventMap {
    "vm:state": CustomEvent<{ state: ConnectionState; model: string; root: HTMLElement }>;
    "vm:error": CustomEvent<Problem>;
    "vm:frame": CustomEvent<{ model: string; root: HTMLElement; from?: string | null; to: string; patch?: object[]; state?: any; address?: string }>;
  }
  interface HTMLElementEventMap {
    "vm:pulse": CustomEvent<{ name: string; value: any; count: number }>;
  }
}
