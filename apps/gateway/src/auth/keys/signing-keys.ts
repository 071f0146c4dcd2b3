// The keys that access tokens are signed with. They live in the database, so that all gateways share them. One signs;
// one that was superseded still verifies until the last token it signed has expired.

import { createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { Database } from '../../database.js';
import type { KeySeal } from './key-seal.js';
import { addKey, lockKeys, storedKeys } from './stored-keys.js';
import type { PublicJwk, StoredKey } from './stored-keys.js';

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

interface KnownKey {
  readonly kid: string;
  readonly publicKey: KeyObject;
  readonly jwk: PublicJwk;
  /** Undefined where it cannot be opened: then it only verifies. */
  readonly privateKey: KeyObject | undefined;
  /** Milliseconds of `performance.now()`. */
  readonly signsFrom: number;
}

/** News of keys come at once; this is how late a gateway may be that they did not reach. */
const RELOAD_MS = 60_000;
/** A token may name any `kid`: only so often is one of them looked for in the database. */
const LOOK_AGAIN_MS = 5_000;

export class SigningKeys {
  private keys: ReadonlyMap<string, KnownKey> = new Map();
  private loadedAt = -Infinity;
  private loading: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly seal: KeySeal,
    private readonly tokenTtlSeconds: number,
  ) {}

  /** The key that signs now; the first one ever is made here, and one where none of those there are can be opened. */
  async active(): Promise<SigningKey> {
    if (performance.now() - this.loadedAt > RELOAD_MS) await this.reload();
    const key = this.activeKey();
    if (key !== undefined) return key;
    await this.addFirst();
    await this.reload();
    return this.activeKey() ?? Promise.reject(new Error('there is no signing key'));
  }

  /** The public half of a key; looks for one that was made since by another gateway. */
  async publicKey(kid: string): Promise<KeyObject | undefined> {
    if (!this.keys.has(kid) && performance.now() - this.loadedAt > LOOK_AGAIN_MS) await this.reload();
    return this.keys.get(kid)?.publicKey;
  }

  /** All keys that verify tokens still alive, and the one that is to sign next. */
  async published(): Promise<PublicJwk[]> {
    await this.active();
    return [...this.keys.values()].map(({ jwk }) => jwk);
  }

  /** To be called when a key was added elsewhere. What is being read at the moment may have missed it. */
  async changed(): Promise<void> {
    await this.loading;
    await this.reload();
  }

  private activeKey(): SigningKey | undefined {
    const now = performance.now();
    const due = [...this.keys.values()].filter(({ signsFrom }) => signsFrom <= now);
    return due.findLast((key): key is KnownKey & SigningKey => key.privateKey !== undefined);
  }

  private reload(): Promise<void> {
    this.loading ??= this.load().finally(() => (this.loading = undefined));
    return this.loading;
  }

  private async load(): Promise<void> {
    const aliveSeconds = this.tokenTtlSeconds + (2 * RELOAD_MS) / 1000;
    const rows = await this.database.transaction({}, (client) => storedKeys(client, aliveSeconds));
    this.keys = new Map(rows.map((row) => [row.kid, this.known(row)]));
    this.loadedAt = performance.now();
  }

  private async addFirst(): Promise<void> {
    await this.database.transaction({}, async (client) => {
      await lockKeys(client);
      const keys = await storedKeys(client, 0);
      const isSigning = keys.some((key) => key.signsInMs <= 0 && this.known(key).privateKey !== undefined);
      if (!isSigning) await addKey(client, this.seal, 0);
    });
  }

  private known({ kid, publicJwk, sealed, signsInMs }: StoredKey): KnownKey {
    return {
      kid,
      publicKey: createPublicKey({ key: publicJwk, format: 'jwk' }),
      jwk: { ...publicJwk, kid, alg: 'ES256', use: 'sig' },
      privateKey: sealed === null ? undefined : this.seal.open(sealed, kid),
      signsFrom: performance.now() + signsInMs,
    };
  }
}
