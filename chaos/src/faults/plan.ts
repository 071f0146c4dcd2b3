// Which faults come, and in which order: the same for the same seed.

/** The kinds of faults. `restart` is an orderly end; `silence` is a network that carries nothing and breaks nothing. */
export const kinds = ['kill', 'restart', 'pause', 'cut', 'silence', 'rollback', 'loss'] as const;

export type Kind = (typeof kinds)[number];

export interface Fault {
  readonly kind: Kind;
  /** A process, a way between two, or the stream. */
  readonly target: string;
  /** How long it lasts; for `rollback`, the age of the copy. */
  readonly milliseconds: number;
  /** Until the next fault, once the system has recovered. */
  readonly rest: number;
}

export interface Targets {
  readonly processes: readonly string[];
  readonly wires: readonly string[];
}

/** How often a kind comes, in relation to the others. */
const weights: Readonly<Record<Kind, number>> = {
  kill: 10,
  restart: 4,
  pause: 4,
  cut: 4,
  silence: 3,
  rollback: 2,
  loss: 1,
};
const STREAM = 'stream';
const SECOND = 1000;

/** The next fault, drawn by `random`. */
export function nextFault(
  random: (below: number) => number,
  wanted: readonly Kind[],
  targets: Targets,
): Fault {
  const drawn = wanted.flatMap((kind) => Array.from({ length: weights[kind] }, () => kind));
  const kind = drawn[random(drawn.length)] as Kind;
  const among = targetsOf(kind, targets);
  return faultOn(random, kind, among[random(among.length)] as string);
}

/** Each target of each kind, one after the other, so many times. */
export function* eachFault(
  random: (below: number) => number,
  wanted: readonly Kind[],
  { targets, times }: { readonly targets: Targets; readonly times: number },
): Iterable<Fault> {
  for (let time = 0; time < times; time += 1)
    for (const kind of wanted)
      for (const target of targetsOf(kind, targets)) yield faultOn(random, kind, target);
}

const faultOn = (random: (below: number) => number, kind: Kind, target: string): Fault => ({
  ...{ kind, target },
  milliseconds: SECOND + random(kind === 'pause' ? 9 * SECOND : 3 * SECOND),
  rest: 300 + random(1500),
});

function targetsOf(kind: Kind, { processes, wires }: Targets): readonly string[] {
  if (kind === 'rollback' || kind === 'loss') return [STREAM];
  return kind === 'cut' || kind === 'silence' ? wires : processes;
}
