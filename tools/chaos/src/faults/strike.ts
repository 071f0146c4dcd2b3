// Carries out a fault on the running system.
import { renameSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { readSettings, run, until } from '@practice/operator';
import { signalTree, type Stack } from '@practice/start';
import type { System } from '../system.js';
import { failOver, killLeader, type Aftermath } from './leaders.js';
import type { Fault, Kind } from './plan.js';

type Strike = (system: System, fault: Fault) => Promise<Aftermath | void>;

/** Postgres waits for its callers after SIGTERM, and ends their sessions after SIGINT. */
const endOf = (target: string): NodeJS.Signals => (target === 'postgres' ? 'SIGINT' : 'SIGTERM');

const end =
  (signalFor: (target: string) => NodeJS.Signals): Strike =>
  async ({ stack }, { target }) =>
    void process.kill(await pidOf(stack, target), signalFor(target));

const strikes: Readonly<Record<Kind, Strike>> = {
  kill: end(() => 'SIGKILL'),
  restart: end(endOf),
  pause: async ({ stack }, { target, milliseconds }) => {
    const pid = await pidOf(stack, target);
    const goOn = signalTree(pid, 'SIGSTOP');
    await pause(milliseconds);
    goOn();
  },
  cut: (system, fault) => disconnect(system, fault, 'cut'),
  silence: (system, fault) => disconnect(system, fault, 'silence'),
  rollback: rollStreamBack,
  loss: (system) => replaceBy(() => undefined, system),
  disk: fillDisk,
  leader: killLeader,
  failover: failOver,
};

/** Carries out a fault. Resolves when its cause is gone, or when a leader is lost: the system may still have to recover. */
export const strike = (system: System, fault: Fault): Promise<Aftermath | void> =>
  strikes[fault.kind](system, fault);

async function disconnect({ wires }: System, fault: Fault, how: 'cut' | 'silence'): Promise<void> {
  const wire = wires.get(fault.target);
  if (wire === undefined) throw new Error(`there is no wire ${fault.target}`);
  wire[how]();
  await pause(fault.milliseconds);
  wire.restore();
}

const MEGABYTE = 1_000_000;
/** The system deletes logs, so the disk is filled again at this interval, in milliseconds. */
const EVERY = 200;

/** The free bytes that are left, by target: half of the reserve, where writes are refused, or none. */
export const left: Readonly<Record<string, number>> = {
  reserve: (readSettings({}).DISK_RESERVE_MB * MEGABYTE) / 2,
  everything: 0,
};

/** Fills the disk that holds Postgres, the stream and the logs of the programs for a while. */
async function fillDisk({ disk }: System, { target, milliseconds }: Fault): Promise<void> {
  if (disk === undefined) throw new Error('this system has no disk of its own');
  try {
    for (const began = Date.now(); Date.now() - began < milliseconds; await pause(EVERY))
      await disk.leave(left[target] as number);
  } finally {
    await disk.restore();
  }
}

const NATS = 'nats-server';

/** Copies the folder, lets the server run for the time of the fault, and then starts it from the copy. */
async function rollStreamBack({ stack, streamFolder }: System, { milliseconds }: Fault): Promise<void> {
  const copy = `${streamFolder}-copy`;
  const goOn = signalTree(await pidOf(stack, NATS), 'SIGSTOP');
  await run('cp', ['-a', streamFolder, copy]).finally(goOn);
  await pause(milliseconds);
  await replaceBy(() => renameSync(copy, streamFolder), { stack, streamFolder });
}

/** Replaces the folder. The server is suspended meanwhile, so that it cannot write into the new folder before it is killed. */
async function replaceBy(
  replace: () => void,
  { stack, streamFolder }: Pick<System, 'stack' | 'streamFolder'>,
): Promise<void> {
  const pid = await pidOf(stack, NATS);
  const old = `${streamFolder}-old`;
  signalTree(pid, 'SIGSTOP');
  renameSync(streamFolder, old);
  replace();
  process.kill(pid, 'SIGKILL');
  await pidOf(stack, NATS, pid);
  rmSync(old, { recursive: true, force: true });
}

const RUNS_WITHIN = 120_000;

/**
 * The id of a process by its name, once it runs.
 * @param not the id of the earlier process with this name
 * @throws when it does not run within two minutes
 */
export async function pidOf(
  { processes }: Pick<Stack, 'processes'>,
  name: string,
  not?: number,
): Promise<number> {
  const found = await until(() => processes().find((one) => one.name === name && one.pid !== not)?.pid, {
    within: RUNS_WITHIN,
  });
  return found ?? Promise.reject(new Error(`${name} does not run again`));
}
