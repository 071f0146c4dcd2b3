// Sends the subqueries of one request to the services that own the related records.

import { catalog } from '@practice/contracts';
import { reject } from '@practice/core';
import type { Reply, Requester } from '@practice/messaging';
import { keysBelow, limits, subqueryAt, subqueryToWire } from '@practice/query';
import type { EmbedPath, ParsedRequest, SemiJoinKeys, SubqueryResult } from '@practice/query';
import type { CommandEnvelope, QueryEnvelope, SubqueryEnvelope } from '@practice/service';

/** An error of a part is the error of the whole request. */
export class Refused extends Error {
  constructor(readonly reply: Reply<Buffer>) {
    super('a service refused its part of the request');
  }
}

/** A relation of a request, and what to return of it. */
interface Step {
  readonly service: string;
  readonly path: EmbedPath;
  readonly result: SubqueryResult;
}

interface Known {
  readonly semiJoinKeys: readonly SemiJoinKeys[];
  /** The keys that rows are wanted for, as JSON. */
  readonly body?: string;
}

/** Bytes of keys that travel with one request: the smallest NATS message limit less a request body and the rest. */
const MAX_KEY_BYTES = 1_400_000;

export class Subqueries {
  constructor(
    private readonly requester: Requester,
    private readonly request: ParsedRequest,
    private readonly envelope: QueryEnvelope | CommandEnvelope,
  ) {}

  /** @throws {Refused} if the service rejects its part; {Rejection} PM503 if it is not available */
  async send({ service, path, result }: Step, { semiJoinKeys, body = '' }: Known): Promise<Reply<Buffer>> {
    const { requestId, traceparent, therapistId, sessionId } = this.envelope;
    const envelope: SubqueryEnvelope = {
      op: 'subquery',
      therapistId,
      ...(sessionId !== undefined && { sessionId }),
      requestId,
      ...(traceparent !== undefined && { traceparent }),
      subquery: subqueryToWire(subqueryAt(this.request, path, catalog)),
      result,
      semiJoinKeys: keysBelow(semiJoinKeys, path),
    };
    checkSize(envelope.semiJoinKeys);
    const reply = await this.requester.request(service, envelope, body);
    if (reply.status !== 200) throw new Refused(reply);
    return reply;
  }
}

/** @throws {Rejection} PM400 if the keys do not fit into a message */
export function checkSize(semiJoinKeys: readonly SemiJoinKeys[]): void {
  const bytes = semiJoinKeys.reduce((sum, keys) => sum + sizeOf(keys), 0);
  if (bytes > MAX_KEY_BYTES) reject(tooManyKeys);
}

const sizeOf = ({ matching, values, ranks }: SemiJoinKeys): number =>
  ranks.reduce(
    (sum, { keys, positions }) => sum + keys.length + positions.length,
    (matching?.length ?? 0) + Buffer.byteLength(values ?? ''),
  );

/** Rejected rather than truncated: a response from some of the records would be wrong. */
export const tooManyKeys = {
  status: 400,
  code: 'PM400',
  message: `the query is too large: more than ${limits.travellingKeys} related records of another service`,
  hint: 'Add filters on the embedded resource or on the resource itself.',
};
