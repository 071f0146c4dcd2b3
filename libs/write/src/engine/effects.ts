// Work that a service adds to the writes of a resource: on its private tables in the same transaction, and after the commit.

import type { Identity } from '@practice/core';
import type { Statement } from '@practice/log';
import type { Resource, Row } from '@practice/resource';
import { changesNothing, type Intent } from './intent.js';

/** A record as a write changes it; `before` is null for a new record, `after` for a deleted one. */
export interface RecordChange<Changed = Row> {
  readonly therapistId: string;
  readonly before: Changed | null;
  readonly after: Changed | null;
}

/** The effect of one write. */
export interface BegunEffect {
  /** Run in the transaction, once the records are stored. */
  readonly statements: readonly Statement[];
  /** Called after the commit. The caller gets the response once the result is there. */
  committed(): void | Promise<void>;
}

/**
 * Begins the effect of a write. May be called several times for one write; the last effect counts.
 * @throws {Rejection} when the write is not permitted because of its effect
 */
export type Begin = (changes: readonly RecordChange<object>[]) => BegunEffect;

/** A record that a write creates in addition. */
export interface FollowingRecord {
  readonly resource: Resource;
  readonly record: Row;
}

/** The write behind an effect. */
export interface EffectOrigin {
  readonly by: Identity;
  /** The time of everything that the write decides. */
  readonly now: string;
}

/** How a service reacts to changes of one of its own resources. A function that decides about records, such as `undo`, runs no effects. */
export interface WriteEffect {
  readonly resource: Pick<Resource, 'name' | 'isUndoable'>;
  /** New records of the service that a caller's write makes in the same change. */
  follow?(changes: readonly RecordChange<object>[], origin: EffectOrigin): readonly FollowingRecord[];
  begin(changes: readonly RecordChange<object>[]): BegunEffect;
  /** As `begin`, for a write of a caller: looks up, before the transaction, the facts about the caller that the effect needs. */
  beginFor?(caller: Identity): Promise<Begin>;
}

type ResourceChange = RecordChange & { readonly resource: Pick<Resource, 'name'> };

/** The effects of a service. */
export class Effects {
  /** @throws {Error} for a resource whose changes can be undone: an undo would not run the effect */
  constructor(private readonly all: readonly WriteEffect[]) {
    const odd = all.find(({ resource }) => resource.isUndoable !== false)?.resource;
    if (odd !== undefined) throw new Error(`changes of ${odd.name} have effects, so they cannot be undone`);
  }

  /** To be used for one write of the service itself. */
  ofOneWrite(): EffectsOfWrite {
    return new EffectsOfWrite(this.all);
  }

  /** To be used for one write of a caller. Nothing is looked up for resources without effects. */
  async of(resource: Pick<Resource, 'name'>, caller: Identity): Promise<EffectsOfWrite> {
    const own = this.all.filter((effect) => effect.resource.name === resource.name);
    return new EffectsOfWrite(await Promise.all(own.map(async (effect) => begunFor(effect, caller))));
  }
}

async function begunFor(effect: WriteEffect, caller: Identity): Promise<WriteEffect> {
  const begin = await effect.beginFor?.(caller);
  if (begin === undefined) return effect;
  const { resource } = effect;
  return { resource, follow: (changes, origin) => effect.follow?.(changes, origin) ?? [], begin };
}

export class EffectsOfWrite {
  private begun: readonly BegunEffect[] = [];

  constructor(private readonly all: readonly WriteEffect[]) {}

  /** Whether writes of the resource may have effects. */
  existFor({ name }: Pick<Resource, 'name'>): boolean {
    return this.all.some(({ resource }) => resource.name === name);
  }

  /** The records that follow from these changes. */
  follow(changes: readonly ResourceChange[], origin: EffectOrigin): FollowingRecord[] {
    return this.all.flatMap((effect) => {
      const own = changes.filter(({ resource }) => resource.name === effect.resource.name);
      return own.length === 0 ? [] : (effect.follow?.(own, origin) ?? []);
    });
  }

  /** The statements for these changes. */
  begin(changes: readonly ResourceChange[]): Statement[] {
    this.begun = this.all.flatMap((effect) => {
      const own = changes.filter(({ resource }) => resource.name === effect.resource.name);
      return own.length === 0 ? [] : [effect.begin(own)];
    });
    return this.begun.flatMap(({ statements }) => statements);
  }

  /** To be called once the write is committed. */
  async committed(): Promise<void> {
    await Promise.all(this.begun.map(async (effect) => effect.committed()));
  }
}

/** The changes that decided intents make. @param rows the record of each intent as it is decided; a deleted record as it was */
export const changesOf = (
  { resource, therapistId }: { readonly resource: Resource; readonly therapistId: string },
  intents: readonly Intent[],
  rows: readonly Row[],
): (RecordChange & { readonly resource: Resource })[] =>
  intents.flatMap((intent, index) => {
    if (changesNothing(intent)) return [];
    const after = intent.command.kind === 'delete' ? null : (rows[index] ?? null);
    return [{ resource, therapistId, before: intent.state, after }];
  });
