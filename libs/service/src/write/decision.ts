// The decision of one write: from intents and the records that were looked up to events and rows.
// Several rounds of intents may follow each other, also to the same record: each sees what those before it decided.

import { Rejection } from '@practice/core';
import type { EventMetadata } from '@practice/core';
import type { Statement } from '@practice/event-store';
import type { Catalog, Lookup, LookupContext, Resource } from '@practice/resource';
import { insertFetched } from '../projections/mirror-table.js';
import type { MirrorEntry } from '../projections/mirror-table.js';
import { checkReferences, referenceLookups, referringServices } from '../references/check-references.js';
import { removeMarks } from '../references/deletion-marks.js';
import type { Deletion } from '../references/deletion-marks.js';
import type { FetchedRecords } from '../references/fetched-records.js';
import { DecidedRecords } from './decided-records.js';
import type { Deciders } from './deciders.js';
import type { PracticeView } from './group/practice-view.js';
import { entriesIn, recordsIn } from './group/questions.js';
import { changesNothing, forRecord } from './intent.js';
import type { Intent } from './intent.js';
import { LoadedContext, mergedLookups } from './lookup-context.js';

export interface DecisionInput {
  readonly catalog: Catalog;
  readonly deciders: Deciders;
  readonly metadata: () => EventMetadata;
  /** Other services' records, as far as their owners were asked. */
  readonly fetched: FetchedRecords;
}

export class Decision {
  private readonly context = new LoadedContext();
  readonly decided = new DecidedRecords();
  /** Entries of the mirror that were used without asking the owner. */
  private readonly trusted: MirrorEntry[] = [];

  constructor(
    private readonly view: PracticeView,
    private readonly input: DecisionInput,
  ) {}

  /**
   * Looks up everything that the intents' rules and references will look at.
   * @returns the entries of the mirror whose owners must be asked, as a record may exist although the mirror has no row;
   *   undefined if something must be loaded first
   */
  lookUp(resource: Resource, intents: readonly Intent[]): readonly MirrorEntry[] | undefined {
    const found = this.lookups(resource, intents).map((lookup) => this.load(lookup));
    return found.includes(undefined) ? undefined : found.flatMap((entries) => entries ?? []);
  }

  private lookups(resource: Resource, intents: readonly Intent[]): Lookup[] {
    const place = { ...this.input, resource };
    const decider = this.input.deciders.of(resource);
    return mergedLookups(
      intents
        .filter((intent) => !changesNothing(intent))
        .flatMap((intent) => [
          ...referenceLookups(place, intent),
          ...decider.lookups(intent.command, intent.state),
        ]),
    );
  }

  private load(lookup: Lookup): MirrorEntry[] | undefined {
    const asked = this.resource(lookup.resource);
    if (!this.isOwn(asked)) {
      if (lookup.column !== 'id') throw new Error(`${lookup.resource} can be looked up by id only`);
      const entries = entriesIn(this.view, lookup.resource, lookup.values);
      return entries && this.loadEntries(lookup, entries);
    }
    const records = recordsIn(this.view, asked, lookup);
    if (records === undefined) return undefined;
    this.context.load(
      lookup,
      records.map(({ row }) => row),
    );
    for (const { resource, aggregate } of this.decided.all)
      this.context.replace(resource.name, aggregate.id, aggregate.state);
    return [];
  }

  private loadEntries(lookup: Lookup, entries: readonly MirrorEntry[]): MirrorEntry[] {
    const settled = entries.map((entry) => ({ entry, known: this.input.fetched.settle(entry) }));
    const rows = settled.map(({ known }) => known?.row ?? null).filter((row) => row !== null);
    this.context.load(lookup, rows);
    this.trusted.push(...settled.filter(({ known }) => known?.isFetched === false).map(({ entry }) => entry));
    return settled.filter(({ known }) => known === undefined).map(({ entry }) => entry);
  }

  /**
   * Decides intents to records of one resource.
   * @returns nothing once all are decided; otherwise the entries of the mirror that led to a refusal: they may be out of date,
   *   so their owners must be asked first
   * @throws {Rejection} when a rule forbids one of the intents; then none of them has an effect
   */
  decide(resource: Resource, intents: readonly Intent[]): readonly MirrorEntry[] {
    try {
      this.decideAll(resource, intents);
      return [];
    } catch (error) {
      const isAboutReferences = error instanceof Rejection && error.problem.code === '23503';
      if (isAboutReferences && this.trusted.length > 0) return this.trusted;
      throw error;
    }
  }

  private decideAll(resource: Resource, intents: readonly Intent[]): void {
    const decider = this.input.deciders.of(resource);
    const context: LookupContext = {
      now: this.view.now,
      rows: ({ name }, column, value) => this.context.rows(name, column, value),
    };
    intents.forEach((intent, index) => {
      if (changesNothing(intent)) return;
      forRecord(index, intents.length, () => {
        checkReferences({ ...this.input, resource }, intent, this.context);
        const aggregate = this.decided.of(resource, intent);
        aggregate.execute(intent.command, context, { decider, metadata: this.input.metadata });
        this.context.replace(resource.name, intent.id, aggregate.state);
      });
    });
  }

  /** Stores what the mirror learned on the way. */
  get learned(): Statement[] {
    const { log } = this.view;
    const { existing, endedMarks } = this.input.fetched;
    return [
      ...(existing.length === 0 ? [] : [insertFetched(log, existing)]),
      ...(endedMarks.length === 0 ? [] : [removeMarks(log, endedMarks)]),
    ];
  }

  /** Records to be deleted that other services may refer to. */
  get deletions(): Deletion[] {
    const { catalog } = this.input;
    return this.decided.deleted.filter(
      ({ resource }) => referringServices(catalog, this.resource(resource)).length > 0,
    );
  }

  private isOwn({ service }: Resource): boolean {
    return service === this.view.log.service;
  }

  private resource(name: string): Resource {
    const found = this.input.catalog.resources.get(name);
    if (found === undefined) throw new Error(`${name} is not a resource`);
    return found;
  }
}
