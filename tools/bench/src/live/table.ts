import { describeMachine, type Machine } from '../machine.js';
import { columns } from '../report/columns.js';
import { median, ratios, type Latency } from '../report/statistics.js';
import type { Delays } from './delays.js';

export interface LiveRound {
  readonly calm: Delays;
  readonly mixed: Delays;
  /** Beside the sockets that receive no change. */
  readonly crowded: Delays;
  readonly crowdedMixed: Delays;
  /** Events a second that reached the readers of the feed. */
  readonly eventsCalm: number;
  readonly eventsMixed: number;
}

/** Bytes of memory for each open socket. */
export interface SocketMemory {
  readonly live: number;
  readonly gateway: number;
  /** Memory of the whole live process with its sockets. */
  readonly liveWhole: number;
}

interface LiveResult {
  readonly machine: Machine;
  readonly readers: number;
  readonly sockets: number;
  readonly mixedPerSecond: number;
  readonly memory: SocketMemory;
  readonly rounds: readonly LiveRound[];
}

type Measured = Exclude<keyof LiveRound, 'eventsCalm' | 'eventsMixed'>;

/** The text of the results: medians over the rounds, and ratios to the calm measurement of the same round. */
export function liveTable({ machine, readers, sockets, mixedPerSecond, memory, rounds }: LiveResult): string {
  const situations: readonly (readonly [Measured, string])[] = [
    ['calm', 'calm'],
    ['mixed', 'mixed load'],
    ['crowded', `${sockets} other sockets`],
    ['crowdedMixed', 'both'],
  ];
  const delays = (['listener', 'receiver'] as const).flatMap((side) =>
    situations.map(([name, label]) => {
      const of = (which: keyof Latency, from: Measured): number[] =>
        rounds.map((round) => round[from][side][which]);
      const ratio = median(ratios(of('p99', name), of('p99', 'calm'))).toFixed(2);
      const [p50, p99] = [median(of('p50', name)), median(of('p99', name))].map((ms) => ms.toFixed(0));
      return [`write → ${side}, ${label}`, p50 ?? '', p99 ?? '', ratio];
    }),
  );
  const events = (of: 'eventsCalm' | 'eventsMixed'): number => median(rounds.map((round) => round[of]));
  const [calm, mixed] = [events('eventsCalm'), events('eventsMixed')];
  const kib = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`;
  return [
    describeMachine(machine),
    `Mixed load: ${mixedPerSecond.toFixed(0)} requests a second, half of what is answered at most`,
    columns(['', 'p50 ms', 'p99 ms', 'ratio'], delays),
    columns(
      ['', 'calm', 'mixed load', 'ratio'],
      [[`events/s to ${readers} readers`, calm.toFixed(0), mixed.toFixed(0), (mixed / calm).toFixed(2)]],
    ),
    `memory of a socket: live ${kib(memory.live)}, gateway ${kib(memory.gateway)}; live process with ${sockets}: ` +
      `${(memory.liveWhole / 2 ** 20).toFixed(0)} MiB`,
  ].join('\n\n');
}
