// The keys that access tokens are signed with. They live in the database, so that all gateways share them. One signs;
// a retired one still verifies until the last token it signed has expired.

import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';
import type { Database } from '../database.js';

/** A public key as callers fetch it to verify tokens themselves. */
export type PublicJwk = JsonWebKey & { readonly kid: string; readonly alg: 'ES256'; readonly use: 'sig' };

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

interface KnownKey extends SigningKey {
  readonly publicKey: KeyObject;
  readonly jwk: PublicJwk;
  readonly isActive: boolean;
}

interface KeyRow {
  readonly kid: string;
  readonly private_jwk: JsonWebKey;
  readonly is_active: boolean;
}

/** How long a gateway may go on signing with a key that another one has retired. */
const RELOAD_MS = 60_000;
/** A token may name any `kid`: only so often is one of them looked for in the database. */
const LOOK_AGAIN_MS = 5_000;

export class SigningKeys {
  private keys: ReadonlyMap<string, KnownKey> = new Map();
  private loadedAt = -Infinity;
  private loading: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly tokenTtlSeconds: number,
  ) {}

  /** The key that signs now; the first one ever is made here. */
  async active(): Promise<SigningKey> {
    if (performance.now() - this.loadedAt > RELOAD_MS) await this.reload();
    const key = this.activeKey();
    if (key !== undefined) return key;
    await this.insertFirst();
    await this.reload();
    return this.activeKey() ?? Promise.reject(new Error('there is no signing key'));
  }

  /** The public half of a key; looks for one that was made since by another gateway. */
  async publicKey(kid: string): Promise<KeyObject | undefined> {
    if (!this.keys.has(kid) && performance.now() - this.loadedAt > LOOK_AGAIN_MS) await this.reload();
    return this.keys.get(kid)?.publicKey;
  }

  /** All keys that verify tokens still alive. */
  async published(): Promise<PublicJwk[]> {
    await this.active();
    return [...this.keys.values()].map(({ jwk }) => jwk);
  }

  private activeKey(): SigningKey | undefined {
    return [...this.keys.values()].find(({ isActive }) => isActive);
  }

  private reload(): Promise<void> {
    this.loading ??= this.load().finally(() => (this.loading = undefined));
    return this.loading;
  }

  private async load(): Promise<void> {
    const aliveSeconds = this.tokenTtlSeconds + (2 * RELOAD_MS) / 1000;
    const { rows } = await this.database.transaction({}, (client) =>
      client.query<KeyRow>(
        `SELECT kid, private_jwk, retired_at IS NULL AS is_active FROM gateway.signing_keys
         WHERE retired_at IS NULL OR retired_at > now() - make_interval(secs => $1)`,
        [aliveSeconds],
      ),
    );
    this.keys = new Map(rows.map((row) => [row.kid, knownKey(row)]));
    this.loadedAt = performance.now();
  }

  /** Of several gateways that start at the same time one succeeds, and all then load its key. */
  private async insertFirst(): Promise<void> {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = JSON.stringify(privateKey.export({ format: 'jwk' }));
    await this.database.transaction({}, (client) =>
      client.query(
        `INSERT INTO gateway.signing_keys (kid, private_jwk) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
        [randomUUID(), jwk],
      ),
    );
  }
}

function knownKey({ kid, private_jwk, is_active }: KeyRow): KnownKey {
  const privateKey = createPrivateKey({ key: private_jwk, format: 'jwk' });
  const publicKey = createPublicKey(privateKey);
  const jwk: PublicJwk = { ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' };
  return { kid, privateKey, publicKey, jwk, isActive: is_active };
}
