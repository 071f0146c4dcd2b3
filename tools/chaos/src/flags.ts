import { parseArgs } from 'node:util';
import { kinds, kindsWith, type Kind } from './faults/plan.js';

const usage = `Usage: npm run chaos [-- OPTIONS]
  --minutes N       how long faults go on (2)
  --seed N          the same faults in the same order (1)
  --faults A,B,...  kinds of faults (all that apply): ${kinds.join(', ')}
  --cluster         three nats-servers and a Patroni cluster in place of the built-in servers
  --practices N     number of practices (20)
  --each N          each process (or other target) of these kinds in turn, N times, instead of --minutes
  --help            prints this text
`;

export interface Flags {
  readonly minutes: number;
  readonly seed: number;
  /** Only kinds that apply to the system. */
  readonly faults: readonly Kind[];
  /** Whether NATS and Postgres are clusters. */
  readonly cluster: boolean;
  readonly practices: number;
  /** How often each target of each kind is struck, in turn; without it, faults are drawn until the time is over. */
  readonly each?: number;
}

/** The options of the command line. Ends the process after --help or an unknown option. */
export function readFlags(args: readonly string[]): Flags {
  try {
    const flags = flagsIn(args);
    if (flags !== undefined) return flags;
    process.stdout.write(usage);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${(error as Error).message.split('. ')[0]}.\n${usage}`);
    process.exit(2);
  }
}

/**
 * Reads the options; `undefined` asks for help.
 * @throws {Error} naming the option that is wrong
 */
export function flagsIn(args: readonly string[]): Flags | undefined {
  const text = (fallback: string) => ({ type: 'string', default: fallback }) as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: text('2'),
      seed: text('1'),
      faults: { type: 'string' },
      cluster: { type: 'boolean', default: false },
      practices: text('20'),
      each: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  return {
    minutes: numberOf('minutes', values.minutes),
    seed: numberOf('seed', values.seed),
    practices: numberOf('practices', values.practices),
    faults: faultsIn(values.faults, values.cluster),
    cluster: values.cluster,
    ...(values.each !== undefined && { each: numberOf('each', values.each) }),
  };
}

function numberOf(name: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new Error(`--${name} must be a number from 1 to 999999, not ${text}`);
  return Number(text);
}

function faultsIn(text: string | undefined, isCluster: boolean): readonly Kind[] {
  const possible = kindsWith(isCluster);
  const wanted = text?.split(',').map(kindOf) ?? possible;
  const impossible = wanted.filter((kind) => !possible.includes(kind));
  if (impossible.length === 0) return wanted;
  throw new Error(`${impossible.join(', ')} cannot come ${isCluster ? 'with' : 'without'} --cluster`);
}

function kindOf(name: string): Kind {
  const kind = kinds.find((known) => known === name);
  if (kind === undefined) throw new Error(`There is no fault ${name}, only ${kinds.join(', ')}`);
  return kind;
}
