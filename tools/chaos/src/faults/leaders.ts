// A cluster loses its leader, and gets the member back some seconds later.
import { loseLeader, type Led, type Loss } from '../clusters/led.js';
import { natsLoss, patroniLosses } from '../clusters/losses.js';
import type { System } from '../system.js';
import type { Fault } from './plan.js';

/** Work that begins with the fault and is over when the cluster is whole again. */
export interface Aftermath {
  readonly whole: Promise<void>;
}

/** Kills the server that leads the stream of events. */
export function killLeader(system: System, fault: Fault): Promise<Aftermath> {
  const nats = present(system.clusters.nats);
  return takeAway(nats, natsLoss(nats), fault);
}

/** Takes the leader of Postgres away. A switchover takes a while, in which callers go on. */
export function failOver(system: System, fault: Fault): Promise<Aftermath> {
  const patroni = present(system.clusters.patroni);
  const loss = patroniLosses[fault.target];
  if (loss === undefined) throw new Error(`there is no loss ${fault.target}`);
  return takeAway(patroni, loss(patroni), fault);
}

async function takeAway<Member>(
  cluster: Led<Member>,
  loss: Loss<Member>,
  { milliseconds }: Fault,
): Promise<Aftermath> {
  const { led, whole } = await loseLeader(cluster, loss, milliseconds);
  const check = async (): Promise<void> => {
    if ((await led) === undefined) throw new Error(`${loss.title}: no other member leads`);
    if (!(await whole)) throw new Error(`${loss.title}: the cluster is not whole again`);
  };
  return { whole: check() };
}

function present<Cluster>(cluster: Cluster | undefined): Cluster {
  if (cluster === undefined) throw new Error('this system does not have the cluster');
  return cluster;
}
