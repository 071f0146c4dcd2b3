import { parseArgs } from 'node:util';
import { readOptions } from '@practice/operator';
import { clusterKinds, type ClusterKind } from './clusters/start.js';
import { kinds, kindsWith, type Kind } from './faults/plan.js';

const usage = `Usage: npm run chaos [-- OPTIONS]
  --minutes N       how long faults go on (2)
  --seed N          the same faults in the same order (1)
  --faults A,B,...  kinds of faults (all that apply): ${kinds.join(', ')}
  --cluster A,B     clusters in place of the built-in servers: ${clusterKinds.join(', ')} (under Patroni)
  --practices N     number of practices (20)
  --each N          each process (or other target) of these kinds in turn, N times, instead of --minutes
  --help            prints this text
`;

export type Flags = NonNullable<ReturnType<typeof flagsIn>>;

/** The options of the command line. Ends the process after --help or an unknown option. */
export const readFlags = (args: readonly string[]): Flags => readOptions(usage, () => flagsIn(args));

/**
 * Reads the options; `undefined` asks for help.
 * @throws {Error} naming the option that is wrong
 */
export function flagsIn(args: readonly string[]) {
  const text = (fallback: string) => ({ type: 'string', default: fallback }) as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: text('2'),
      seed: text('1'),
      faults: { type: 'string' },
      cluster: { type: 'string' },
      practices: text('20'),
      each: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const cluster = listOf('cluster', values.cluster ?? '', clusterKinds);
  return {
    minutes: numberOf('minutes', values.minutes),
    seed: numberOf('seed', values.seed),
    practices: numberOf('practices', values.practices),
    /** Only kinds that apply to the system. */
    faults: faultsIn(values.faults, cluster),
    /** The servers that are clusters. */
    cluster,
    /** How often each target of each kind is struck, in turn; without it, faults are drawn until the time is over. */
    ...(values.each !== undefined && { each: numberOf('each', values.each) }),
  };
}

function numberOf(name: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new Error(`--${name} must be a number from 1 to 999999, not ${text}`);
  return Number(text);
}

function faultsIn(text: string | undefined, cluster: readonly ClusterKind[]): readonly Kind[] {
  const possible = kindsWith(cluster);
  const wanted = text === undefined ? possible : listOf('faults', text, kinds);
  const impossible = wanted.filter((kind) => !possible.includes(kind));
  if (impossible.length === 0) return wanted;
  const clusters = cluster.length === 0 ? 'without --cluster' : `with --cluster ${cluster.join(',')}`;
  throw new Error(`${impossible.join(', ')} cannot come ${clusters}`);
}

function listOf<Name extends string>(flag: string, text: string, known: readonly Name[]): Name[] {
  const names = text === '' ? [] : text.split(',');
  const unknown = names.find((name) => !known.some((one) => one === name));
  if (unknown !== undefined) throw new Error(`--${flag} takes ${known.join(', ')}, not ${unknown}`);
  return names as Name[];
}
