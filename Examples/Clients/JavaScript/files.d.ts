// SPDX-License-Identifier: MIT
import type { Model, Session } from "./client.js";

export function upload<M extends Model>(
  session: Session<M>, path: string, file: Blob, about?: { name?: string; type?: string; signal?: AbortSignal }
): Promise<string>;
export function download<M extends Model>(session: Session<M>, url: string, how?: { signal?: AbortSignal }): Promise<Blob>;
