import { parseArgs } from 'node:util';

export interface Flags {
  /** Smaller seed and short measurements: a look, not a result. */
  readonly quick: boolean;
  /** How cost grows with practices and appointments, instead of rates beside yardsticks. */
  readonly growth: boolean;
  /** A commit, tag or branch to measure this tree against. */
  readonly against: string | undefined;
  /** How often each of the two versions is measured, instead of the usual. */
  readonly rounds: number | undefined;
  /** How many keep a request each under way, instead of the usual. */
  readonly connections: number | undefined;
  /** Where the whole result goes as JSON. */
  readonly json: string | undefined;
}

const usage = `Usage: npm run bench [-- OPTIONS]
  --quick           under a minute: smaller seed, short measurements, of appointments alone
  --growth          instead: what a request costs as practices and appointments become more
  --against REF     instead: this tree and the version REF in turn, and the ratio of each row;
                    with --quick in less than three minutes
  --rounds N        with --against: so many rounds, instead of 10
  --connections N   so many keep a request each under way, instead of 64
  --json FILE       also writes everything that was measured to FILE
  --help            shows this
`;

/** What the command line asks for; ends the process when that is help, or nothing that is known here. */
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
