import { type Identity, needsOneRecord, problemFor, reject } from '@practice/core';
import { limits } from '@practice/query';
import type { CommandEnvelope, FunctionEnvelope, QueryEnvelope } from '@practice/query';
import { newSecret } from '../exports/archive-seal.js';
import { traceparentFor } from '../http/observe.js';
import type { Admitted } from '../http/request.js';
import type { FunctionCall } from '../parse/function-call.js';
import { type Call, isDryRun, isRead, type RecordsCall } from '../parse/parse.js';
import { recordsOf } from '../parse/parsed-batch.js';

const MAX_LENGTH = 500;

/** Header values that are ASCII; everything else comes percent-encoded. */
const ASCII = /^[\x20-\x7e]+$/;

/** Control characters except tab and line breaks, including NUL, which Postgres cannot store. */
const CONTROL = /[\0-\x08\v\f\x0e-\x1f\x7f]/;

/**
 * The reason that a caller gives for a write: the `Change-Reason` header, decoded.
 * @throws {Rejection} PM400 for a header that is not percent-encoded UTF-8, or too long
 */
function reasonOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const reason = decoded(String(header))?.normalize('NFC').trim();
  if (!reason || CONTROL.test(reason) || [...reason].length > MAX_LENGTH) return reject(invalidReason);
  return reason;
}

function decoded(header: string): string | undefined {
  if (!ASCII.test(header)) return undefined;
  try {
    return decodeURIComponent(header);
  } catch {
    return undefined;
  }
}

const invalidReason = problemFor('PM400', {
  message: `Change-Reason must be 1 to ${MAX_LENGTH} characters of percent-encoded UTF-8`,
  hint: "Encode it: encodeURIComponent('moved at the client’s request').",
});

/**
 * The envelope of the message to the owner of a resource or function.
 * @throws {Rejection} PM006 for an If-Match on writes that may be about several records
 */
export function envelopeOf(
  admitted: Admitted,
  call: Call,
): QueryEnvelope | CommandEnvelope | FunctionEnvelope {
  if (admitted.request.headers['if-match'] !== undefined && hasParts(call)) reject(needsOneRecord);
  return call.kind === 'records' ? recordsEnvelope(admitted, call) : functionEnvelope(admitted, call);
}

const hasParts = (call: Call): boolean =>
  call.kind === 'records'
    ? call.nested !== undefined
    : call.batch !== undefined || (call.services.length > 1 && call.definition.effect === 'writes');

function recordsEnvelope(admitted: Admitted, call: RecordsCall): QueryEnvelope | CommandEnvelope {
  const { headers } = admitted.request;
  const message = senderOf(admitted, isRead(call));
  // JSON leaves out members that are undefined.
  return isRead(call)
    ? { op: 'query', ifNoneMatch: headers['if-none-match'], ...message }
    : {
        op: 'command',
        request: { ...call.request, rows: [] },
        records: recordsOf(call.resource, call.request),
        ifMatch: headers['if-match'],
        reason: reasonOf(headers['change-reason']),
        isDryRun: isDryRun(call) || undefined,
        ...message,
        ...(call.repeatable !== undefined && { repeatable: call.repeatable }),
      };
}

function functionEnvelope(admitted: Admitted, call: FunctionCall): FunctionEnvelope {
  const { definition, repeatable } = call;
  const { headers } = admitted.request;
  const isReading = definition.effect === 'reads';
  return {
    op: isReading ? 'read-function' : 'write-function',
    isDryRun: isDryRun(call) || undefined,
    ...senderOf(admitted, isReading),
    ...(!isReading && { reason: reasonOf(headers['change-reason']) }),
    ifMatch: headers['if-match'],
    ...(!isReading && { records: limits.writtenRows }),
    ...(definition.inBackground === true && { workSecret: newSecret() }),
    ...(repeatable !== undefined && { repeatable }),
  };
}

/** The caller of a request. Break-glass access is included for reads only, so no service can treat it as a right to write. */
function senderOf(admitted: Admitted, isReading: boolean) {
  const { request, identity, reader } = admitted;
  const traceparent = traceparentFor(admitted);
  return {
    identity: (isReading ? (reader ?? identity) : identity) as Identity,
    address: request.ip,
    requestId: request.id,
    partOf: request.raw,
    ...(traceparent !== undefined && { traceparent }),
  };
}
