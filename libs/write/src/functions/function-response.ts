import { problemReply } from '@practice/bus';
import type { TextRow } from '@practice/log';
import { callResponse, voidResponse, type PreparedCall, type RestResponse } from '@practice/query';
import { resultOf } from '@practice/read';
import { resultColumns, type FunctionDefinition } from '@practice/resource';
import { notStored } from '../engine/one-time-secrets.js';

/**
 * The response to a call: Postgres selects from the result of the function as from a table.
 * @returns the statements, and `reply`, which takes their results
 */
export function responseOf(prepared: PreparedCall, result: unknown) {
  const { plan } = prepared;
  if (plan.isVoid) return { statements: [], reply: () => voidResponse(plan) };
  const rows = Array.isArray(result) ? (result as object[]) : [result as object];
  return {
    statements: [prepared.queryFor(rows)],
    reply: (results: readonly TextRow[][]) => callResponse(plan, resultOf(plan, results.at(-1)?.[0] ?? [])),
  };
}

/** The response with the id of the change that the call has made. */
export const withChange = (reply: RestResponse, id: string | null | undefined): RestResponse =>
  id == null ? reply : { ...reply, headers: { ...reply.headers, 'Change-Id': id } };

/**
 * The response to store under a request's key. A result with a confidential column, such as a new secret, is not stored: a
 * repeated request learns only that the first one was carried out.
 */
export const storableResponse = (definition: FunctionDefinition, response: RestResponse): RestResponse =>
  Object.values(resultColumns(definition)).some(({ confidential }) => confidential === true)
    ? problemReply(notStored)
    : response;
