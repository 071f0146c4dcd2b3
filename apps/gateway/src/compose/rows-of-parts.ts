// Rows of relations, one request for each relation on each level, whatever the number of rows outside.

import { reject } from '@practice/core';
import type { Reply } from '@practice/messaging';
import { limits, mergeRow } from '@practice/query';
import type { PieceRow, PieceStep, RowsStep, MergedRow } from '@practice/query';
import type { KeysOfParts } from './keys-of-parts.js';
import { tooManyKeys } from './parts.js';
import type { Parts } from './parts.js';

type Outer = Exclude<PieceStep, { kind: 'run' }>;
type Key = string | null;
type ByKey = ReadonlyMap<string, readonly MergedRow[]>;

const outerPieces = ({ pieces }: RowsStep): readonly Outer[] =>
  pieces.filter((piece): piece is Outer => piece.kind !== 'run');

/** Rows as they travel. */
export const rowsOfReply = ({ body }: Reply<Buffer>): readonly PieceRow[] =>
  JSON.parse(body.toString()) as PieceRow[];

export class RowsOfParts {
  constructor(
    private readonly parts: Parts,
    private readonly keys: KeysOfParts,
  ) {}

  /** The rows put together, with everything that belongs to them. */
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
   * Asks every relation for no rows at all: before a write, so that nothing is written whose answer is certain to fail.
   * @throws as asking for rows does
   */
  async rehearse(step: RowsStep): Promise<void> {
    const tryOut = async ({ rows }: Outer): Promise<void> => {
      await Promise.all([this.ask(rows, []), this.rehearse(rows)]);
    };
    await Promise.all(outerPieces(step).map(tryOut));
  }

  private async byKey({ rows: step, takesNull }: Outer, keys: ReadonlySet<Key>): Promise<ByKey> {
    const wanted = [...keys].filter((key) => key !== null || takesNull);
    if (wanted.length > limits.travellingKeys) reject(tooManyKeys);
    const found: PieceRow[] = [];
    for (let at = 0; at < wanted.length; at += limits.keysAtOnce) {
      for (const row of await this.ask(step, wanted.slice(at, at + limits.keysAtOnce))) found.push(row);
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

  private async ask(
    { service, path, format, needs }: RowsStep,
    keys: readonly Key[],
  ): Promise<readonly PieceRow[]> {
    const semiJoinKeys = await this.keys.of(needs);
    const question = { kind: 'rows', path, format } as const;
    return rowsOfReply(await this.parts.ask(service, question, { semiJoinKeys, body: JSON.stringify(keys) }));
  }
}
