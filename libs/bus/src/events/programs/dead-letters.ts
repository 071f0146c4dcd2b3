// npm run events -- dead-letters [list [SUBSCRIPTION] | show ID | retry ID | discard ID]

import type { Connection } from '../../messaging/connection.js';
import { discardDeadLetter, findDeadLetter, listDeadLetters, retryDeadLetter } from '../dead-letters.js';
import type { DeadLetter } from '../dead-letters.js';
import { withConnection } from './connected.js';
import { table } from './table.js';

const USAGE = 'Usage: npm run events -- dead-letters [list [SUBSCRIPTION] | show ID | retry ID | discard ID]';

async function run(connection: Connection, [verb = 'list', id, ...rest]: readonly string[]): Promise<string> {
  if (rest.length > 0) throw new Error(USAGE);
  if (verb === 'list') return list(await listDeadLetters(connection, id));
  if (!['show', 'retry', 'discard'].includes(verb) || id === undefined) throw new Error(USAGE);
  const letter = await findDeadLetter(connection, id);
  if (letter === undefined) throw new Error(`There is no dead letter ${id}.`);
  if (verb === 'show') return shown(letter);
  if (verb === 'discard') {
    await discardDeadLetter(connection, id);
    return `Discarded: ${id}.`;
  }
  await retryDeadLetter(connection, letter);
  return `Handled: ${id}.`;
}

const list = (letters: readonly DeadLetter[]): string =>
  letters.length === 0
    ? 'There are no dead letters.'
    : table(
        ['ID', 'SINCE', 'EVENT', 'ATTEMPTS', 'ERROR'],
        letters.map(({ id, time, subject, attempts, error }) => [
          id,
          time,
          subject.split('.').at(-1) ?? '',
          attempts,
          error.slice(0, 80),
        ]),
      );

function shown({ data, ...fields }: DeadLetter): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return [...lines, '', pretty(Buffer.from(data).toString())].join('\n');
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

await withConnection((connection) => run(connection, process.argv.slice(2)));
