// A parsed request in a message between processes, as plain JSON. The rows of a body travel separately, see `rows.ts`. Any change here
// needs a new version of the frame in libs/bus.

import type { ParsedRequest } from '../parse/request.js';
import { split, type Given } from '../plan/read-shape.js';
import type { Subquery, SubqueryResult } from '../plan/subplan.js';

/** The message of a read: its shape on one line, the rest on the next. */
export function readToWire(request: ParsedRequest): string {
  const { shape, given } = split(request);
  return `${JSON.stringify(shape)}\n${JSON.stringify(given)}`;
}

/** The shape of a message of `readToWire`, as text, and the rest. */
export function readFromWire(body: string): { readonly shape: string; readonly given: Given } {
  const [shape = '', given = ''] = body.split('\n');
  return { shape, given: JSON.parse(given) as Given };
}

/** A subquery, and the result that it must return. */
export interface WireQuestion {
  readonly subquery: Subquery;
  readonly result: SubqueryResult;
}
