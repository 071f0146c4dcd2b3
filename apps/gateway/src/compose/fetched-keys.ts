// Keys of related records that statements filter and order by. Each set is fetched once, after the sets that it needs.

import { reject } from '@practice/core';
import { packedCount, limits } from '@practice/query';
import type { EmbedPath, KeysStep, SemiJoinKeys } from '@practice/query';
import { tooManyKeys } from './subqueries.js';
import type { Subqueries } from './subqueries.js';

export class FetchedKeys {
  private readonly steps: ReadonlyMap<string, KeysStep>;
  private readonly fetched = new Map<string, Promise<SemiJoinKeys>>();

  constructor(
    private readonly subqueries: Subqueries,
    steps: readonly KeysStep[],
  ) {
    this.steps = new Map(steps.map((step) => [nameOf(step.path), step]));
  }

  /** The keys of the records embedded at these paths. */
  of(paths: readonly EmbedPath[]): Promise<readonly SemiJoinKeys[]> {
    const names = [...new Set(paths.map(nameOf))];
    return Promise.all(names.map((name) => this.keysAt(name)));
  }

  private keysAt(name: string): Promise<SemiJoinKeys> {
    const keys = this.fetched.get(name) ?? this.fetch(this.steps.get(name) as KeysStep);
    this.fetched.set(name, keys);
    return keys;
  }

  private async fetch(step: KeysStep): Promise<SemiJoinKeys> {
    const reply = await this.subqueries.send(step, { semiJoinKeys: await this.of(step.needs) });
    const { matching, values, ranks } = JSON.parse(reply.body.toString()) as Omit<SemiJoinKeys, 'path'>;
    for (const packed of [matching ?? '', ...ranks.map(({ keys }) => keys)])
      if (packedCount(packed) > limits.travellingKeys) reject(tooManyKeys);
    return { path: step.path, matching, values, ranks };
  }
}

const nameOf = (path: EmbedPath): string => path.join('.');
