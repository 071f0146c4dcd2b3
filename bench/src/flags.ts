import { parseArgs } from 'node:util';

export interface Flags {
  /** Smaller seed and short measurements: an impression, not a result. */
  readonly quick: boolean;
  /** Measures how cost grows with practices and appointments. */
  readonly growth: boolean;
  /** A commit, tag or branch to measure this tree against. */
  readonly against: string | undefined;
  /** How often each of the two versions is measured. */
  readonly rounds: number | undefined;
  /** Number of connections, each with one request in flight. */
  readonly connections: number | undefined;
  /** File for the whole result as JSON. */
  readonly json: string | undefined;
}

const usage = `Usage: npm run bench [-- OPTIONS]
  --quick           under a minute: smaller seed, short measurements, appointments only
  --growth          how the cost of a request grows with practices and appointments
  --against REF     compares this tree with the version REF, measured in turn;
                    with --quick in less than three minutes
  --rounds N        with --against: number of rounds (10)
  --connections N   number of connections, each with one request in flight (64)
  --json FILE       also writes every measurement to FILE
  --help            prints this text
`;

/** The options of the command line. Ends the process after --help or an unknown option. */
export function readFlags(args: readonly string[]): Flags {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        quick: { type: 'boolean', default: false },
        growth: { type: 'boolean', default: false },
        against: { type: 'string' },
        rounds: { type: 'string' },
        connections: { type: 'string' },
        json: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    const { quick, growth, against, json } = values;
    if (!values.help)
      return {
        quick,
        growth,
        against,
        json,
        rounds: countOf('rounds', values.rounds),
        connections: countOf('connections', values.connections),
      };
    process.stdout.write(usage);
    process.exit(0);
  } catch (error) {
    process.stderr.write(
      `${error instanceof Error ? error.message.split('. ')[0] : String(error)}.\n${usage}`,
    );
    process.exit(2);
  }
}

function countOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new Error(`--${flag} must be a number from 1 to 9999, not ${text}`);
  return Number(text);
}
