// Keys that statements filter and order by: each question is asked once, when what it rests on is known itself.

import { reject } from '@practice/core';
import { packedCount, limits } from '@practice/query';
import type { EmbedPath, KeysStep, SemiJoinKeys } from '@practice/query';
import { tooManyKeys } from './parts.js';
import type { Parts } from './parts.js';

export class KeysOfParts {
  private readonly steps: ReadonlyMap<string, KeysStep>;
  private readonly asked = new Map<string, Promise<SemiJoinKeys>>();

  constructor(
    private readonly parts: Parts,
    steps: readonly KeysStep[],
  ) {
    this.steps = new Map(steps.map((step) => [nameOf(step.question.path), step]));
  }

  /** What is known of the records embedded at these places. */
  of(paths: readonly EmbedPath[]): Promise<readonly SemiJoinKeys[]> {
    const names = [...new Set(paths.map(nameOf))];
    return Promise.all(names.map((name) => this.known(name)));
  }

  private known(name: string): Promise<SemiJoinKeys> {
    const asked = this.asked.get(name) ?? this.ask(this.steps.get(name) as KeysStep);
    this.asked.set(name, asked);
    return asked;
  }

  private async ask({ service, question, needs }: KeysStep): Promise<SemiJoinKeys> {
    const reply = await this.parts.ask(service, question, { semiJoinKeys: await this.of(needs) });
    const { matching, values, ranks } = JSON.parse(reply.body.toString()) as Omit<SemiJoinKeys, 'path'>;
    for (const packed of [matching ?? '', ...ranks.map(({ keys }) => keys)])
      if (packedCount(packed) > limits.travellingKeys) reject(tooManyKeys);
    return { path: question.path, matching, values, ranks };
  }
}

const nameOf = (path: EmbedPath): string => path.join('.');
