// The keys that sign access tokens, shared by all processes of the service through the database. One key signs; superseded
// keys still verify until the last token that they signed has expired.

import { createPublicKey, type KeyObject } from 'node:crypto';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { PublicJwk } from '@practice/contracts';
import { Keyring } from '@practice/log';
import jwt from 'jsonwebtoken';
import { IDENTITY_CONFIG, type IdentityConfig } from '../identity.config.js';
import { GatewayAnnouncements } from '../notices/announcements.js';
import { lockKeys } from '../store/raw-sql.js';
import { Transactions } from '../store/transactions.js';
import { addKey, KeySeal, type StoredKey, storedKeys } from './stored-keys.js';

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

interface KnownKey {
  readonly kid: string;
  readonly jwk: PublicJwk;
  /** Undefined when it cannot be opened with this process's KEY_ENCRYPTION_KEY; then it only verifies. */
  readonly privateKey: KeyObject | undefined;
  /** Milliseconds of `performance.now()`. */
  readonly signsFrom: number;
}

/** Changes are announced. This interval bounds the delay when an announcement is lost. */
const RELOAD_MS = 60_000;

@Injectable()
export class SigningKeys implements OnApplicationBootstrap {
  private keys: readonly KnownKey[] = [];
  private loadedAt = -Infinity;
  private loading: Promise<void> | undefined;
  private readonly seal: KeySeal;
  private readonly aliveSeconds: number;

  constructor(
    private readonly transactions: Transactions,
    private readonly gateways: GatewayAnnouncements,
    @Inject(IDENTITY_CONFIG) config: IdentityConfig,
  ) {
    this.seal = new KeySeal(config.keyEncryptionKey);
    this.aliveSeconds = config.accessTokenTtlSeconds + (2 * RELOAD_MS) / 1000;
  }

  /** Reads the keys again when they may have changed, so that this process does not sign with a key that was withdrawn elsewhere. If that fails, the interval does it. */
  onApplicationBootstrap(): void {
    this.gateways.onStateChanged(() => void this.reload().catch(() => undefined));
  }

  /** The key that signs now. Adds a key when this process cannot open any active key. */
  async active(): Promise<SigningKey> {
    if (performance.now() - this.loadedAt > RELOAD_MS) await this.load();
    const key = this.activeKey();
    if (key !== undefined) return key;
    await this.addFirst();
    await this.reload();
    return this.activeKey() ?? Promise.reject(new Error('there is no signing key'));
  }

  /** The public keys that verify unexpired tokens, and the keys that will sign next. */
  async published(): Promise<PublicJwk[]> {
    await this.active();
    return this.keys.map(({ jwk }) => jwk);
  }

  /** Reads the keys again. A read that is under way may have missed the latest change, so it is not enough. */
  async reload(): Promise<void> {
    await this.loading?.catch(() => undefined);
    await this.load();
  }

  private activeKey(): SigningKey | undefined {
    const now = performance.now();
    const due = this.keys.filter(({ signsFrom }) => signsFrom <= now);
    return due.findLast((key): key is KnownKey & SigningKey => key.privateKey !== undefined);
  }

  private load(): Promise<void> {
    this.loading ??= this.read().finally(() => (this.loading = undefined));
    return this.loading;
  }

  private async read(): Promise<void> {
    const rows = await this.transactions.run({}, (tables) => storedKeys(tables, this.aliveSeconds));
    this.keys = rows.map((row) => this.known(row));
    this.loadedAt = performance.now();
  }

  private async addFirst(): Promise<void> {
    await this.transactions.run({}, async (tables) => {
      await lockKeys(tables);
      const keys = await storedKeys(tables, 0);
      const isSigning = keys.some((key) => key.signsInMs <= 0 && this.known(key).privateKey !== undefined);
      if (!isSigning) await addKey(tables, this.seal, 0);
    });
    await this.gateways.stateChanged();
  }

  private known({ kid, publicJwk, sealed, signsInMs }: StoredKey): KnownKey {
    return {
      kid,
      jwk: { ...publicJwk, kid, alg: 'ES256', use: 'sig' },
      privateKey: sealed === null ? undefined : this.seal.open(sealed, kid),
      signsFrom: performance.now() + signsInMs,
    };
  }
}

/**
 * Signs claims as a compact JWS. Its header contains the public key, so it can be verified after the key is no longer published.
 * @param typ the type of the document, such as `log-seal+jwt`
 */
export function signedClaims({ kid, privateKey }: SigningKey, typ: string, claims: object): string {
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' });
  const header = { alg: 'ES256', kid, typ, jwk } as const;
  return jwt.sign(claims, privateKey, { algorithm: 'ES256', header, noTimestamp: true });
}

/** The purposes of the seals. */
export const OAUTH_PAYLOADS = 'practice oauth payloads';
export const SECOND_FACTORS = 'practice second factors';

/** Encrypts the secrets of authenticator apps, so a copy of the database makes no codes. */
@Injectable()
export class FactorSecrets extends Keyring {
  constructor(@Inject(IDENTITY_CONFIG) { keyEncryptionKey }: Pick<IdentityConfig, 'keyEncryptionKey'>) {
    super(keyEncryptionKey, SECOND_FACTORS);
  }
}
