// The rows of relations: one request per relation and level, independent of the number of outer rows.

import { reject } from '@practice/core';
import type { Reply } from '@practice/bus';
import { limits, mergeRow } from '@practice/query';
import type { PieceRow, PieceStep, RowsStep, MergedRow } from '@practice/query';
import type { FetchedKeys } from './fetched-keys.js';
import { tooManyKeys } from './subqueries.js';
import type { Subqueries } from './subqueries.js';

type Outer = Exclude<PieceStep, { kind: 'run' }>;
type Key = string | null;
type ByKey = ReadonlyMap<string, readonly MergedRow[]>;

const outerPieces = ({ pieces }: RowsStep): readonly Outer[] =>
  pieces.filter((piece): piece is Outer => piece.kind !== 'run');

/** The rows in a service's reply. */
export const rowsOfReply = ({ body }: Reply<Buffer>): readonly PieceRow[] =>
  JSON.parse(body.toString()) as PieceRow[];

export class RelatedRows {
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
    const rehearseOne = async ({ rows }: Outer): Promise<void> => {
      await Promise.all([this.fetch(rows, []), this.rehearse(rows)]);
    };
    await Promise.all(outerPieces(step).map(rehearseOne));
  }

  /**
   * Asks the relations with conditions for no rows, so that a malformed value is reported even if no row refers to a record.
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
    const byKey = new Map<string, MergedRow[]>();
    found.forEach(([key], index) => {
      const group = byKey.get(key ?? '') ?? [];
      group.push(rows[index] as MergedRow);
      byKey.set(key ?? '', group);
    });
    return byKey;
  }

  private async fetch(step: RowsStep, keys: readonly Key[]): Promise<readonly PieceRow[]> {
    const known = { semiJoinKeys: await this.keys.of(step.needs), keys: JSON.stringify(keys) };
    return rowsOfReply(await this.subqueries.send(step, known));
  }
}
