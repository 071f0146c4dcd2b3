// The messages with requests to a service. The gateway or another service has already parsed each request.

import type { OnBehalf, OutgoingEnvelope } from '@practice/core';
import type { Row } from '@practice/resource';
import type { BatchOperation } from '../batch/operations.js';
import type { BatchResult } from '../batch/references.js';
import type { ParsedRequest } from '../parse/request.js';
import type { SemiJoinKeys } from '../plan/semi-join-keys.js';

/** A request that the caller may repeat: its key, and a hash of everything that it asks for. */
export interface Repeatable {
  readonly key: string;
  readonly hash: string;
  /** Identifies one of several requests with the key; present for a part of a batch, which may be given up. */
  readonly attempt?: string;
}

/** A read. The body holds the request, as `readToWire` writes it. */
export interface QueryFields extends OnBehalf {
  /** The If-None-Match header: the versions that the caller has. */
  readonly ifNoneMatch?: string | undefined;
  /** Present if the response is composed from several services: the fetched keys of the other services' records. */
  readonly semiJoinKeys?: readonly SemiJoinKeys[] | undefined;
}

/** The fields that writes and calls of functions have in common. */
interface Executed extends OnBehalf {
  /** The maximum number of records that the request may write; for a write of several records their number, if it is known. */
  readonly records?: number | undefined;
  /** Present if the caller may repeat the request, and it must be executed only once. */
  readonly repeatable?: Repeatable;
  /** Present for `tx=rollback`: nothing is kept, so the gateway may repeat the request. */
  readonly isDryRun?: true | undefined;
  /** The Change-Reason header, decoded. */
  readonly reason?: string | undefined;
  /** The If-Match header: the version of the record that the caller has. */
  readonly ifMatch?: string | undefined;
}

/** A write. The request in it has no rows: the body holds them, as `rowsToWire` writes them. */
export interface CommandFields extends Executed, Pick<QueryFields, 'semiJoinKeys'> {
  readonly request: ParsedRequest;
}

/**
 * A call of a function. The first line of the body is the request as JSON without its rows; the second has the arguments. If every
 * service has a part in the function, the third line has the rows of all parts as a JSON array, for the owner of the function.
 */
export interface FunctionFields extends Executed {
  /** Present for a function that the gateway continues after the response. */
  readonly workSecret?: string | undefined;
}

/** A part of a batch that one service executes as one change. The body is a `WireBatch` as JSON, and the reply a `WireBatchReply`. */
export type BatchFields = Omit<FunctionFields, 'ifMatch' | 'workSecret'>;

export interface WireBatch {
  readonly operations: readonly BatchOperation[];
  /** The names of all operations of the batch. */
  readonly names: readonly string[];
  /** Results of operations of other services. */
  readonly results: Readonly<Record<string, BatchResult>>;
  /** Records of other services that a dry run treats as stored. */
  readonly assumed: readonly AssumedRecord[];
  readonly isDryRun: boolean;
  /** Present if the operations come from a nested insert, and not from a call of `rpc/batch`. */
  readonly nested?: true;
}

/** A record that its service would have stored. */
export interface AssumedRecord {
  readonly resource: string;
  readonly id: string;
  readonly version: number;
  readonly row: Row;
}

export interface WireBatchReply {
  readonly operations: readonly BatchAnswer[];
  readonly results: Readonly<Record<string, BatchResult>>;
  /** Empty unless the batch is a dry run. */
  readonly assumed: readonly AssumedRecord[];
}

/** Asks a service to undo its part of a batch. The key of the message identifies the batch. */
export interface WireTakeBack {
  /** The response of the batch to repeat from now on, if another part could not be undone; otherwise null. */
  readonly replacement: { readonly status: number; readonly body: string } | null;
  /** Whether a part stays that another attempt at the batch has made or repeated. Gateways of earlier versions omit it. */
  readonly onlyOwn?: boolean;
}

/** The response that an operation would have as a request. */
export interface BatchAnswer {
  readonly as: string | null;
  readonly status: number;
  readonly body: unknown;
}

/**
 * A read of related records for a composed response. The first line of the body is the question, a `WireQuestion`;
 * the second has the keys that rows are wanted for, as JSON.
 */
export interface SubqueryFields extends OnBehalf {
  /** The fetched keys, with paths relative to the subquery. */
  readonly semiJoinKeys: readonly SemiJoinKeys[];
}

export type QueryEnvelope = OutgoingEnvelope<QueryFields>;
export type CommandEnvelope = OutgoingEnvelope<CommandFields>;
export type SubqueryEnvelope = OutgoingEnvelope<SubqueryFields>;
export type FunctionEnvelope = OutgoingEnvelope<FunctionFields>;
export type BatchEnvelope = OutgoingEnvelope<BatchFields>;
