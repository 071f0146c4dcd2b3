// Keys that statements filter and order by: each question is asked once, when what it rests on is known itself.

import { reject } from '@practice/core';
import { packedCount, limits } from '@practice/query';
import type { EmbedPath, KeysStep, KnownKeys } from '@practice/query';
import { tooManyKeys } from './parts.js';
import type { Parts } from './parts.js';

export class KeysOfParts {
  private readonly steps: ReadonlyMap<string, KeysStep>;
  private readonly asked = new Map<string, Promise<KnownKeys>>();

  constructor(
    private readonly parts: Parts,
    steps: readonly KeysStep[],
  ) {
    this.steps = new Map(steps.map((step) => [nameOf(step.question.path), step]));
  }

  /** What is known of the records embedded at these places. */
  of(paths: readonly EmbedPath[]): Promise<readonly KnownKeys[]> {
    const names = [...new Set(paths.map(nameOf))];
    return Promise.all(names.map((name) => this.known(name)));
  }

  private known(name: string): Promise<KnownKeys> {
    const asked = this.asked.get(name) ?? this.ask(this.steps.get(name) as KeysStep);
    this.asked.set(name, asked);
    return asked;
  }

  private async ask({ service, question, needs }: KeysStep): Promise<KnownKeys> {
    const reply = await this.parts.ask(service, question, { across: await this.of(needs) });
    const { meeting, values, ranks } = JSON.parse(reply.body.toString()) as Omit<KnownKeys, 'path'>;
    for (const packed of [meeting ?? '', ...ranks.map(({ keys }) => keys)])
      if (packedCount(packed) > limits.travellingKeys) reject(tooManyKeys);
    return { path: question.path, meeting, values, ranks };
  }
}

const nameOf = (path: EmbedPath): string => path.join('.');
