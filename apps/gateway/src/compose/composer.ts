// Makes responses from records of several services: asks each service for its part, as the composition defines, and merges the parts.

import type { Reply, Requester } from '@practice/bus';
import { catalog, inReadingRole } from '@practice/contracts';
import { grouped, isSuccess, type Problem, problemFor, reject } from '@practice/core';
import { limits, mergeBody, mergeRow } from '@practice/query';
import type {
  CommandEnvelope,
  Composition,
  MergedRow,
  PieceRow,
  PieceStep,
  PreparedComposition,
  QueryEnvelope,
  RowsStep,
} from '@practice/query';
import { isDryRun, isRead, type RecordsCall } from '../parse/parse.js';
import { checkSize, FetchedKeys, Refused, Subqueries, tooManyKeys } from './subqueries.js';

// The rows of relations. A relation of a level is read by sets of keys, not once per outer row.

type Outer = Exclude<PieceStep, { kind: 'run' }>;
type Key = string | null;
type ByKey = ReadonlyMap<string, readonly MergedRow[]>;

const outerPieces = ({ pieces }: RowsStep): readonly Outer[] =>
  pieces.filter((piece): piece is Outer => piece.kind !== 'run');

/** The rows in a service's reply. */
const rowsOfReply = ({ body }: Reply<Buffer>): readonly PieceRow[] =>
  JSON.parse(body.toString()) as PieceRow[];

class RelatedRows {
  constructor(
    private readonly subqueries: Subqueries,
    private readonly keys: FetchedKeys,
  ) {}

  /** The rows merged with their related records. */
  async merged(step: RowsStep, rows: readonly PieceRow[]): Promise<readonly MergedRow[]> {
    const related = new Map<PieceStep, ByKey>();
    const fill = async (piece: Outer): Promise<void> => {
      const index = step.pieces.indexOf(piece);
      related.set(piece, await this.byKey(piece, new Set(rows.map((row) => row[index] ?? null))));
    };
    await Promise.all(outerPieces(step).map(fill));
    return rows.map((row) => mergeRow(step, row, related));
  }

  /**
   * Reads every relation without any keys. Run before a write, so that nothing is written if its response cannot be made.
   * @throws as reading rows does
   */
  async rehearse(step: RowsStep): Promise<void> {
    const relations = outerPieces(step).map(({ rows }) => rows);
    await Promise.all(relations.flatMap((rows) => [this.fetch(rows, []), this.rehearse(rows)]));
  }

  /**
   * Reads the relations with conditions without any keys, so that a malformed value is reported even if no row refers to a record.
   * @throws as reading rows does
   */
  async checkConditions(steps: readonly RowsStep[]): Promise<void> {
    const check = async (step: RowsStep): Promise<void> => {
      const inner = outerPieces(step).map(({ rows }) => rows);
      await Promise.all([step.hasConditions ? this.fetch(step, []) : [], this.checkConditions(inner)]);
    };
    await Promise.all(steps.map(check));
  }

  private async byKey({ rows: step, takesNull }: Outer, keys: ReadonlySet<Key>): Promise<ByKey> {
    const wanted = [...keys].filter((key) => key !== null || takesNull);
    if (wanted.length > limits.travellingKeys) reject(tooManyKeys);
    if (wanted.length === 0) await this.checkConditions([step]);
    const found: PieceRow[] = [];
    for (let at = 0; at < wanted.length; at += limits.keysAtOnce) {
      for (const row of await this.fetch(step, wanted.slice(at, at + limits.keysAtOnce))) found.push(row);
      if (found.length > limits.travellingKeys) reject(tooManyKeys);
    }
    const rows = await this.merged(
      step,
      found.map(([, ...row]) => row),
    );
    return grouped(found.map(([key], index) => [key ?? '', rows[index] as MergedRow]));
  }

  private async fetch(step: RowsStep, keys: readonly Key[]): Promise<readonly PieceRow[]> {
    const known = await this.keys.of(step.needs);
    return rowsOfReply(await this.subqueries.send(step, known, JSON.stringify(keys)));
  }
}

type CallEnvelope = QueryEnvelope | CommandEnvelope;

interface ComposedCall extends RecordsCall {
  readonly composition: PreparedComposition;
}

/** The problem if a service fails after the write was committed. With an Idempotency-Key, a repetition gets the response. */
const withoutResponse = ({ repeatable }: ComposedCall): Problem =>
  repeatable === undefined
    ? problemFor('PM504', {
        message: 'The write was carried out, but a service that its response needs did not answer',
        hint: 'Do not repeat it. Read the records instead.',
      })
    : problemFor('PM503', {
        message: 'The write was carried out, but a service that its response needs did not answer',
        hint: 'Repeat it with the same Idempotency-Key to get the response.',
        headers: { 'Retry-After': '1' },
      });

export class Composer {
  constructor(private readonly requester: Requester) {}

  /**
   * The whole response, or the first error of any part.
   * @throws {Rejection} as a single service would reject the request; PM503 if a service is not available; PM504 if
   *   that happens after a write without an Idempotency-Key was carried out
   */
  async reply(call: ComposedCall, envelope: CallEnvelope): Promise<Reply<Buffer>> {
    try {
      return await this.composed(call, envelope);
    } catch (error) {
      if (error instanceof Refused) return error.reply;
      throw error;
    }
  }

  private async composed(call: ComposedCall, envelope: CallEnvelope): Promise<Reply<Buffer>> {
    const { resource, composition: prepared, body } = call;
    const { identity } = envelope;
    const composition = inReadingRole(resource.service, identity, (practiceRole) =>
      prepared.for({ catalog, therapistId: identity.therapistId, practiceRole, semiJoinKeys: [] }),
    );
    if (composition === null) return this.requester.request(resource.service, envelope, body);
    const subqueries = new Subqueries(this.requester, prepared, envelope);
    const keys = new FetchedKeys(subqueries, composition.keys);
    const rows = new RelatedRows(subqueries, keys);
    if (!isRead(call)) await rows.rehearse(composition.root);
    await rows.checkConditions(composition.unchecked);
    const semiJoinKeys = await keys.of(composition.root.needs);
    checkSize(semiJoinKeys);
    // Not a literal: on Node 20, a new member after a spread is slow.
    const asked = Object.assign({}, envelope, { semiJoinKeys });
    const reply = await this.requester.request(resource.service, asked, body);
    const isWhole = !composition.isComposed || !isSuccess(reply.status) || reply.body.length === 0;
    if (isWhole) return reply;
    const merged = this.merged(composition, rows, reply);
    const whole = isRead(call) || isDryRun(call) ? merged : merged.catch(() => reject(withoutResponse(call)));
    return { ...reply, body: await whole };
  }

  private async merged(composition: Composition, rows: RelatedRows, reply: Reply<Buffer>): Promise<Buffer> {
    const found = await rows.merged(composition.root, rowsOfReply(reply));
    return Buffer.from(mergeBody(composition, found));
  }
}
