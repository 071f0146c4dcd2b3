// What a request should be answered, found by looking through all records.

import { keyOf, termsOf } from './requests.js';
import type { Embed, Filter, Level } from './requests.js';

export type Row = Readonly<Record<string, unknown>>;

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
      for (const { column, index, descending } of terms) {
        const value = (row: Row): unknown =>
          (index < 0 ? row : this.met(row, asked.embeds[index] as Embed)[0])?.[column] ?? null;
        const order = compared(value(a), value(b));
        if (order !== 0) return descending ? -order : order;
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
    const exists = (embedded: Embed): boolean => this.met(row, embedded).length > 0;
    const [first] = embeds;
    if (!filters.every((one) => passes(row, one))) return false;
    if (!embeds.every((embedded) => !embedded.isInner || exists(embedded))) return false;
    if (first === undefined || first.form === 'spread' || existence === 'none') return true;
    if (existence === 'or') return !exists(first) || row[own[0] ?? ''] === null;
    return exists(first) === (existence === 'not.is.null');
  }

  private projected(row: Row, { columns: own, embeds }: Level): Row {
    const members = embeds.flatMap((embedded, index): [string, unknown][] => {
      const { form, relation, level: inner } = embedded;
      const { total, page } = this.among(
        this.relatedTo(row, embedded),
        relation.isToOne ? { ...within(embedded), limit: null, offset: 0 } : within(embedded),
      );
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

  /** The related records that meet what is asked of them. */
  private met(row: Row, embedded: Embed): Row[] {
    return this.relatedTo(row, embedded).filter((other) => this.meets(other, within(embedded)));
  }

  private relatedTo(row: Row, { relation }: Embed): Row[] {
    return (this.tables[relation.to] ?? []).filter(
      (other) => row[relation.here] !== null && other[relation.there] === row[relation.here],
    );
  }
}

function passes(row: Row, { column, test }: Filter): boolean {
  const value = row[column] as string | number | null;
  if (test === 'is.null') return value === null;
  if (test === 'not.is.null') return value !== null;
  if (value === null) return false;
  const [operator, operand = ''] = test.split('.');
  switch (operator) {
    case 'eq':
      return value === operand;
    case 'neq':
      return value !== operand;
    case 'gt':
      return typeof value === 'number' ? value > Number(operand) : value > operand;
    default:
      return operand.slice(1, -1).split(',').includes(String(value));
  }
}

/** What an embed restricts its records by: one that is counted or empty holds no embeds of its own. */
const within = ({ form, level: { ...inner } }: Embed): Level =>
  form === 'count' || form === 'empty' ? { ...inner, embeds: [] } : inner;

/** Null is greater than anything. */
function compared(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return (a as string) < (b as string) ? -1 : (a as string) > (b as string) ? 1 : 0;
}
