// Draws the faults of a run and their order. The same seed gives the same faults.
import type { ClusterKind } from '../clusters/start.js';

/** The kinds of faults. `restart` is an orderly end; `silence` is a network that carries nothing and breaks nothing. */
export const kinds = [
  ...(['kill', 'restart', 'pause', 'cut', 'silence'] as const),
  ...(['rollback', 'loss', 'disk', 'leader', 'failover'] as const),
] as const;

export type Kind = (typeof kinds)[number];

/** The kinds that a system can have: some need the folder of a single nats-server, the disk of both servers, or the leader of a cluster. */
export function kindsWith(cluster: readonly ClusterKind[]): readonly Kind[] {
  const [nats, postgres] = [cluster.includes('nats'), cluster.includes('postgres')];
  const possible: Readonly<Partial<Record<Kind, boolean>>> = {
    ...{ rollback: !nats, loss: !nats, disk: !nats && !postgres },
    ...{ leader: nats, failover: postgres },
  };
  return kinds.filter((kind) => possible[kind] ?? true);
}

export interface Fault {
  readonly kind: Kind;
  /** A process, a connection between two, the stream, how much of the disk is filled, or how a leader is lost. */
  readonly target: string;
  /** Milliseconds that it lasts. For `rollback`, the age of the copy; for a lost leader, the time until its member comes back. */
  readonly milliseconds: number;
  /** Milliseconds from the recovery of the system until the next fault. */
  readonly rest: number;
}

/** The targets of each kind. A kind without targets does not occur. */
export type Targets = Readonly<Record<Kind, readonly string[]>>;

/** How often a kind occurs, in relation to the others. */
const weights: Readonly<Record<Kind, number>> = {
  kill: 10,
  restart: 4,
  pause: 4,
  cut: 4,
  silence: 3,
  rollback: 2,
  loss: 1,
  disk: 2,
  leader: 4,
  failover: 4,
};
const SECOND = 1000;
/** How long kinds last, in milliseconds: the shortest time, and the length of the range above it. */
const usually = [SECOND, 3 * SECOND] as const;
const durations: Readonly<Partial<Record<Kind, readonly [shortest: number, range: number]>>> = {
  pause: [SECOND, 9 * SECOND],
  disk: [2 * SECOND, 4 * SECOND],
  leader: [2 * SECOND, 6 * SECOND],
  // Longer than the lease of a leader.
  failover: [8 * SECOND, 6 * SECOND],
};

/**
 * The next fault, drawn by `random`.
 * @throws when no kind that is wanted has a target
 */
export function nextFault(
  random: (below: number) => number,
  wanted: readonly Kind[],
  targets: Targets,
): Fault {
  const possible = wanted.filter((kind) => targets[kind].length > 0);
  if (possible.length === 0) throw new Error(`nothing can have the faults ${wanted.join(', ')}`);
  const drawn = possible.flatMap((kind) => Array.from({ length: weights[kind] }, () => kind));
  const kind = drawn[random(drawn.length)] as Kind;
  const among = targets[kind];
  return faultOn(random, kind, among[random(among.length)] as string);
}

/** Faults on each target of each kind in turn, `times` times. */
export function* eachFault(
  random: (below: number) => number,
  wanted: readonly Kind[],
  { targets, times }: { readonly targets: Targets; readonly times: number },
): Iterable<Fault> {
  for (let time = 0; time < times; time += 1)
    for (const kind of wanted) for (const target of targets[kind]) yield faultOn(random, kind, target);
}

function faultOn(random: (below: number) => number, kind: Kind, target: string): Fault {
  const [shortest, range] = durations[kind] ?? usually;
  return { kind, target, milliseconds: shortest + random(range), rest: 300 + random(1500) };
}
