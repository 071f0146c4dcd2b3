// One request's decision: its intents against the world that was looked up, and the facts and records they lead to.

import { Rejection } from '@practice/core';
import type { EventMetadata } from '@practice/core';
import { appendEvents } from '@practice/event-store';
import type { NewEvent, Statement, TextRow } from '@practice/event-store';
import type { Catalog, Decider, Lookup, LookupContext, Resource, Row } from '@practice/resource';
import { deleteRows, readRows, selectRows, upsertRows } from '../storage/tables.js';
import { mirrorNewRows, readMirrorRows, selectMirrored } from '../projections/mirror-table.js';
import type { MirrorRow } from '../projections/mirror-table.js';
import { Unanswered } from '../references/record-owners.js';
import type { FetchedRecords } from '../references/record-owners.js';
import { Aggregate } from './aggregate.js';
import { checkReferences, referenceLookups } from '../references/check-references.js';
import { forRecord, changesNothing } from './intent.js';
import type { Intent } from './intent.js';
import { LoadedContext, mergedLookups } from './lookup-context.js';

export interface DecisionInput {
  readonly catalog: Catalog;
  readonly resource: Resource;
  readonly decider: Decider;
  readonly therapistId: string;
  readonly now: string;
  readonly metadata: () => EventMetadata;
  /** What the owners of other services' records have answered so far. */
  readonly answers: FetchedRecords;
}

export class Decision {
  private readonly world = new LoadedContext();
  private readonly decided: Aggregate[] = [];
  /** What was taken from the mirror without asking its owner. */
  private readonly believed: Lookup[] = [];

  constructor(readonly input: DecisionInput) {}

  /** Everything the intents' rules and references will look at. */
  lookups(intents: readonly Intent[]): Lookup[] {
    const { decider } = this.input;
    return mergedLookups(
      intents
        .filter((intent) => !changesNothing(intent))
        .flatMap((intent) => [
          ...referenceLookups(this.input, intent),
          ...decider.lookups(intent.command, intent.state),
        ]),
    );
  }

  statementsFor(lookups: readonly Lookup[]): Statement[] {
    const { therapistId, resource } = this.input;
    return lookups.map((lookup) => {
      const asked = this.resource(lookup.resource);
      return asked.service === resource.service
        ? selectRows(asked, therapistId, lookup)
        : selectMirrored(resource.service, therapistId, lookup);
    });
  }

  /** @throws {Unanswered} naming what the mirror does not know and no owner was asked yet */
  load(lookups: readonly Lookup[], answers: readonly TextRow[][]): void {
    const open: Lookup[] = [];
    lookups.forEach((lookup, index) => {
      const asked = this.resource(lookup.resource);
      const rows = answers[index] ?? [];
      if (asked.service === this.input.resource.service) {
        this.world.load(
          lookup,
          readRows(asked, rows).map(({ row }) => row),
        );
      } else {
        open.push(...this.loadMirrored(lookup, rows));
      }
    });
    if (open.length > 0) throw new Unanswered(open);
  }

  /** Returns what remains to be asked: the mirror lags behind, so that it has nothing does not mean there is nothing. */
  private loadMirrored(lookup: Lookup, rows: readonly TextRow[]): Lookup[] {
    const { answers } = this.input;
    const known = readMirrorRows(lookup.resource, rows);
    const found = new Set(known.map(({ row }) => row?.[lookup.column]));
    const unasked = lookup.values.filter((value) => answers.of(lookup, value) === undefined);
    const believed = unasked.filter((value) => found.has(value));
    if (believed.length > 0) this.believed.push({ ...lookup, values: believed });
    const answered = lookup.values.flatMap((value) => answers.of(lookup, value) ?? []);
    this.world.load(
      lookup,
      rowsOf([...answered, ...newerThan(answered, known, { ...lookup, values: unasked })]),
    );
    const missing = unasked.filter((value) => !found.has(value));
    return missing.length === 0 ? [] : [{ ...lookup, values: missing }];
  }

  /**
   * @throws {Rejection} when a rule forbids one of the intents; then none of them comes true
   * @throws {Unanswered} when it would be forbidden by what the mirror alone says, which may be out of date
   */
  decide(intents: readonly Intent[]): void {
    try {
      this.decideAll(intents);
    } catch (error) {
      const isAboutReferences = error instanceof Rejection && error.problem.code === '23503';
      throw isAboutReferences && this.believed.length > 0 ? new Unanswered(this.believed) : error;
    }
  }

  private decideAll(intents: readonly Intent[]): void {
    const { resource, decider, now, metadata } = this.input;
    const context: LookupContext = {
      now,
      rows: ({ name }, column, value) => this.world.rows(name, column, value),
    };
    intents.forEach((intent, index) => {
      if (changesNothing(intent)) return;
      forRecord(index, intents.length, () => {
        checkReferences(this.input, intent, this.world);
        const aggregate = new Aggregate({ resource, decider }, intent.id, intent.state, intent.version);
        aggregate.execute(intent.command, context, metadata);
        this.world.replace(resource.name, intent.id, aggregate.state);
        this.decided.push(aggregate);
      });
    });
  }

  /** Each intent's record as the decision leaves it; a deleted one as it was. */
  records(intents: readonly Intent[]): Row[] {
    const next = new Map(this.decided.map((aggregate) => [aggregate.id, aggregate.state]));
    return intents.map(({ id, state }) => next.get(id) ?? state).filter((row) => row !== null);
  }

  /** The version of the one record that was written or was as wished; null when there are more, or it is gone. */
  versionOf([intent, ...others]: readonly Intent[]): number | null {
    if (intent === undefined || others.length > 0 || intent.command.kind === 'delete') return null;
    return this.decided.find(({ id }) => id === intent.id)?.version ?? intent.version;
  }

  get events(): NewEvent[] {
    return this.decided.flatMap((aggregate) => aggregate.getUncommittedEvents());
  }

  /** Stores facts and records. What a representation reads comes between the records written and those deleted. */
  statements(position: number, representation: readonly Statement[]): Statement[] {
    const { resource, therapistId, answers } = this.input;
    const { events } = this;
    const kept = this.decided.filter(({ state }) => state !== null);
    const gone = this.decided.filter(({ state }) => state === null).map(({ id }) => id);
    const records = kept.map(({ state, version }) => ({ row: state as Row, version }));
    return [
      ...(events.length === 0
        ? []
        : [appendEvents({ service: resource.service, therapistId, position }, events)]),
      ...(records.length === 0 ? [] : [upsertRows(resource, therapistId, records)]),
      ...(answers.records.length === 0
        ? []
        : [mirrorNewRows(resource.service, therapistId, answers.records)]),
      ...representation,
      ...(gone.length === 0 ? [] : [deleteRows(resource, therapistId, gone)]),
    ];
  }

  private resource(name: string): Resource {
    const found = this.input.catalog.resources.get(name);
    if (found === undefined) throw new Error(`${name} is no resource`);
    return found;
  }
}

const rowsOf = (records: readonly MirrorRow[]): Row[] =>
  records.map(({ row }) => row).filter((row) => row !== null);

/** Of what the mirror has: the rows nobody was asked about, and those that have changed since. */
const newerThan = (
  answered: readonly MirrorRow[],
  known: readonly MirrorRow[],
  { column, values: unasked }: Lookup,
): MirrorRow[] =>
  known.filter(
    ({ id, version, row }) =>
      unasked.includes(String(row?.[column])) ||
      answered.some((answer) => answer.id === id && answer.version < version),
  );
