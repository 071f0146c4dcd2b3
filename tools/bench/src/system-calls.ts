// Counts the system calls of each process for each answer, with strace, and the sizes of write groups. The number of system calls
// depends little on other work of the machine.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { programPath } from '@practice/operator';
import { readTargets } from '@practice/start';
import { saturate } from './load/wrk.js';
import type { Bench, Side } from './measurement.js';
import { columns } from './report/columns.js';
import { sum } from './report/statistics.js';
import { facts, type Scenario } from './scenario.js';

const SECONDS = 2;
const STARTS_MS = 1_000;
const WRITES = /^(?:write|writev|sendto|sendmsg)$/;
const traced: readonly Scenario[] = ['day', 'list', 'book', 'change'];

/** Each process's calls for each answer, and how many of them write to sockets or files. */
type Calls = Readonly<Record<string, { readonly all: number; readonly writes: number }>>;

/** A table of the product's sides, or the reason why it is missing. */
export async function systemCalls(bench: Bench, sides: readonly Side[]): Promise<string> {
  if (programPath('strace') === undefined) return 'system calls: not counted, as there is no strace';
  const rows: (readonly [string, Awaited<ReturnType<typeof callsOf>>])[] = [];
  for (const scenario of traced.filter((one) => bench.sizes.scenarios.includes(one)))
    for (const side of sides)
      rows.push([`${facts[scenario].title}: ${side.name}`, await callsOf(bench, side, scenario)]);
  const names = [...new Set(rows.flatMap(([, { calls }]) => Object.keys(calls)))];
  const cell = (calls: Calls, name: string): string => {
    const { all, writes } = calls[name] ?? { all: NaN, writes: NaN };
    return Number.isNaN(all) ? '' : `${all.toFixed(1)} (${writes.toFixed(1)})`;
  };
  return columns(
    ['system calls per response (writes)', ...names, 'group size'],
    rows.map(([title, { calls, groupSize }]) => [
      title,
      ...names.map((name) => cell(calls, name)),
      Number.isNaN(groupSize) ? '' : groupSize.toFixed(1),
    ]),
  );
}

async function callsOf({ sizes, signal }: Bench, side: Side, scenario: Scenario) {
  const folder = mkdtempSync(join(tmpdir(), 'practice-strace-'));
  // Postgres has a process for each connection, and these processes come and go.
  const tracers = side
    .processes()
    .filter(({ name }) => name !== 'postgres')
    .map(({ name, pid }) => {
      const file = join(folder, name);
      const args = ['-f', '-c', '-U', 'calls,name', '-o', file, '-p', String(pid)];
      const tracer = spawn('strace', args, { stdio: 'ignore' });
      return { name, file, tracer, ended: new Promise((resolve) => tracer.once('close', resolve)) };
    });
  try {
    await pause(STARTS_MS);
    const requests = side.requests.of(scenario, 6_000 * SECONDS);
    const { connections } = sizes;
    const order = { origin: side.origin, requests, connections, seconds: SECONDS, signal };
    const before = await groupsOf(side);
    const { completed } = await saturate(order);
    await side.settled();
    const after = await groupsOf(side);
    for (const { tracer } of tracers) tracer.kill('SIGINT');
    await Promise.all(tracers.map(({ ended }) => ended));
    // NaN for reads.
    const groupSize = (after.writes - before.writes) / (after.groups - before.groups);
    const counts = tracers.map(({ name, file }) => [name, countIn(readFileSync(file, 'utf8'), completed)]);
    return { calls: Object.fromEntries(counts) as Calls, groupSize };
  } finally {
    for (const { tracer } of tracers) tracer.kill('SIGINT');
    rmSync(folder, { recursive: true });
  }
}

/** The groups of writes in the scheduling service so far, as its metrics count them. */
async function groupsOf({ dataDir = '' }: Side): Promise<{ writes: number; groups: number }> {
  const target = readTargets(dataDir).find(({ service }) => service === 'scheduling');
  const text = target === undefined ? '' : await (await fetch(`http://${target.address}/metrics`)).text();
  const totalOf = (name: string): number =>
    sum(
      [...text.matchAll(new RegExp(`^practice_write_group_size_${name}\\{.*\\} (\\d+)`, 'gm'))].map(
        ([, value]) => Number(value),
      ),
    );
  return { writes: totalOf('sum'), groups: totalOf('count') };
}

function countIn(text: string, completed: number): { all: number; writes: number } {
  const counts = [...text.matchAll(/^\s*(\d+)\s+(\w+)\s*$/gm)].filter(([, , name]) => name !== 'total');
  const each = (found: typeof counts): number => sum(found.map(([, count]) => Number(count))) / completed;
  return { all: each(counts), writes: each(counts.filter(([, , name = '']) => WRITES.test(name))) };
}
