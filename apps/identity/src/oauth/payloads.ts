// The rows of the OAuth library, shared by all processes of the service.

import { Inject, Injectable } from '@nestjs/common';
import { Keyring } from '@practice/log';
import type { AdapterPayload } from 'oidc-provider';
import { type EntityManager, IsNull, type QueryDeepPartialEntity } from 'typeorm';
import { IDENTITY_CONFIG, type IdentityConfig } from '../identity.config.js';
import { OAUTH_PAYLOADS } from '../keys/signing-keys.js';
import { inserting, updating } from '../store/database.js';
import { OauthPayload } from '../store/oauth.entities.js';
import { tokenHash } from '../store/secrets.js';
import { oidcProvider } from './library.js';
import { Transactions } from '../store/transactions.js';

/** How long a used refresh token is still accepted: a second process of the client, rather than a thief, may use it too. */
const GRACE_MS = 10_000;
/** How long rows without an expiry are kept: clients that register themselves. A grant keeps its client longer. */
const DEFAULT_SECONDS = 86_400;

/** The kind of a stored row. It is part of the hashes, so an id of one kind finds no row of another kind. */
export type Model = string;

interface NewRow {
  readonly id: string;
  readonly payload: AdapterPayload;
  readonly seconds?: number | undefined;
}

@Injectable()
export class OauthPayloads {
  private readonly keyring: Keyring;

  constructor(
    private readonly transactions: Transactions,
    @Inject(IDENTITY_CONFIG) { keyEncryptionKey }: Pick<IdentityConfig, 'keyEncryptionKey'>,
  ) {
    this.keyring = new Keyring(keyEncryptionKey, OAUTH_PAYLOADS);
  }

  /** Stores a row. A refresh token is stored once: processes that use the same token at the same time derive the same next token. */
  async upsert(model: Model, { id, payload, seconds = DEFAULT_SECONDS }: NewRow): Promise<void> {
    const idHash = hashOf(model, id);
    const { grantId, userCode } = payload;
    const row = {
      idHash,
      sealedPayload: this.sealed(payload, idHash),
      grantHash: grantId === undefined ? null : hashOf('Grant', grantId),
      userCodeHash: userCode === undefined ? null : hashOf('UserCode', userCode),
      expiresAt: new Date(Date.now() + seconds * 1000),
    };
    const replaced = ['sealed_payload', 'grant_hash', 'user_code_hash', 'expires_at'];
    await this.transactions.run({ presented: idHash }, async (tables) => {
      const insert = inserting(tables, OauthPayload, row);
      await (model === 'RefreshToken' ? insert.orIgnore() : insert.orUpdate(replaced, ['id_hash'])).execute();
    });
  }

  find(model: Model, id: string): Promise<AdapterPayload | undefined> {
    return this.payloadBy({ idHash: hashOf(model, id) }, model === 'RefreshToken' ? GRACE_MS : 0);
  }

  findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.payloadBy({ userCodeHash: hashOf('UserCode', userCode) }, 0);
  }

  /**
   * Marks a row as used.
   * @param payload replaces the stored payload in the same statement, if this caller is the first
   * @returns whether this caller is the first
   */
  claim(model: Model, id: string, payload?: AdapterPayload): Promise<boolean> {
    return this.updateUnused(hashOf(model, id), payload, { consumedAt: () => 'now()' });
  }

  /** Takes the mark of `claim` back. */
  async release(model: Model, id: string): Promise<void> {
    const idHash = hashOf(model, id);
    await this.transactions.run({ presented: idHash }, (tables) =>
      tables.update(OauthPayload, { idHash }, { consumedAt: null }),
    );
  }

  /** Replaces the payload of a row. @returns false if the row was marked as used */
  replace(model: Model, id: string, payload: AdapterPayload): Promise<boolean> {
    return this.updateUnused(hashOf(model, id), payload);
  }

  /**
   * Marks a row as used, for the library, which has read it before.
   * @throws {InvalidGrant} for a code that another process has used meanwhile
   */
  async consume(model: Model, id: string): Promise<void> {
    const isFirst = await this.claim(model, id);
    if (isFirst || model === 'RefreshToken') return;
    const { errors } = await oidcProvider();
    throw new errors.InvalidGrant('code already consumed');
  }

  async destroy(model: Model, id: string): Promise<void> {
    const idHash = hashOf(model, id);
    await this.transactions.run({ presented: idHash }, (tables) => tables.delete(OauthPayload, { idHash }));
  }

  /** Deletes the codes and refresh tokens of a grant. */
  async revokeByGrantId(grantId: string): Promise<void> {
    const grantHash = hashOf('Grant', grantId);
    await this.transactions.run({ presented: grantHash }, (tables) =>
      tables.delete(OauthPayload, { grantHash }),
    );
  }

  /** Keeps a self-registered client at least until this time. */
  async keepClient(clientId: string, until: Date): Promise<void> {
    const idHash = hashOf('Client', clientId);
    await this.transactions.run({ presented: idHash }, (tables) =>
      updating(tables, OauthPayload, { expiresAt: until })
        .where({ idHash })
        .andWhere('expires_at < :until', { until })
        .execute(),
    );
  }

  private async updateUnused(
    idHash: string,
    payload: AdapterPayload | undefined,
    values: QueryDeepPartialEntity<OauthPayload> = {},
  ): Promise<boolean> {
    const replaced = payload && { sealedPayload: this.sealed(payload, idHash) };
    const updated = await this.transactions.run({ presented: idHash }, (tables) =>
      tables.update(OauthPayload, { idHash, consumedAt: IsNull() }, { ...values, ...replaced }),
    );
    return updated.affected === 1;
  }

  private sealed(payload: AdapterPayload, idHash: string): string {
    return this.keyring.seal(Buffer.from(JSON.stringify(payload)), idHash);
  }

  private async payloadBy(
    where: { readonly idHash: string } | { readonly userCodeHash: string },
    graceMs: number,
  ): Promise<AdapterPayload | undefined> {
    const [presented = ''] = Object.values(where) as string[];
    const row = await this.transactions.run({ presented }, (tables: EntityManager) =>
      tables.findOneBy(OauthPayload, where),
    );
    // An expired row is ignored from the same time on in every process. The sweeper deletes it later.
    if (row === null || row.expiresAt.getTime() <= Date.now()) return undefined;
    const payload = this.keyring.find(row.sealedPayload, row.idHash);
    if (payload === undefined) return undefined;
    const usedAt = row.consumedAt?.getTime();
    const isUsed = usedAt !== undefined && usedAt < Date.now() - graceMs;
    return {
      ...(JSON.parse(payload.toString()) as AdapterPayload),
      ...(isUsed && { consumed: Math.floor(usedAt / 1000) }),
    };
  }
}

const hashOf = (model: Model, id: string): string => tokenHash(`${model} ${id}`);
