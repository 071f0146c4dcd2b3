// A cluster loses its leader, and gets the member back some seconds later.
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@practice/operator';
import { natsLoss, patroniLosses, type Led, type Loss } from '../clusters/losses.js';
import type { System } from '../system.js';
import type { Fault } from './plan.js';

/** Work that begins with the fault and is over when the cluster is whole again. */
export interface Aftermath {
  readonly whole: Promise<void>;
}

const LED_WITHIN = 40_000;
const WHOLE_WITHIN = 120_000;

/** Kills the server that leads the stream of events. */
export function killLeader(system: System, fault: Fault): Promise<Aftermath> {
  const nats = present(system.clusters.nats);
  return takeAway(nats, natsLoss(nats), fault);
}

/** Takes the leader of Postgres away. A switchover takes a while, and callers continue meanwhile. */
export function failOver(system: System, fault: Fault): Promise<Aftermath> {
  const patroni = present(system.clusters.patroni);
  const loss = patroniLosses[fault.target];
  if (loss === undefined) throw new Error(`there is no loss ${fault.target}`);
  return takeAway(patroni, loss(patroni), fault);
}

/** Takes the leader away, waits until another member leads, and brings the old leader back after the time of the fault. */
async function takeAway<Member>(
  cluster: Led<Member>,
  loss: Loss<Member>,
  { milliseconds }: Fault,
): Promise<Aftermath> {
  const old = await leaderAfter(cluster);
  if (old === undefined) throw new Error('the cluster has no leader');
  const recovered = async (): Promise<void> => {
    const bringBack = await loss.lose(old);
    const next = await leaderAfter(cluster, old);
    if (bringBack) await pause(milliseconds).then(bringBack);
    if (next === undefined) throw new Error(`${loss.title}: no other member leads`);
    if ((await until(cluster.isWhole, { within: WHOLE_WITHIN, every: 250 })) === undefined)
      throw new Error(`${loss.title}: the cluster is not whole again`);
  };
  return { whole: recovered() };
}

const leaderAfter = <Member>({ leader }: Led<Member>, old?: Member): Promise<Member | undefined> =>
  until(
    async () => {
      const found = await leader();
      return found === old ? undefined : found;
    },
    { within: LED_WITHIN, every: 50 },
  );

function present<Cluster>(cluster: Cluster | undefined): Cluster {
  if (cluster === undefined) throw new Error('this system does not have the cluster');
  return cluster;
}
