// Asking services for their parts of one answer.

import { reject } from '@practice/core';
import type { AskedHead, Reply, Requester } from '@practice/messaging';
import { limits, parsePreferences } from '@practice/query';
import type { SemiJoinKeys, SubplanQuestion } from '@practice/query';
import type { PartHead, RestHead } from '@practice/service';

/** Another part's refusal is the whole answer's. */
export class Refused extends Error {
  constructor(readonly reply: Reply<Buffer>) {
    super('a part of the answer was refused');
  }
}

/** Bytes of keys that travel with one request: what a message of NATS holds at least, less a body and what else there is. */
const MAX_KNOWN_BYTES = 1_400_000;

export class Parts {
  constructor(
    private readonly requester: Requester,
    private readonly head: AskedHead<RestHead>,
  ) {}

  /**
   * @param body the keys that rows are wanted for, as JSON
   * @throws {Refused} when the service refuses; {Rejection} PM503 when it is away
   */
  async ask(
    service: string,
    part: SubplanQuestion,
    { semiJoinKeys, body = '' }: Told,
  ): Promise<Reply<Buffer>> {
    const { resource, query, headers, requestId, traceparent, therapistId, sessionId } = this.head;
    const { timezone } = parsePreferences(headers.prefer);
    const head: AskedHead<PartHead> = {
      op: 'part',
      therapistId,
      ...(sessionId === undefined ? {} : { sessionId }),
      requestId,
      ...(traceparent === undefined ? {} : { traceparent }),
      resource,
      query,
      ...(timezone === null ? {} : { timezone }),
      part,
      semiJoinKeys,
    };
    checkSize(semiJoinKeys);
    const reply = await this.requester.request(service, head, body);
    if (reply.status !== 200) throw new Refused(reply);
    return reply;
  }
}

interface Told {
  readonly semiJoinKeys: readonly SemiJoinKeys[];
  readonly body?: string;
}

/** @throws {Rejection} PM400 for more than fits into a message */
export function checkSize(semiJoinKeys: readonly SemiJoinKeys[]): void {
  const bytes = semiJoinKeys.reduce((sum, known) => sum + sizeOf(known), 0);
  if (bytes > MAX_KNOWN_BYTES) reject(tooManyKeys);
}

const sizeOf = ({ matching, values, ranks }: SemiJoinKeys): number =>
  ranks.reduce(
    (sum, { keys, positions }) => sum + keys.length + positions.length,
    (matching?.length ?? 0) + Buffer.byteLength(values ?? ''),
  );

/** Refused rather than cut: an answer from some of the records would be a wrong one. */
export const tooManyKeys = {
  status: 400,
  code: 'PM400',
  message: `the query is too large: more than ${limits.travellingKeys} related records of another service`,
  hint: 'Name fewer records with filters on the embedded resource or on the resource itself.',
};
