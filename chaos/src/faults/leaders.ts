// A cluster loses its leader, and gets the member back some seconds later.
import { setTimeout as pause } from 'node:timers/promises';
import { becomesWhole, leaderAfter, type Led } from '../clusters/led.js';
import { losses } from '../clusters/losses.js';
import type { Clusters } from '../clusters/start.js';
import type { System } from '../system.js';
import type { Fault } from './plan.js';

/** Work that begins with the fault and is over when the cluster is whole again. */
export interface Aftermath {
  readonly whole: Promise<void>;
}

/** Kills the server that leads the stream of events. */
export async function killLeader(system: System, { milliseconds }: Fault): Promise<Aftermath> {
  const { nats } = clustersOf(system);
  const old = await led(nats);
  await nats.kill(old);
  return {
    whole: pause(milliseconds)
      .then(() => nats.start(old))
      .then(() => whole(nats, `${old} was killed`)),
  };
}

/** Takes the leader of Postgres away. A switchover takes a while, in which callers go on. */
export async function failOver(system: System, { target, milliseconds }: Fault): Promise<Aftermath> {
  const { patroni } = clustersOf(system);
  const old = await led(patroni);
  const lost = Promise.resolve(losses[target]?.lose(old, patroni));
  return {
    whole: lost.then(async (bringBack) => {
      if ((await leaderAfter(patroni, old)) === undefined)
        throw new Error(`failover ${target}: no other member leads in place of ${old.name}`);
      if (bringBack !== undefined) await pause(milliseconds).then(bringBack);
      await whole(patroni, `failover ${target} of ${old.name}`);
    }),
  };
}

async function whole(cluster: Led<unknown>, cause: string): Promise<void> {
  if (!(await becomesWhole(cluster))) throw new Error(`the cluster is not whole again after ${cause}`);
}

async function led<Member>(cluster: Led<Member>): Promise<Member> {
  const leader = await leaderAfter(cluster);
  if (leader === undefined) throw new Error('the cluster has no leader');
  return leader;
}

function clustersOf({ clusters }: System): Clusters {
  if (clusters === undefined) throw new Error('this system has no clusters');
  return clusters;
}
