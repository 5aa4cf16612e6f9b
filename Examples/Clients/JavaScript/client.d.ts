// SPDX-License-Identifier: MIT
/** A view model as types, as `types MODEL --typescript` prints them. */
export interface Model {
  params: unknown;
  state: unknown;
  value: { path: string; takes: unknown };
  action: { path: string; takes: unknown; result: unknown };
  problem: string;
}

/** The places, among several, that have this path. */
type At<Place extends { path: string }, Path> = Place extends unknown ? (Path extends Place["path"] ? Place : never) : never;
type Value<Takes> = [Takes] extends [undefined] ? [value?: undefined] : [value: Takes];
type Means = { invitation?: string; fetch?: typeof fetch; pause?: (milliseconds: number) => Promise<unknown> };

export class Problem<Kind extends string = string> extends Error {
  readonly kind: Kind | "";
  readonly status: number;
  readonly type?: string;
  readonly limit?: string;
  readonly retryAfter?: number;
  readonly errors?: { pointer: string; detail: string }[];
}

export class Session<M extends Model = Model> {
  readonly state: M["state"];
  readonly version: string;
  readonly url: string;
  perform<Path extends M["action"]["path"]>(
    path: Path, ...value: [...Value<At<M["action"], Path>["takes"]>, { wait?: number }?]
  ): Promise<At<M["action"], Path>["result"] | null>;
  set<Path extends M["value"]["path"]>(path: Path, value: At<M["value"], Path>["takes"], how?: { since?: string }): Promise<null>;
  cancel(path: M["action"]["path"]): Promise<null>;
  close(): Promise<null>;
  next(how?: { wait?: number; signal?: AbortSignal }): Promise<M["state"]>;
  request(method: string, path: string, request: { headers?: Record<string, string>; body?: BodyInit; signal?: AbortSignal }): Promise<Response>;
  follow(show: (state: M["state"]) => void, signal?: AbortSignal): Promise<void>;
}

export function open<M extends Model & { name: string }>(
  server: string, model: M["name"], means?: Means & (M["params"] extends undefined ? {} : { params: M["params"] })
): Promise<Session<M>>;
export function step(key: string): string;
