// The requests that a service answers, as they travel: each is parsed already, by the gateway or by another service.

import type { OutgoingEnvelope } from '@practice/messaging';
import type { SemiJoinKeys, WireRequest } from '@practice/query';
import type { Repeatable } from './write/idempotency.js';

/** A read. The body holds the request, as `toWire` of libs/query writes it. */
export interface QueryFields {
  /** The If-None-Match header: the versions that the caller has. */
  readonly ifNoneMatch?: string | undefined;
  /** Given if the response is composed from several services: what is known of the other services' records. */
  readonly semiJoinKeys?: readonly SemiJoinKeys[] | undefined;
}

/** A write. The body holds the rows, as `rowsToWire` of libs/query writes them. */
export interface CommandFields extends Omit<QueryFields, 'ifNoneMatch'> {
  readonly request: WireRequest;
  /** Given if the caller may repeat the request and wants it done once. */
  readonly repeatable?: Repeatable;
  /** The If-Match header: the version of the record that the caller has. */
  readonly ifMatch?: string | undefined;
}

/**
 * A read of related records for a composed response. The first line of the body is the question, a `WireQuestion` of
 * libs/query; the second has the keys that rows are wanted for, as JSON.
 */
export interface SubqueryFields {
  /** Paths are relative to the subquery. */
  readonly semiJoinKeys: readonly SemiJoinKeys[];
}

export type QueryEnvelope = OutgoingEnvelope<QueryFields>;
export type CommandEnvelope = OutgoingEnvelope<CommandFields>;
export type SubqueryEnvelope = OutgoingEnvelope<SubqueryFields>;
