// Sends random commands to records of all resources, and later reads every state of the practice again as of its instant.

import { describe, expect, it } from '@jest/globals';
import { adminDatabase, newPractice, patient, type Practice, rowsOf } from '@practice/testing';
import fc from 'fast-check';
import { command, Commanded, resources, type Drawn } from '../undo/commands.js';
import { settled } from '../undo/whole-state.js';

const admin = adminDatabase();

const names = [...resources.map(({ name }) => name), 'memberships', 'practices'];

interface Saved {
  readonly instant: string;
  /** The bodies of reads of whole resources. */
  readonly bodies: readonly string[];
}

const bodiesOf = (practice: Practice, asOf = ''): Promise<string[]> =>
  Promise.all(
    names.map(async (name) => (await patient(() => practice.rest(`${name}?order=id${asOf}`))).text),
  );

/** The current state of a practice. No write changes it during the read. */
async function saved(practice: Practice): Promise<Saved> {
  await settled(admin, practice);
  const { rows } = await admin.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  return { instant: (rows[0]?.now as Date).toISOString(), bodies: await bodiesOf(practice) };
}

interface Entry {
  readonly id: string;
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** The records that result from the history of a resource, in the order of their ids, without the column that no history has. */
async function folded(practice: Practice, name: string): Promise<object[]> {
  const entries = await rowsOf<Entry>(practice, `${name}_history?order=id,version`);
  const records = new Map<string, object>();
  for (const { id, after } of entries)
    if (after === null) records.delete(id);
    else records.set(id, { ...records.get(id), ...after });
  return [...records.values()];
}

async function checkPast(sequence: readonly Drawn[]): Promise<void> {
  const practice = await newPractice();
  const states = [await saved(practice)];
  const done = new Commanded(practice);
  await done.begin();
  states.push(await saved(practice));
  for (const one of sequence) {
    await done.send(one);
    states.push(await saved(practice));
  }
  for (const { instant, bodies } of states)
    expect([instant, ...(await bodiesOf(practice, `&as_of=${instant}`))]).toEqual([instant, ...bodies]);
  for (const { name } of resources) {
    const rows = await rowsOf<{ updated_at?: string }>(practice, `${name}?order=id`);
    expect(await folded(practice, name)).toEqual(rows.map(({ updated_at: _, ...row }) => row));
  }
}

const commands = fc.array(command, { minLength: 5, maxLength: 8 });

describe('after any commands', () => {
  it('each earlier state is read byte for byte as of its instant, and each history leads to the current records', async () => {
    await fc.assert(
      fc.asyncProperty(fc.tuple(commands, commands, commands), async (sequences) => {
        await Promise.all(sequences.map(checkPast));
      }),
      { numRuns: 1, endOnFailure: true },
    );
  });
});
