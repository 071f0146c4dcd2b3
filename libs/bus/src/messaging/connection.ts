// The NATS connection of a process. It reconnects automatically while the process runs.

import { connect as connectNats, type NatsConnection, type Status } from '@nats-io/transport-node';

/** Logs the events of a connection. A pino logger has this interface. */
export interface ConnectionLogger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface ConnectOptions {
  /** `nats://user:password@host:port`, or `tls://…`. Several servers of a cluster are separated by commas. */
  readonly url: string;
  /** The name of the connection in the server's monitoring. */
  readonly name: string;
  readonly logger: ConnectionLogger;
}

export interface Connection {
  readonly nats: NatsConnection;
  /** The NATS user. Its permissions list the subjects that this process may use. */
  readonly user: string;
  /** Prefix of NATS' own reply subjects. */
  readonly inboxPrefix: string;
  /** The largest message that the server accepts, in bytes. */
  readonly maxPayload: number;
  readonly logger: ConnectionLogger;
  isUp(): boolean;
  /** How many times the connection has been lost. */
  interruptions(): number;
  /** Calls back whenever the connection is lost, and the messages in transit with it. Returns a function that removes the listener. */
  onDown(listener: () => void): () => void;
  /** Calls back whenever a lost connection is restored. */
  onUp(listener: () => void): () => void;
  /** Sends queued messages, lets subscriptions finish received messages, and closes. */
  close(): Promise<void>;
}

const MIN_MAX_PAYLOAD = 2 * 1024 * 1024;

/**
 * Connects to NATS. A connection that is lost later is restored without a limit of attempts.
 * @throws {Error} if the first attempt fails, or if the server's `max_payload` is below 2 MiB, since a request body must fit
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { servers, user, pass, isSecure } = parseUrl(options.url);
  const inboxPrefix = user === '' ? '_INBOX' : `_INBOX.${user}`;
  const nats = await connectNats({
    servers,
    ...(user === '' ? {} : { user, pass }),
    ...(isSecure ? { tls: {} } : {}),
    name: options.name,
    inboxPrefix,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    ignoreAuthErrorAbort: true,
    pingInterval: 10_000,
    noAsyncTraces: true,
  });
  const maxPayload = nats.info?.max_payload ?? 0;
  if (maxPayload < MIN_MAX_PAYLOAD) {
    await nats.close();
    throw new Error(
      `the NATS server's max_payload is ${maxPayload} bytes; it must be at least ${MIN_MAX_PAYLOAD}`,
    );
  }
  const { logger } = options;
  const state = follow(nats, logger);
  return {
    nats,
    user: user || options.name,
    inboxPrefix,
    maxPayload,
    logger,
    ...state,
    close: () => close(nats, state.isUp()),
  };
}

/** Resolves when the work is done, or when it cannot be finished because the connection is lost. */
export async function whileUp(
  { isUp, onDown }: Pick<Connection, 'isUp' | 'onDown'>,
  work: () => Promise<unknown> | undefined,
): Promise<void> {
  let stop: () => void = () => {};
  const down = new Promise<void>((resolve) => {
    stop = onDown(resolve);
    if (!isUp()) resolve();
  });
  try {
    await Promise.race([work(), down]);
  } finally {
    stop();
  }
}

/** Splits the URL into options, because the NATS client does not accept credentials in a URL. */
function parseUrl(url: string): { servers: string[]; user: string; pass: string; isSecure: boolean } {
  const urls = url.split(',').map((part) => new URL(part.trim()));
  const first = urls[0] as URL;
  return {
    servers: urls.map(({ host }) => host),
    user: decodeURIComponent(first.username),
    pass: decodeURIComponent(first.password),
    isSecure: first.protocol === 'tls:',
  };
}

function follow(
  nats: NatsConnection,
  logger: ConnectionLogger,
): Pick<Connection, 'isUp' | 'interruptions' | 'onDown' | 'onUp'> {
  const down = new Set<() => void>();
  const up = new Set<() => void>();
  let [isUp, interruptions] = [true, 0];
  void (async () => {
    for await (const status of nats.status()) {
      logStatus(logger, status);
      if (status.type === 'disconnect' || status.type === 'close') {
        isUp = false;
        interruptions += 1;
        for (const listener of down) listener();
      } else if (status.type === 'reconnect') {
        isUp = true;
        for (const listener of up) listener();
      }
    }
  })();
  return {
    isUp: () => isUp,
    interruptions: () => interruptions,
    onDown: (listener) => listenTo(down, listener),
    onUp: (listener) => listenTo(up, listener),
  };
}

function listenTo(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function logStatus(logger: ConnectionLogger, status: Status): void {
  if (status.type === 'disconnect' || status.type === 'staleConnection')
    logger.warn({ nats: status.type }, 'NATS connection lost');
  else if (status.type === 'reconnect') logger.info({ nats: status.type }, 'NATS connection restored');
  else if (status.type === 'error')
    logger.error({ nats: status.type, err: status.error }, 'NATS reported an error');
}

async function close(nats: NatsConnection, isUp: boolean): Promise<void> {
  if (nats.isClosed()) return;
  // Draining waits for the server, so it is possible only while the connection is up.
  if (isUp) await nats.drain().catch(() => nats.close());
  else await nats.close();
}
