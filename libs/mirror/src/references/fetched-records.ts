import type { Row } from '@practice/resource';
import type { MirrorEntry, MirrorMatch } from '../mirrored/mirror-table.js';
import { keyOf } from './deletion-marks.js';

/** A record as its owner has it, narrowed to the columns that the mirror keeps; the row is null if the owner does not have it. */
export type FetchedRecord = Omit<MirrorEntry, 'mark'>;

interface Fetched {
  readonly record: FetchedRecord;
  /** The mirror's entry when the owner was asked. */
  readonly basis: MirrorEntry;
}

/** The records that were fetched from their owners during one unit of work. The mirror does not store them: policies react to the events that it lacks. */
export class FetchedRecords {
  private readonly byKey = new Map<string, Fetched>();
  private readonly byValue = new Map<string, readonly FetchedRecord[]>();

  set(basis: MirrorEntry, record: FetchedRecord): void {
    this.byKey.set(keyOf(record), { basis, record });
  }

  setMatch(basis: MirrorMatch, records: readonly FetchedRecord[]): void {
    this.byValue.set(valueOf(basis), records);
    // A decision also looks them up by their ids, and must not mix them with older values of the mirror.
    for (const record of records)
      if (!this.byKey.has(keyOf(record))) this.set({ mark: null, ...record, version: 0, row: null }, record);
  }

  /** The records with a value, if their owner was asked. */
  matching(match: MirrorMatch): readonly Row[] | undefined {
    return this.byValue
      .get(valueOf(match))
      ?.map(({ row }) => row)
      .filter((row) => row !== null);
  }

  /**
   * The known state of a record: from its owner, or from the mirror if that is newer; undefined when the owner must be asked.
   * An answer no longer counts once a new deletion mark has appeared, or the mirror has moved past it.
   */
  settle(entry: MirrorEntry): { readonly row: Row | null; readonly isFetched: boolean } | undefined {
    const fetched = this.byKey.get(keyOf(entry));
    if (fetched !== undefined && isCurrent(fetched, entry))
      return { row: fetched.record.row, isFetched: true };
    return entry.mark === null && entry.row !== null ? { row: entry.row, isFetched: false } : undefined;
  }

  /** Marks of deletions that their owners have given up. */
  get endedMarks(): string[] {
    return [...this.byKey.values()].flatMap(({ basis, record }) =>
      record.row === null || basis.mark === null ? [] : [basis.mark],
    );
  }
}

function isCurrent({ basis, record }: Fetched, { mark, version }: MirrorEntry): boolean {
  if (mark !== null && mark !== basis.mark) return false;
  return record.row === null ? version === basis.version : record.version >= version;
}

const valueOf = ({ resource, column, value }: MirrorMatch): string => `${resource} ${column} ${value}`;
