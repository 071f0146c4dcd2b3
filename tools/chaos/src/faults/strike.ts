// Carries out a fault on the running system.
import { setTimeout as pause } from 'node:timers/promises';
import { signalTree } from '@practice/start';
import type { System } from '../system.js';
import { fillDisk } from './disk.js';
import { failOver, killLeader, type Aftermath } from './leaders.js';
import type { Fault, Kind } from './plan.js';
import { pidOf } from './processes.js';
import { loseStream, rollStreamBack } from './stream.js';

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
  loss: loseStream,
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
