// All connections to Postgres are made here. A connection emits `error` when it breaks while it opens or while nothing runs on it, and again after
// the statement on it has failed. An `error` without a listener ends the process, so each connection has a listener from the start.

import { Client, Pool, type ClientConfig, type PoolConfig } from 'pg';

type OnError = (error: Error) => void;

const ignore: OnError = () => undefined;

/** A machine that has failed refuses no connection: without a limit, the kernel would try to reach it for two minutes. */
const CONNECTS_WITHIN_MS = 5_000;

/** Options of every connection. Keepalive detects a lost peer while no statement runs. */
const reliable: ClientConfig = {
  connectionTimeoutMillis: CONNECTS_WITHIN_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
};

/** As an option of the pool itself, the timeout would also limit how long a statement waits for a connection that others use. */
class PooledClient extends Client {
  constructor(config?: ClientConfig) {
    super({ ...config, ...reliable });
  }
}

/**
 * Opens a connection.
 * @param onError called when it breaks. The statement that runs on it, or the next one, fails in any case.
 * @throws the reason why it cannot be opened
 */
export async function openClient(config: ClientConfig, onError: OnError = ignore): Promise<Client> {
  const client = new Client({ ...config, ...reliable });
  client.on('error', onError);
  await client.connect();
  return client;
}

/**
 * Opens a connection for some work, and ends it afterwards.
 * @throws the reason why it cannot be opened, or what the work throws
 */
export async function withOpenClient<T>(
  config: ClientConfig,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await openClient(config);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Makes a pool of connections.
 * @param onError called when an idle connection breaks; the pool opens another one when it needs it
 */
export function makePool(config: PoolConfig, onError: OnError): Pool {
  const pool = new Pool({ ...config, Client: PooledClient });
  pool.on('error', onError);
  // The pool itself listens to idle connections only: not while one opens, is in use, or ends.
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
}
