// A tool of the assistant as a definition, and its arguments and results as JSON Schema.

import { type Identity, type Problem, reject } from '@practice/core';
import type { InnerCalls } from './inner-calls.js';
import { quotedRecord } from './quoted.js';

export type Json = Readonly<Record<string, unknown>>;

/** A result in which people's texts are in members named `quoted`. */
export interface ToolResult {
  /** A few words for people: numbers and names of resources only. */
  readonly text: string;
  readonly data: Json;
  readonly isError?: boolean;
}

/** A tool as it is listed. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** A scope that would permit the tool. A client without it can ask for it. */
  readonly scope: string;
  /** Whether a caller may use it. If omitted, a caller with the scope may. */
  readonly isFor?: (identity: Identity) => boolean;
  readonly input: Json;
  readonly output: Json;
  readonly annotations: Annotations;
}

/** A tool that only reads. */
export interface ReadTool extends Omit<Tool, 'annotations'> {
  readonly run: (args: Json, calls: InnerCalls) => Promise<ToolResult>;
}

interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  /** Tools reach this practice only. */
  readonly openWorldHint: false;
}

export const reads: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
export const adding: Annotations = { ...reads, readOnlyHint: false, idempotentHint: false };
export const replacing: Annotations = { ...adding, destructiveHint: true };

// JSON Schema

const textual =
  (form: Json) =>
  (description?: string): Json => ({ ...form, ...(description !== undefined && { description }) });

export const text = textual({ type: 'string' });
export const id = textual({ type: 'string', format: 'uuid' });
export const day = textual({ type: 'string', format: 'date' });
export const time: Json = { type: 'string', description: 'HH:MM' };
export const whole = (minimum: number, maximum: number): Json => ({ type: 'integer', minimum, maximum });

export const object = (properties: Json, required: readonly string[] = []): Json => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
});

const anything = { type: 'object' };
/** A list of records, each with what people wrote in `quoted`. */
export const records: Json = { type: 'array', items: anything };
/** A result with these members. None is required, since some clients check a refusal against this schema too. */
export const result = (properties: Json): Json => ({ type: 'object', properties });

/** An argument as part of an address or a header. @throws {Rejection} 22P05 for half of a surrogate pair, which has no encoding */
export const encoded = (name: string, value: string): string =>
  value.isWellFormed()
    ? encodeURIComponent(value)
    : reject('22P05', { message: `${name} must be a text without half of a surrogate pair` });

// Results

/** The records of a response, or its only record, for an assistant. */
export const quotedAll = (rows: unknown): Json[] =>
  [rows]
    .flat()
    .filter(isObject)
    .map((row) => quotedRecord(row));

export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** The result of a refusal. Its texts are in `quoted`, since they may repeat texts that people wrote. */
export function refusalResult(
  { status, code, message, details, hint }: Problem,
  more: Json = {},
): ToolResult {
  const quoted = { message, ...(details && { details }), ...(hint && { hint }) };
  return { text: `Refused: ${code}`, data: { problem: { status, code, quoted }, ...more }, isError: true };
}
