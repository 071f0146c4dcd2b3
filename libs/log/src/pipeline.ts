import type { Socket } from 'node:net';
import type { ClientBase } from 'pg';
import type { Statement } from './statement.js';
import { areParsed, TextQuery, type TextRow } from './text-query.js';

/**
 * Runs one statement. On a connection in pipeline mode it is sent before this returns.
 * @param setup statements that run before it and, outside a transaction, in one transaction with it; the connection must have
 * run each of them before, with any values
 * @throws the error of the first statement that failed
 */
export async function run(
  client: ClientBase,
  statement: Statement,
  setup: readonly Statement[] = [],
): Promise<TextRow[]> {
  return (await send(client, statement, setup))[setup.length] ?? [];
}

/**
 * Runs several statements in one round trip, on a connection in pipeline mode. Each sees the effects of the statements before
 * it. Within a transaction, no statement after a failed one has an effect.
 * @throws the error of the first statement that failed, after all were answered
 */
export async function pipeline(client: ClientBase, statements: readonly Statement[]): Promise<TextRow[][]> {
  cork(client);
  const [before, [last]] = [statements.slice(0, -1), statements.slice(-1)];
  if (last !== undefined && areParsed(client, before)) return send(client, last, before);
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
 * Collects everything that is written to a connection in this tick and sends it with one system call. By itself the
 * driver makes one call per statement, which is most of the cost of a statement in this process.
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
