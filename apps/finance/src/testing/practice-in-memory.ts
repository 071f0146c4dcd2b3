// A practice in memory. It decides commands like the write path, but without a database, for properties of many commands.

import { Rejection, type Event } from '@practice/core';
import { catalog } from '@practice/contracts';
import { checkRecord, evolve, linesOf, resolved } from '@practice/resource';
import type { Command, Decider, LedgerLine, LookupContext, Resource, Row } from '@practice/resource';

export interface Booked extends Event {
  readonly resource: string;
  readonly id: string;
  readonly before: Row | null;
  readonly after: Row | null;
  readonly lines: readonly LedgerLine[];
}

const NOW = '2026-05-01T08:00:00+00:00';

export class PracticeInMemory {
  /** resource → id → record */
  private readonly records = new Map<string, Map<string, Row>>();
  /** The records that the command has replaced so far. */
  private replaced: (readonly [string, string, Row | null])[] = [];
  readonly events: Booked[] = [];

  constructor(private readonly deciders: ReadonlyMap<string, Decider>) {}

  all(resource: string): Row[] {
    return [...(this.records.get(resource)?.values() ?? [])];
  }

  /** Executes a command with all its dependent commands, or nothing. @returns the code of a refusal */
  execute(resource: string, id: string, command: Command): string | undefined {
    const count = this.events.length;
    this.replaced = [];
    try {
      this.decide(resource, id, command);
      return undefined;
    } catch (error) {
      for (const [name, replacedId, row] of this.replaced.toReversed()) this.put(name, replacedId, row);
      this.events.length = count;
      if (error instanceof Rejection) return error.problem.code;
      throw error;
    }
  }

  private decide(name: string, id: string, command: Command): void {
    const decider = this.deciders.get(name);
    const before = this.find(name, id);
    const resource = catalog.resources.get(name) as Resource;
    const isNew = command.kind === 'create' || resource.fromStart === true;
    if (decider === undefined || (before === null && !isNew)) return;
    const context = this.contextOf(decider, command, before);
    const depend = (after: Row | null): void => {
      for (const one of decider.dependents?.({ command, before, after }, context) ?? [])
        this.decide(one.resource, one.id, one.command);
    };
    if (command.kind === 'delete') depend(null);
    const events = decider.decide(command, this.find(name, id), context);
    const state = this.apply(resource, id, events);
    if (command.kind !== 'delete') depend(state);
  }

  private apply(resource: Resource, id: string, events: readonly Event[]): Row | null {
    let state = this.find(resource.name, id);
    for (const event of events) {
      const next = evolve(resource, state, { ...event, recordedAt: NOW });
      const lines = linesOf(resource, { before: state, after: next, at: NOW });
      this.events.push({ ...event, resource: resource.name, id, before: state, after: next, lines });
      state = next;
    }
    if (state !== null) checkRecord(resource, state);
    this.store(resource.name, id, state);
    return state;
  }

  private find(resource: string, id: string): Row | null {
    return this.records.get(resource)?.get(id) ?? null;
  }

  private store(name: string, id: string, row: Row | null): void {
    this.replaced.push([name, id, this.find(name, id)]);
    this.put(name, id, row);
  }

  private put(name: string, id: string, row: Row | null): void {
    const rows = this.records.get(name) ?? new Map<string, Row>();
    this.records.set(name, rows);
    if (row === null) rows.delete(id);
    else rows.set(id, row);
  }

  /** Only rows that were looked up can be read. */
  private contextOf(decider: Decider, command: Command, state: Row | null): LookupContext {
    const find = (resource: string, column: string, value: string): readonly Row[] => {
      const rows = this.records.get(resource);
      if (column === 'id') return [rows?.get(value)].filter((row) => row !== undefined);
      return [...(rows?.values() ?? [])].filter((row) => row[column] === value);
    };
    const lookups = decider.lookups(command, state).map((lookup) => resolved(lookup, { rows: find }));
    return {
      now: NOW,
      rows: (definition, column, value) => {
        const isAsked = lookups.some(
          ({ resource, column: by, values }) =>
            resource === definition.name && by === column && values.includes(value),
        );
        if (!isAsked) throw new Error(`${definition.name}.${column} was not looked up`);
        return find(definition.name, column, value) as never;
      },
    };
  }
}
