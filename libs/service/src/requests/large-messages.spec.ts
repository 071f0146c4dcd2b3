// A large message is read in steps, so that it does not stop the process.

import { describe, expect, it } from '@jest/globals';
import type { FrameRequest } from '@practice/bus';
import { functions } from '@practice/contracts';
import { allSteps } from '@practice/core';
import { parseCall } from '@practice/query';
import { BatchController } from './batch.controller.js';
import { FunctionController } from './function.controller.js';

const large = `[${'{"a":[]},'.repeat(100_000)}1]`;
const replies = { reply: (_envelope: unknown, _asked: unknown, run: () => unknown) => run() };
const bus = { execute: (asked: object) => asked };
const own = { get: (name: string) => ({ definition: functions.get(name) }) };
const envelope = { identity: { therapistId: 'a practice' } };

function question(name: string): string {
  const sent = {
    method: 'POST',
    resource: name,
    query: '',
    headers: {},
    body: Buffer.from('{"change_id":1}'),
  };
  return JSON.stringify({ ...allSteps(parseCall(sent, functions)).request, rows: [] });
}

/** Handles a message. Resolves to the command, and the number of turns that other work had in the meantime. */
async function handled(handle: (request: never) => unknown, text: string) {
  let turns = 0;
  const turn = (): void => {
    turns += 1;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  const request = { envelope, body: Buffer.from(text) } as unknown as FrameRequest<object>;
  const asked = await handle(request as never);
  clearImmediate(next);
  return { asked, turns };
}

describe('a message of 900 kB', () => {
  it('with the arguments of a function lets other work run', async () => {
    const controller = new FunctionController(own as never, bus as never, bus as never, replies as never);
    const text = `${question('undo')}\n{"change_id":${large}}`;
    const { asked, turns } = await handled((request) => controller.write(request), text);
    expect(asked).toMatchObject({ called: { given: { change_id: { length: 100_001 } } } });
    expect(turns).toBeGreaterThan(2);
  });

  it('with a batch lets other work run', async () => {
    const controller = new BatchController(bus as never, replies as never);
    const { asked, turns } = await handled(
      (request) => controller.carryOut(request),
      `{"operations":${large}}`,
    );
    expect(asked).toMatchObject({ batch: { operations: { length: 100_001 } } });
    expect(turns).toBeGreaterThan(2);
  });
});
