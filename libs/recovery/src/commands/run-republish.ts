import { parseArgs } from 'node:util';
import { resourcesOf } from '@practice/contracts';
import { createPublisher } from '@practice/bus';
import { kinds } from '@practice/resource';
import { readRelayUrl } from './command.config.js';
import { refuse, say } from './output.js';
import { republish, type RepublishInput } from '../republish/republish.js';
import { withBus } from './with-bus.js';

/**
 * Runs the republish command of a service. `--from` is a position in each practice's log or a time. `--practice` is the id of the
 * only practice to republish. The exit status is 1, with a message, if an argument is unknown or the work cannot be finished.
 */
export async function runRepublish(service: string, args: readonly string[]): Promise<void> {
  const wanted = parseRepublishArguments(args);
  if (typeof wanted === 'string') return refuse(wanted);
  await withBus(service, 'republish', async (connection) => {
    const { publish } = createPublisher({ connection, service, again: 'for an operator' });
    const input = { service, url: readRelayUrl(), publish, resources: resourcesOf(service), ...wanted };
    const { practices, events } = await republish(input);
    say(`${service}: the stream has ${events} events of ${practices} practices`);
  });
}

/** The parsed arguments, or a description of the mistake in them. */
export function parseRepublishArguments(
  args: readonly string[],
): Pick<RepublishInput, 'from' | 'practice'> | string {
  try {
    const text = { type: 'string' } as const;
    const { from, practice } = parseArgs({ args: [...args], options: { from: text, practice: text } }).values;
    if (practice !== undefined && !kinds.uuid.parse(practice).ok)
      return '--practice takes the id of a practice';
    const start = from === undefined ? undefined : startOf(from);
    if (start === null) return '--from takes a position (1, 2, 3 …) or a time such as 2026-05-01T10:00Z';
    return {
      ...(practice === undefined ? {} : { practice }),
      ...(start === undefined ? {} : { from: start }),
    };
  } catch (error) {
    return (error as Error).message;
  }
}

function startOf(text: string): RepublishInput['from'] | null {
  if (/^[1-9]\d{0,14}$/.test(text)) return { position: Number(text) };
  const time = kinds.timestamp.parse(text);
  return time.ok ? { time: time.value } : null;
}
