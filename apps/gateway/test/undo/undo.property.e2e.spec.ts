// Sends random commands to records of all resources, and undoes them.

import { describe, expect, it } from '@jest/globals';
import { adminDatabase, newPractice } from '@practice/testing';
import fc from 'fast-check';
import { command, Commanded, type Drawn } from './commands.js';
import { settled, wholeState } from './whole-state.js';

const admin = adminDatabase();

const commands = fc.array(command, { minLength: 4, maxLength: 8 });

async function checkUndo(sequence: readonly Drawn[]): Promise<void> {
  const practice = await newPractice();
  const empty = await wholeState(admin, practice);
  const done = new Commanded(practice);
  await done.begin();
  const begun = await wholeState(admin, practice);
  let [before, after] = [begun, begun];
  let last: string | undefined;
  for (const one of sequence) {
    const change = await done.send(one);
    if (change === undefined) await settled(admin, practice);
    else [before, after, last] = [after, await wholeState(admin, practice), change];
  }
  if (last !== undefined) {
    const undo = await done.undo(last);
    expect(await wholeState(admin, practice)).toEqual(before);
    await done.undo(undo);
    expect(await wholeState(admin, practice)).toEqual(after);
  }
  for (const change of done.changes.slice().reverse()) {
    await settled(admin, practice);
    await done.undo(change);
  }
  expect(await wholeState(admin, practice)).toEqual(empty);
}

describe('after any commands', () => {
  it('an undo leads to the state before, its undo to the state after, and the undo of all changes to an empty practice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.tuple(commands, commands, commands), async (sequences) => {
        await Promise.all(sequences.map(checkUndo));
      }),
      { numRuns: 1 },
    );
  });
});
