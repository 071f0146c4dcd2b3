// Signatures as Standard Webhooks defines them (https://www.standardwebhooks.com).

import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** 256 bits: the specification asks for 192 to 512. */
const SECRET_BYTES = 32;

/** A new key. */
export const newKey = (): Buffer => randomBytes(SECRET_BYTES);

/** A key as receivers configure it. */
export const secretOf = (key: Uint8Array): string => PREFIX + Buffer.from(key).toString('base64');

export interface Signed {
  /** The id of the event, the same in each attempt. */
  readonly id: string;
  readonly body: string;
  /** When it is sent, in milliseconds since the epoch. */
  readonly now: number;
  /** The newest first; each makes a signature. */
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
