import { parseArgs } from 'node:util';
import { readOptions } from '@practice/operator';

const usage = `Usage: npm run bench [-- OPTIONS]
  --quick           under a minute: smaller seed, short measurements, appointments only
  --flood           whether one practice that floods delays the others: with reads,
                    with writes, with expensive reads, and with realtime
  --live            how fast changes reach open connections and webhooks, and what
                    5,000 sockets take
  --money           what invoices and the ledger cost
  --apps            the token of an app beside the token of a session
  --assistant       what the assistant's endpoint costs beside /rest/v1
  --dialect         what a batch and a search cost
  --rebuild         how fast read tables are folded from a log, and followers catch up
  --against REF     compares this tree with the version REF (a commit, tag or branch),
                    measured in turn; with --quick in less than three minutes
  --rounds N        number of rounds (3; with --against 8)
  --connections N   number of connections, each with one request in flight (32)
  --json FILE       also writes every measurement to FILE
  --help            prints this text
`;

export type Flags = ReturnType<typeof flagsIn>;

/** The options of the command line. Ends the process after --help or an unknown option. */
export const readFlags = (args: readonly string[]): Flags =>
  readOptions(usage, () => {
    const flags = flagsIn(args);
    return flags.help ? undefined : flags;
  });

function flagsIn(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      flood: { type: 'boolean', default: false },
      live: { type: 'boolean', default: false },
      money: { type: 'boolean', default: false },
      apps: { type: 'boolean', default: false },
      assistant: { type: 'boolean', default: false },
      dialect: { type: 'boolean', default: false },
      rebuild: { type: 'boolean', default: false },
      against: { type: 'string' },
      rounds: { type: 'string' },
      connections: { type: 'string' },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const { rounds, connections } = values;
  return {
    ...values,
    rounds: countOf('rounds', rounds),
    connections: countOf('connections', connections),
  };
}

function countOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new Error(`--${flag} must be a number from 1 to 9999, not ${text}`);
  return Number(text);
}
