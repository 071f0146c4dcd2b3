// Sends one POST to a receiver that is not trusted.

import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { dnsResolve, ForbiddenAddress, guardedRequests, UnknownHost } from '@practice/outbound';
import type { AddressPolicy, Resolve } from '@practice/outbound';

/** The result of an attempt. */
export interface Sent {
  /** The status of the response; null without one. */
  readonly status: number | null;
  /** The reason of a failure in fixed words; null on success. It never quotes the response, because the response may quote the event. */
  readonly error: string | null;
  readonly durationMs: number;
}

interface Message {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Milliseconds for the whole attempt: names, connection, request and response. */
const TIMEOUT_MS = 15_000;
const RESPONSE_BYTES = 8 * 1024;

interface SenderOptions {
  readonly resolve?: Resolve;
  readonly timeoutMs?: number;
}

export class Sender {
  private readonly open;
  private readonly timeoutMs: number;

  constructor(policy: AddressPolicy, { resolve = dnsResolve(), timeoutMs = TIMEOUT_MS }: SenderOptions = {}) {
    this.open = guardedRequests(policy, resolve);
    this.timeoutMs = timeoutMs;
  }

  /** Sends a message. It never throws. @param stop ends the attempt early */
  async send(message: Message, stop?: AbortSignal): Promise<Sent> {
    const start = performance.now();
    const outcome = await this.attempt(message, stop);
    return { ...outcome, durationMs: Math.round(performance.now() - start) };
  }

  private attempt({ url, body, headers }: Message, stop?: AbortSignal): Promise<Omit<Sent, 'durationMs'>> {
    const limit = AbortSignal.timeout(this.timeoutMs);
    const request = this.open(url, {
      method: 'POST',
      maxHeaderSize: RESPONSE_BYTES,
      signal: limit,
      headers: { ...headers, 'content-length': Buffer.byteLength(body), 'user-agent': 'practice-webhooks/1' },
    });
    // The settings may have changed since the URL was accepted.
    if (typeof request === 'string')
      return Promise.resolve({ status: null, error: `the URL is refused: ${request}` });
    return new Promise((resolve) => {
      let status: number | null = null;
      const done = (error: unknown): void =>
        resolve({ status, error: status === null ? wordsFor(error, limit) : errorOf(status) });
      request.on('error', done);
      request.on('response', (response) => {
        status = response.statusCode ?? null;
        drain(response);
      });
      const cut = (): void => void request.destroy();
      stop?.addEventListener('abort', cut);
      // A response that switches protocols (101) closes the request without an error.
      request.on('close', () => {
        stop?.removeEventListener('abort', cut);
        done(undefined);
      });
      if (stop?.aborted === true) cut();
      else request.end(body);
    });
  }
}

/** Reads a response to its end, up to the limit. */
function drain(response: IncomingMessage): void {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > RESPONSE_BYTES) response.destroy();
  });
  response.on('error', () => undefined);
}

/** The error of a status; null for a 2xx. Redirects are not followed. */
function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400
    ? `the response was a redirect (${status}), which is not followed`
    : `the response was ${status}`;
}

const codes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  EPIPE: 'the connection was closed',
  ETIMEDOUT: 'the connection took too long',
  HPE_HEADER_OVERFLOW: 'the response has too large headers',
};

/** An error in fixed words. The original text may contain data from the receiver. */
function wordsFor(error: unknown, limit: AbortSignal): string {
  if (limit.aborted) return 'there was no response in time';
  if (error instanceof ForbiddenAddress || error instanceof UnknownHost) return error.message;
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? '';
  const known = codes[code];
  if (known !== undefined) return known;
  if (code.startsWith('HPE_')) return 'the response is not HTTP';
  return /CERT|TLS|SSL|SIGNED|EPROTO|UNABLE_TO/.test(code)
    ? `the connection is not secure (${code})`
    : 'the attempt failed';
}

// Signatures of Standard Webhooks (https://www.standardwebhooks.com).

const PREFIX = 'whsec_';

/** 256 bits. The specification requires 192 to 512. */
const SECRET_BYTES = 32;

export const newKey = (): Buffer => randomBytes(SECRET_BYTES);

/** A key in the format that receivers configure. */
export const secretOf = (key: Uint8Array): string => PREFIX + Buffer.from(key).toString('base64');

interface Signed {
  /** The id of the event, the same in each attempt. */
  readonly id: string;
  readonly body: string;
  /** The time of sending, in milliseconds since the epoch. */
  readonly now: number;
  /** The newest key first. Each key makes a signature. */
  readonly keys: readonly Uint8Array[];
}

/** The headers of a delivery. */
export function signedHeaders({ id, body, now, keys }: Signed): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1000));
  const sign = (key: Uint8Array): string =>
    `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map(sign).join(' '),
  };
}
