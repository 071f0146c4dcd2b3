// Random commands to records of any resource, made from the definitions.

import { formats, type Column, type Resource } from '@practice/resource';
import { type Answer, type Practice, write } from '@practice/testing';
import fc from 'fast-check';
import { inOrder, rowOf, settable } from '../isolation/rows.js';

export const resources: readonly Resource[] = inOrder().filter(({ isUndoable }) => isUndoable !== false);

/** A command, as random numbers that choose among the existing records and columns. */
export interface Drawn {
  readonly kind: 'create' | 'change' | 'delete' | 'undo';
  readonly resource: number;
  readonly record: number;
  readonly column: number;
  readonly value: number;
}

const number = fc.nat(999);

export const command: fc.Arbitrary<Drawn> = fc.record({
  kind: fc.constantFrom<Drawn['kind']>('create', 'change', 'change', 'change', 'change', 'delete', 'undo'),
  resource: fc.nat(resources.length - 1),
  record: number,
  column: number,
  value: number,
});

/** A practice with the records and changes that the commands have made. */
export class Commanded {
  /** The changes of the commands that were not refused, in their order. */
  readonly changes: string[] = [];
  private readonly ids: Record<string, string[]> = {};
  private made = 0;

  constructor(private readonly practice: Practice) {}

  /** Creates one record of each resource, so that records can refer to each other. */
  async begin(): Promise<void> {
    for (const resource of resources) await this.create(resource, 1);
  }

  /** Sends a command. @returns its change; undefined if it was refused, or changed nothing */
  async send(drawn: Drawn): Promise<string | undefined> {
    const resource = resources[drawn.resource] as Resource;
    switch (drawn.kind) {
      case 'create':
        return this.create(resource, 1 + (drawn.value % 3));
      case 'change':
        return this.change(resource, drawn);
      case 'delete':
        return this.keep(await write(this.practice, this.pathOf(resource, drawn), { method: 'DELETE' }));
      case 'undo':
        return this.undo(this.changes.at(-1) as string);
    }
  }

  /** Undoes a change. @throws {Error} when that is refused */
  async undo(change: string): Promise<string> {
    const answer = await write(this.practice, 'rpc/undo', { method: 'POST', body: { change_id: change } });
    if (answer.status !== 200) throw new Error(`undo of ${change}: ${answer.status} ${answer.text}`);
    return this.keep(answer) as string;
  }

  private async create(resource: Resource, count: number): Promise<string | undefined> {
    const rows = Array.from({ length: count }, () => {
      this.made += 1;
      return rowOf(resource, this.made % 28, { ids: this.ids, mark: `text ${this.made}` });
    });
    const headers = { prefer: 'return=representation' };
    const answer = await write(this.practice, resource.name, { method: 'POST', body: rows, headers });
    if (answer.status === 201)
      this.ids[resource.name] = [
        ...(this.ids[resource.name] ?? []),
        ...(answer.json as { id: string }[]).map(({ id }) => id),
      ];
    return this.keep(answer);
  }

  private async change(resource: Resource, drawn: Drawn): Promise<string | undefined> {
    if (resource.appendOnly === true) return undefined;
    const columns = settable(resource).filter(([name]) => !isCounted(name));
    const [name, column] = columns[drawn.column % columns.length] as [string, Column];
    const body = { [name]: this.valueOf(column, drawn.value) };
    return this.keep(await write(this.practice, this.pathOf(resource, drawn), { method: 'PATCH', body }));
  }

  /** A value that the column may have; a text is never used twice. */
  private valueOf(column: Column, value: number): unknown {
    const { oneOf, references, nullable } = column;
    if (oneOf !== undefined) return oneOf[value % oneOf.length];
    if (nullable && value % 5 === 0) return null;
    const ids = references === undefined ? undefined : this.ids[references];
    if (ids !== undefined) return ids[value % ids.length];
    this.made += 1;
    return plainValue(column, value, this.made);
  }

  private pathOf({ name }: Resource, { record }: Drawn): string {
    const ids = this.ids[name] ?? [];
    return `${name}?id=eq.${ids[record % ids.length]}`;
  }

  private keep({ headers }: Answer): string | undefined {
    const change = headers.get('change-id') ?? undefined;
    if (change !== undefined) this.changes.push(change);
    return change;
  }
}

function plainValue({ kind, format, after, min = 1 }: Column, value: number, unique: number): unknown {
  const hour = String(6 + (value % 12) + (after === undefined ? 0 : 6)).padStart(2, '0');
  const values: Readonly<Record<string, unknown>> = {
    text: format === undefined ? `text ${unique}` : formats[format].example(unique),
    integer: min + (value % 50),
    decimal: value / 4,
    boolean: value % 2 === 0,
    date: `2031-02-${String(1 + (value % 28)).padStart(2, '0')}`,
    timeOfDay: `${hour}:00`,
    json: { value },
  };
  return values[kind.name];
}

/** Commands do not set this count: visits are not uncounted below a count set by hand, so an undo elsewhere could not restore it. */
const isCounted = (column: string): boolean => column === 'total_visits';
