import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkRecord, column, evolve, resource, upcast } from '@practice/resource';
import type { Resource, Row } from '@practice/resource';
import { definitions } from './catalog.js';
import { missingStreams, type StoredEvent } from './released-events.js';

const fixture = readFileSync(join(import.meta.dirname, '../fixtures/events.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as StoredEvent);

const streams = [...new Set(fixture.map(({ stream }) => stream))];
const resources: readonly Resource[] = definitions;

describe('the stored events of every released shape', () => {
  it('cover each event type in its current version (`npm run generate` adds what is missing)', () => {
    expect(missingStreams(resources, fixture)).toEqual([]);
  });

  it.each(streams)('fold to the expected record: %s', (stream) => {
    const events = fixture.filter((event) => event.stream === stream);
    const [{ service, aggregate: name }] = events as [StoredEvent];
    const definition = resources.find((each) => each.service === service && each.aggregate === name);
    const row = events.reduce<Row | null>(
      (state, event) => evolve(definition as Resource, state, event),
      null,
    );
    if (row !== null) checkRecord(definition as Resource, row);
    expect(row).toMatchSnapshot();
  });

  it('get a line for a new version, and keep the lines of the old one', () => {
    const lamp = (version: number) =>
      resource({
        name: 'lamps',
        service: 'houses',
        aggregate: 'lamp',
        description: '',
        isUndoable: false,
        columns: { watts: column.integer({}) },
        events: {
          LampLit: 'created',
          LampChanged:
            version === 1
              ? ['watts']
              : { shape: ['watts'], version, upcast: { 1: ({ watts }: { watts?: number }) => ({ watts }) } },
        },
      });
    const first = missingStreams([lamp(1)], []);
    expect(first.map(({ stream, type }) => [stream, type])).toEqual([
      ['houses LampLit v1', 'LampLit'],
      ['houses LampChanged v1', 'LampLit'],
      ['houses LampChanged v1', 'LampChanged'],
    ]);
    expect(missingStreams([lamp(1)], first)).toEqual([]);
    const second = missingStreams([lamp(2)], first);
    expect(second.map(({ stream, schemaVersion }) => [stream, schemaVersion])).toEqual([
      ['houses LampChanged v2', 1],
      ['houses LampChanged v2', 2],
    ]);
    expect(upcast(lamp(2), first[2] as StoredEvent).schemaVersion).toBe(2);
  });
});
