// The expected response to a request, found by looking through all records.

import { evaluate } from '../dialect/evaluate.js';
import type { Row } from '../dialect/row.js';
import { keyOf, termsOf, within } from './requests.js';
import type { Embed, Level, Term } from './requests.js';

/** Every record, by resource. */
export type Tables = Readonly<Record<string, readonly Row[]>>;

export interface Found {
  /** How many there are on all pages. */
  readonly total: number;
  readonly page: readonly Row[];
}

export class Records {
  constructor(private readonly tables: Tables) {}

  /** The answer to a request. */
  answer(asked: Level): Found {
    return this.among(this.tables[asked.resource] ?? [], asked);
  }

  private among(rows: readonly Row[], asked: Level): Found {
    const all = rows.filter((row) => this.meets(row, asked));
    const terms = termsOf(asked);
    const sorted = all.toSorted((a, b) => {
      for (const { column, index, descending, nulls } of terms) {
        const value = (row: Row): unknown =>
          (index < 0 ? row : this.returned(row, asked.embeds[index] as Embed)[0])?.[column] ?? null;
        const order = ordered(value(a), value(b), { descending, nulls });
        if (order !== 0) return order;
      }
      return compared(a['id'], b['id']);
    });
    const end = asked.limit === null ? undefined : asked.offset + asked.limit;
    return {
      total: all.length,
      page: sorted.slice(asked.offset, end).map((row) => this.projected(row, asked)),
    };
  }

  private meets(row: Row, asked: Level): boolean {
    const { filters, embeds, existence, columns: own } = asked;
    // A count is a record even if it counts nothing.
    const exists = (embedded: Embed): boolean =>
      embedded.form === 'count' || this.returned(row, embedded).length > 0;
    const [first] = embeds;
    if (!filters.every((one) => evaluate(one, row) === true)) return false;
    if (!embeds.every((embedded) => !embedded.isInner || exists(embedded))) return false;
    if (first === undefined || first.form === 'spread' || existence === 'none') return true;
    if (existence === 'or') return !exists(first) || row[own[0] ?? ''] === null;
    return exists(first) === (existence === 'not.is.null');
  }

  private projected(row: Row, { columns: own, embeds }: Level): Row {
    const members = embeds.flatMap((embedded, index): [string, unknown][] => {
      const { form, relation, level: inner } = embedded;
      const { total, page } = this.among(this.relatedTo(row, embedded), within(embedded));
      if (form === 'empty') return [];
      if (form === 'count') return [[keyOf(index), relation.isToOne ? { count: total } : [{ count: total }]]];
      if (form === 'nested') return [[keyOf(index), relation.isToOne ? (page[0] ?? null) : page]];
      return inner.columns.map((column) => [
        `s${index}_${column}`,
        relation.isToOne ? (page[0]?.[column] ?? null) : page.map((other) => other[column]),
      ]);
    });
    return Object.fromEntries([...own.map((column) => [column, row[column]] as const), ...members]);
  }

  /** The related records that an embed returns, in any order. */
  private returned(row: Row, embedded: Embed): Row[] {
    const inner = within(embedded);
    const end = inner.limit === null ? undefined : inner.offset + inner.limit;
    return this.relatedTo(row, embedded)
      .filter((other) => this.meets(other, inner))
      .slice(inner.offset, end);
  }

  private relatedTo(row: Row, { relation }: Embed): Row[] {
    return (this.tables[relation.to] ?? []).filter(
      (other) => row[relation.here] !== null && other[relation.there] === row[relation.here],
    );
  }
}

/** Null is greater than anything, unless it is said where it goes. */
function ordered(a: unknown, b: unknown, { descending, nulls }: Pick<Term, 'descending' | 'nulls'>): number {
  if (nulls === '' || (a !== null && b !== null)) return descending ? -compared(a, b) : compared(a, b);
  return nulls === '.nullsfirst' ? -compared(a, b) : compared(a, b);
}

/** Null is greater than anything. */
function compared(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return (a as string) < (b as string) ? -1 : (a as string) > (b as string) ? 1 : 0;
}
