import type { Socket } from 'node:net';
import type { ClientBase } from 'pg';
import type { Statement } from './statement.js';
import { areKnown, TextQuery } from './text-query.js';
import type { TextRow } from './text-query.js';

/**
 * One statement on a connection; in pipeline mode it is on the wire before this returns.
 * @param prelude run before it, and where there is no transaction, as one with it; each was run on the connection before,
 * whatever its values
 * @throws the error of the first that failed
 */
export async function run(
  client: ClientBase,
  statement: Statement,
  prelude: readonly Statement[] = [],
): Promise<TextRow[]> {
  return (await send(client, statement, prelude))[prelude.length] ?? [];
}

/**
 * Several statements in one round trip, on a connection in pipeline mode, each seeing what those before it did. Once one has
 * failed, none behind it has an effect, if they are part of a transaction.
 * @throws the error of the first statement that failed, once all have been answered
 */
export async function pipeline(client: ClientBase, statements: readonly Statement[]): Promise<TextRow[][]> {
  cork(client);
  const [before, [last]] = [statements.slice(0, -1), statements.slice(-1)];
  if (last !== undefined && areKnown(client, before)) return send(client, last, before);
  const answers = await Promise.allSettled(statements.map((statement) => run(client, statement)));
  return answers.map((answer) => {
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value;
  });
}

function send(client: ClientBase, last: Statement, before: readonly Statement[]): Promise<TextRow[][]> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, answers: TextRow[][]): void => {
      if (error) reject(error);
      else resolve(answers);
    };
    client.query(new TextQuery(last, done, before) as never);
  });
}

const corked = new WeakSet<ClientBase>();

/**
 * Gathers what is sent to a connection until everything that is ready to run has run, and sends it with one system call:
 * by itself the driver makes one for each statement, which is most of what a statement costs here.
 */
export function cork(client: ClientBase): void {
  if (corked.has(client)) return;
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  corked.add(client);
  stream.cork();
  process.nextTick(() => {
    corked.delete(client);
    stream.uncork();
  });
}
