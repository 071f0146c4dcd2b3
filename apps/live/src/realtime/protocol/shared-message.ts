import type { Serializer } from './serializer.js';

/** The bytes of a WebSocket message. */
export interface Encoded {
  readonly bytes: Buffer;
  readonly isBinary: boolean;
}

/** A message for many clients. It is encoded once for each version of the protocol, and all receivers share the bytes. */
export class SharedMessage {
  private readonly encoded = new Map<Serializer, Encoded | undefined>();

  /** @param encode writes the message; undefined where the version cannot represent it */
  constructor(private readonly encode: (serializer: Serializer) => string | Buffer | undefined) {}

  /** The message for clients of a version; undefined if they do not get it. */
  for(serializer: Serializer): Encoded | undefined {
    if (!this.encoded.has(serializer)) {
      const written = this.encode(serializer);
      this.encoded.set(serializer, written === undefined ? undefined : encodedOf(written));
    }
    return this.encoded.get(serializer);
  }
}

/** The message of a version as bytes. */
export const encodedOf = (written: string | Buffer): Encoded =>
  typeof written === 'string'
    ? { bytes: Buffer.from(written), isBinary: false }
    : { bytes: written, isBinary: true };
