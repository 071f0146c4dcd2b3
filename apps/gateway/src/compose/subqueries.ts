// Sends the subqueries of one request to the services that own the related records.

import type { Reply, Requester } from '@practice/bus';
import { catalog } from '@practice/contracts';
import { oncePer, problemFor, reject } from '@practice/core';
import { keysBelow, limits, packedCount } from '@practice/query';
import type {
  CommandEnvelope,
  EmbedPath,
  KeysStep,
  PreparedComposition,
  QueryEnvelope,
  RowsStep,
  SemiJoinKeys,
  SubqueryEnvelope,
} from '@practice/query';

/** A part was refused. Its error reply is the reply to the whole request. */
export class Refused extends Error {
  constructor(readonly reply: Reply<Buffer>) {
    super('a service refused its part of the request');
  }
}

/** The most bytes of keys in one request: the smallest NATS message limit minus a request body and the rest of the message. */
const MAX_KEY_BYTES = 1_400_000;

export class Subqueries {
  constructor(
    private readonly requester: Requester,
    private readonly composition: PreparedComposition,
    private readonly envelope: QueryEnvelope | CommandEnvelope,
  ) {}

  /**
   * @param keys the keys whose rows are requested, as JSON
   * @throws {Refused} if the service rejects its part; {Rejection} PM503 if it is not available
   */
  async send(
    step: KeysStep | RowsStep,
    semiJoinKeys: readonly SemiJoinKeys[],
    keys = '',
  ): Promise<Reply<Buffer>> {
    const { requestId, traceparent, identity, address, partOf } = this.envelope;
    const envelope: SubqueryEnvelope = {
      op: 'subquery',
      identity,
      ...(address !== undefined && { address }),
      requestId,
      partOf,
      ...(traceparent !== undefined && { traceparent }),
      semiJoinKeys: keysBelow(semiJoinKeys, step.path),
    };
    checkSize(envelope.semiJoinKeys);
    const body = `${this.composition.question(step, { catalog })}\n${keys}`;
    const reply = await this.requester.request(step.service, envelope, body);
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
export const tooManyKeys = problemFor('PM400', {
  message: `the query is too large: more than ${limits.travellingKeys} related records of another service`,
  hint: 'Add filters on the embedded resource or on the resource itself.',
});

// Keys of related records that statements filter and order by. Each set is fetched once, after the sets that it needs.

export class FetchedKeys {
  private readonly steps: ReadonlyMap<string, KeysStep>;
  private readonly keysAt = oncePer(new Map<string, Promise<SemiJoinKeys>>(), (name) =>
    this.fetch(this.steps.get(name) as KeysStep),
  );

  constructor(
    private readonly subqueries: Subqueries,
    steps: readonly KeysStep[],
  ) {
    this.steps = new Map(steps.map((step) => [nameOf(step.path), step]));
  }

  /** The keys of the records embedded at these paths. */
  of(paths: readonly EmbedPath[]): Promise<readonly SemiJoinKeys[]> {
    const names = [...new Set(paths.map(nameOf))];
    return Promise.all(names.map((name) => this.keysAt(name)));
  }

  private async fetch(step: KeysStep): Promise<SemiJoinKeys> {
    const reply = await this.subqueries.send(step, await this.of(step.needs));
    const { matching, values, ranks } = JSON.parse(reply.body.toString()) as Omit<SemiJoinKeys, 'path'>;
    for (const packed of [matching ?? '', ...ranks.map(({ keys }) => keys)])
      if (packedCount(packed) > limits.travellingKeys) reject(tooManyKeys);
    return { path: step.path, matching, values, ranks };
  }
}

const nameOf = (path: EmbedPath): string => path.join('.');
