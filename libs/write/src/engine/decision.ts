// The decision of one write: makes events and rows from intents and the records that were looked up. Several rounds of intents
// may follow each other, also for the same record. Each round sees the decisions of the rounds before it.

import { catalog } from '@practice/contracts';
import { Rejection, type Steps, forRecord } from '@practice/core';
import type { Statement } from '@practice/log';
import { checkKeys, isDerived, keyLookups, resolved } from '@practice/resource';
import type { Decider, DependentCommand, Lookup, LookupContext, Resource } from '@practice/resource';
import {
  checkReferences,
  referenceLookups,
  referringServices,
  LoadedContext,
  mergedLookups,
  removeMarks,
} from '@practice/mirror';
import type { MirrorAnswer, MirrorEntry, MirrorMatch, Deletion } from '@practice/mirror';
import { restoring } from './restoring.js';
import { DecidedRecords } from './decided-records.js';
import type { DecisionInput } from './decision-input.js';
import type { Load, Resumable } from './group/resumable.js';
import type { PracticeView } from './group/practice-view.js';
import { mirrorEntries, mirrorLoads, mirrorMatches, recordLoads, records } from './group/questions.js';
import { changesNothing, checkWritable, type Intent } from './intent.js';

export class Decision {
  private readonly context = new LoadedContext();
  readonly decided = new DecidedRecords();
  /** Answers of the mirror that were used without asking the owner. */
  private readonly trusted: MirrorAnswer[] = [];
  /** The id of the change that the decision becomes if it has events. */
  private nextChange: string | undefined;

  constructor(
    private readonly view: PracticeView,
    private readonly input: DecisionInput,
  ) {}

  /** The id of the change; null if there is no event. */
  get changeId(): string | null {
    return this.decided.events.length > 0 ? (this.nextChange ?? null) : null;
  }

  /**
   * Looks up all records that the rules and references of the intents need.
   * @returns the records that the owners must be asked about: a record may exist even if the mirror has no row
   */
  lookUp(resource: Resource, intents: readonly Intent[]): Resumable<readonly MirrorAnswer[]> {
    return this.lookUpAll([{ resource, intents }]);
  }

  /** As `lookUp`, for intents to records of several resources at once. */
  *lookUpAll(
    all: readonly { readonly resource: Resource; readonly intents: readonly Intent[] }[],
  ): Resumable<readonly MirrorAnswer[]> {
    const lookups: Lookup[] = [];
    for (const { resource, intents } of all) lookups.push(...(yield* this.lookups(resource, intents)));
    return yield* this.lookUpRows(lookups);
  }

  /** As `lookUp`, for the rows that these lookups find. */
  *lookUpRows(lookups: readonly Lookup[]): Resumable<readonly MirrorAnswer[]> {
    const isDirect = ({ through }: Lookup): boolean => through === undefined;
    const unknown = yield* this.loadAll(mergedLookups(lookups.filter(isDirect)));
    if (unknown.length > 0) return unknown;
    const others = lookups.filter((lookup) => !isDirect(lookup));
    return yield* this.loadAll(mergedLookups(others.map((lookup) => resolved(lookup, this.context))));
  }

  private *loadAll(lookups: readonly Lookup[]): Resumable<readonly MirrorAnswer[]> {
    yield* this.view.load(lookups.flatMap((lookup) => this.loadsOf(lookup)));
    const unknown: MirrorAnswer[] = [];
    for (const lookup of lookups) {
      unknown.push(...(yield* this.load(lookup)));
      yield;
    }
    return unknown;
  }

  private *lookups(resource: Resource, intents: readonly Intent[]): Steps<Lookup[]> {
    const lookups: Lookup[] = [];
    for (const intent of intents) {
      if (changesNothing(intent)) continue;
      const decider = this.deciderOf(resource, intent);
      const isOneOfMany = intent.undoes !== undefined || decider.dependents !== undefined;
      if (this.input.trustsReferences !== true)
        lookups.push(...referenceLookups(resource, intent, { isOneOfMany }));
      lookups.push(...decider.lookups(intent.command, intent.state), ...keyLookups(resource, intent));
      yield;
    }
    return lookups;
  }

  private loadsOf(lookup: Lookup): Load[] {
    const resource = this.resource(lookup.resource);
    return this.isOwn(resource)
      ? recordLoads(this.view, resource, this.undecidedOf(resource, lookup))
      : mirrorLoads(this.view, lookup);
  }

  private *load(lookup: Lookup): Resumable<readonly MirrorAnswer[]> {
    const found = this.resource(lookup.resource);
    if (!this.isOwn(found)) return yield* this.loadMirrored(lookup);
    const rows = yield* records(this.view, found, this.undecidedOf(found, lookup));
    this.context.load(
      lookup,
      this.decided.overlay(lookup, rows).map(({ row }) => row),
    );
    return [];
  }

  /** The lookup without decided records. These are not stored yet, although the records of their dependent commands refer to them. */
  private undecidedOf(resource: Resource, lookup: Lookup): Lookup {
    if (lookup.column !== 'id') return lookup;
    return { ...lookup, values: lookup.values.filter((id) => !this.decided.has(resource, id)) };
  }

  private *loadMirrored(lookup: Lookup): Resumable<readonly MirrorAnswer[]> {
    if (lookup.column !== 'id') return this.loadMatches(lookup, yield* mirrorMatches(this.view, lookup));
    const unknown = this.loadEntries(lookup, yield* mirrorEntries(this.view, lookup.resource, lookup.values));
    // A record that exists from the start has its defaults until its first change, so the mirror rarely has it.
    return this.resource(lookup.resource).fromStart === true ? [] : unknown;
  }

  private loadEntries(lookup: Lookup, entries: readonly MirrorEntry[]): MirrorEntry[] {
    const settled = entries.map((entry) => ({ entry, known: this.input.fetched.settle(entry) }));
    const rows = settled.map(({ known }) => known?.row ?? null).filter((row) => row !== null);
    this.context.load(lookup, rows);
    this.trusted.push(...settled.filter(({ known }) => known?.isFetched === false).map(({ entry }) => entry));
    return settled.filter(({ known }) => known === undefined).map(({ entry }) => entry);
  }

  private loadMatches(lookup: Lookup, matches: readonly MirrorMatch[]): MirrorMatch[] {
    const { fetched } = this.input;
    this.context.load(
      lookup,
      matches.flatMap((match) => fetched.matching(match) ?? match.rows),
    );
    const unasked = matches.filter((match) => fetched.matching(match) === undefined);
    this.trusted.push(...unasked);
    return unasked.filter(({ rows }) => rows.length === 0);
  }

  /**
   * Decides intents to records of one resource, once it is the turn of the write.
   * @param policy the name of the policy that has them
   * @returns an empty list once all intents are decided; otherwise the answers of the mirror that led to a refusal: they may be
   *   out of date, so the owners must be asked first
   * @throws {Rejection} when a rule forbids one of the intents; then none of them has an effect
   */
  *decide(resource: Resource, intents: readonly Intent[], policy = ''): Resumable<readonly MirrorAnswer[]> {
    yield* this.view.turn();
    this.nextChange ??= this.view.nextChange;
    try {
      yield* this.decideAll(resource, intents, policy);
      return [];
    } catch (error) {
      const isAboutReferences = error instanceof Rejection && error.problem.code === '23503';
      if (isAboutReferences && this.trusted.length > 0) return this.trusted;
      throw error;
    }
  }

  private *decideAll(resource: Resource, intents: readonly Intent[], policy: string): Steps<void> {
    const context = this.lookupContext;
    for (const [index, intent] of intents.entries()) {
      if (changesNothing(intent)) continue;
      forRecord(index, intents.length, () => {
        if (this.input.trustsReferences !== true) checkReferences(resource, intent, this.context);
        const aggregate = this.decided.of(resource, intent);
        const { undoes } = intent;
        if (intent.decider === undefined) checkWritable(resource, aggregate.state, this.input.by);
        const own = this.deciderOf(resource, intent);
        const { id, command } = intent;
        checkKeys(resource, { command, state: aggregate.state ?? { id } }, context);
        const decider = undoes === undefined ? own : restoring(own);
        const origin = { changeId: this.nextChange as string, ...(undoes === undefined ? {} : { undoes }) };
        const metadata = () => Object.assign(this.input.metadata(policy), origin);
        this.decided.events.push(...aggregate.execute(intent.command, context, { decider, metadata }));
        this.context.replace(resource.name, intent.id, aggregate.state);
      });
      yield;
    }
  }

  private deciderOf(resource: Resource, { decider }: Intent): Decider {
    return decider ?? this.input.deciders.of(resource);
  }

  mayHaveDependents(resource: Resource): boolean {
    return this.input.deciders.mayHaveDependents(resource);
  }

  /** The most dependent commands that an intent can have, as far as it is known before a lookup. */
  mostDependents(resource: Resource, { command }: Intent): number {
    return this.input.deciders.of(resource).mostDependents?.(command) ?? 0;
  }

  /**
   * The dependent commands of an intent: of a decided one, or of a deletion before it is decided.
   * @throws {Rejection} when a rule forbids one of them
   */
  dependents(resource: Resource, intent: Intent): readonly DependentCommand[] {
    const { command, state: before, undoes } = intent;
    const decider = this.input.deciders.of(resource);
    const isAsked = undoes === undefined || decider.derives === true;
    if (decider.dependents === undefined || !isAsked || changesNothing(intent)) return [];
    const after = command.kind === 'delete' ? null : this.decided.of(resource, intent).state;
    const all = decider.dependents({ command, before, after }, this.lookupContext);
    return undoes === undefined
      ? all
      : all.filter((dependent) => isDerived(this.resource(dependent.resource), dependent.command));
  }

  get lookupContext(): LookupContext {
    const { by } = this.input;
    return {
      now: this.view.now,
      rows: ({ name }, column, value) => this.context.rows(name, column, value),
      ...(by !== undefined && { by }),
    };
  }

  /** Removes the marks of deletions that their owners have given up. */
  get mirrorUpdates(): Statement[] {
    const { endedMarks } = this.input.fetched;
    return endedMarks.length === 0 ? [] : [removeMarks(this.view.log, endedMarks)];
  }

  /** Records to be deleted that other services may refer to. */
  get deletions(): Deletion[] {
    return this.decided.deleted.filter(
      ({ resource }) => referringServices(this.resource(resource)).length > 0,
    );
  }

  private isOwn({ service }: Resource): boolean {
    return service === this.view.log.service;
  }

  private resource(name: string): Resource {
    const found = catalog.resources.get(name);
    if (found === undefined) throw new Error(`${name} is not a resource`);
    return found;
  }
}
