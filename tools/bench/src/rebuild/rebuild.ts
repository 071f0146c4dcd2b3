// `npm run bench -- --rebuild`: measures how fast the read tables of a service are folded from its log, and how fast followers catch up.

import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { runProgram, storedServices } from '@practice/operator';
import { serversOf, type Stack } from '@practice/start';
import { settle } from '../baseline/copy.js';
import { describeMachine, machine } from '../machine.js';
import { median } from '../report/statistics.js';
import { atRest } from '../rest.js';
import { startOwnStack, writeJson, type Run } from '../run.js';
import { seed } from '../seed/seed.js';
import { fullSizes } from '../sizes.js';
import { catchUp } from './catch-up.js';

const fullRebuild = { ...fullSizes, practices: 50, practicesWithRecords: 0, appointmentsPerPractice: 1_000 };
const quickRebuild = { ...fullRebuild, practices: 10, appointmentsPerPractice: 200 };
const ROUNDS = 3;
const LOOK_EVERY_MS = 5;

/** Seeds several practices of the same size, and rebuilds the tables of the scheduling service from their logs. */
export async function rebuild(run: Run): Promise<void> {
  const { flags, stages, signal, say } = run;
  const sizes = flags.quick ? quickRebuild : fullRebuild;
  const { stack, admin } = await startOwnStack(run);
  const practices = await stages.run(`${sizes.practices} practices`, async () => {
    const seeded = await seed(stack, sizes, signal);
    await atRest(stack.processes, signal);
    await settle(admin);
    return seeded;
  });
  const events = await eventsOf(admin);
  const seconds: number[] = [];
  const catchUps: number[] = [];
  const rounds = flags.rounds ?? ROUNDS;
  for (let round = 0; round < rounds; round += 1) {
    signal.throwIfAborted();
    await stages.run('  Rebuilt', async () => void seconds.push(await timed(stack)));
  }
  for (let round = 0; round < rounds; round += 1) {
    signal.throwIfAborted();
    await stages.run('  Caught up', async () => {
      catchUps.push(await catchUp({ stack, admin }, practices, signal));
    });
  }
  const where = await machine(admin);
  const rates = seconds.map((one) => events / one);
  say(`\n${describeMachine(where)}\n`);
  say(`  ${events} events of ${sizes.practices} practices, rebuilt ${rates.length} times`);
  say(`  ${Math.round(median(rates))} events/s (median), ${Math.round(Math.max(...rates))} at best`);
  say(`  ${Math.round(median(catchUps))} events/s (median) applied by each of the three followers at once\n`);
  writeJson(run, { machine: where, sizes, events, seconds, catchUps });
}

async function eventsOf(admin: Client): Promise<number> {
  const { rows } = await admin.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM scheduling.events',
  );
  return rows[0]?.count ?? 0;
}

/** Seconds from the start of the program until the tables are replaced. Rebuilding the mirror, which follows, is not included. */
async function timed(stack: Stack): Promise<number> {
  const service = storedServices.find(({ name }) => name === 'scheduling');
  if (service === undefined) throw new Error('there is no scheduling service');
  const file = join(tmpdir(), `practice-rebuild-${randomUUID()}.log`);
  const output = openSync(file, 'w');
  const began = performance.now();
  const ended = runProgram({ service, program: 'rebuild', args: [] }, serversOf(stack), output);
  let isOver = false;
  void ended.finally(() => (isOver = true));
  while (!isOver && !readFileSync(file, 'utf8').includes('tables replaced')) await pause(LOOK_EVERY_MS);
  const seconds = (performance.now() - began) / 1000;
  const code = await ended;
  closeSync(output);
  const printed = readFileSync(file, 'utf8');
  rmSync(file);
  if (code !== 0) throw new Error(`the rebuild ended with ${code}: ${printed}`);
  return seconds;
}
