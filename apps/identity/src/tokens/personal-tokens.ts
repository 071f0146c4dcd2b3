// Personal access tokens, which users make for their scripts. Only the hash and the first characters of a token are stored. The owner
// recognizes it by these characters.

import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type KnownPersonalToken, PERSONAL_TOKEN_MARK, scopesBeyond } from '@practice/contracts';
import type { AskMode, Identity } from '@practice/core';
import { LOGGER, type Logger } from '@practice/process';
import { RecordTransactions } from '@practice/write';
import { type EntityManager, IsNull, Not, Raw } from 'typeorm';
import type { Fields } from '../calls/fields.js';
import { problems, refuse, refuseViolated } from '../calls/problems.js';
import { requireSession } from '../sessions/proven.js';
import { type Caller, RecentSignIn } from '../sessions/recent-sign-in.js';
import { nowInMilliseconds } from '../store/database.js';
import { OauthGrantUse } from '../store/oauth.entities.js';
import { OauthGrantRecord, PracticeHead, SecurityEventRecord } from '../store/record.entities.js';
import { randomToken, tokenHash } from '../store/secrets.js';
import { noteAlone } from '../store/security-events.js';
import { PersonalToken } from '../store/session.entities.js';
import { actForMember, Transactions } from '../store/transactions.js';
import { standingIn } from '../users/access.js';
import { canPassSecondFactor, ConfirmedAddress } from '../users/users.js';
import { type TokenRequest, tokenRequestOf } from './token-request.js';

/** The maximum number of tokens of a user. */
const MAX_TOKENS = 100;
/** 48 bits are shown; 208 stay secret. */
const SHOWN = PERSONAL_TOKEN_MARK.length + 8;
/** The precision of a token's last use: gateways keep a verified token for this time before they ask again. */
const USE_PRECISION_MS = 5 * 60_000;

@Injectable()
export class PersonalTokens {
  constructor(
    private readonly transactions: Transactions,
    private readonly records: RecordTransactions,
    private readonly recent: RecentSignIn,
    private readonly confirmed: ConfirmedAddress,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The tokens of a user, the newest first. */
  async list(userId: string): Promise<ShownToken[]> {
    const order = { createdAt: 'DESC', id: 'ASC' } as const;
    const stored = await this.transactions.run({ userId }, (tables) =>
      tables.find(PersonalToken, { where: { userId, oauthClientId: IsNull() }, order }),
    );
    return stored.map(shown);
  }

  /**
   * Checks a caller's request for a new token, by a call of the auth API or a function.
   * @throws {Rejection} when a field is malformed, the scopes are beyond the role of the caller, or the sign-in is not recent
   */
  async permitted(caller: Caller, fields: Fields): Promise<TokenRequest> {
    const { practiceRole } = caller.identity;
    const request = tokenRequestOf(fields, Date.now());
    const beyond = scopesBeyond(practiceRole, request.scopes ?? []);
    if (beyond.length > 0) refuse(problems.scopesBeyondRole(practiceRole, beyond));
    // After the scopes: a nonce can be used once.
    await this.recent.require(caller, fields);
    return request;
  }

  /**
   * Makes a token, and deletes tokens that expired more than 30 days ago. The text of the token is in the result only.
   * @param tables of a transaction that acts for the caller
   * @throws {Rejection} when the address of the caller is not confirmed, the session has ended, the practice is closed, the user
   *   has 100 tokens, or the user has no account here
   */
  async create(tables: EntityManager, caller: Identity, request: TokenRequest): Promise<NewToken> {
    const { userId, therapistId } = caller;
    await this.confirmed.require(tables, userId);
    const token = PERSONAL_TOKEN_MARK + randomToken();
    const id = randomUUID();
    const secret = { tokenHash: tokenHash(token), prefix: token.slice(0, SHOWN) };
    const expiresAt = Raw((column) => `${column} < now() - interval '30 days'`);
    // Sessions end before tokens are removed, so a new token does not outlive a new password or a recovery.
    await requireSession(tables, caller, { isKept: true });
    if (await tables.existsBy(PracticeHead, { therapistId, eraseAt: Not(IsNull()) }))
      refuse(problems.practiceClosed);
    const own = { userId, oauthClientId: IsNull() };
    await tables.delete(PersonalToken, { ...own, expiresAt });
    if ((await tables.countBy(PersonalToken, own)) >= MAX_TOKENS) refuse(problems.tooManyTokens);
    const createdAt = nowInMilliseconds;
    await tables
      .insert(PersonalToken, { userId, id, therapistId, ...request, ...secret, createdAt })
      // A user of another issuer has no account here for a token to belong to.
      .catch(refuseViolated({ personal_tokens_user_id_fkey: problems.userGone }));
    return { ...shown(await tables.findOneByOrFail(PersonalToken, { userId, id })), token };
  }

  /**
   * Returns whether the user had the token.
   * @param tables of a transaction that acts for the user
   */
  async remove(tables: EntityManager, userId: string, id: string): Promise<boolean> {
    const removed = await tables.delete(PersonalToken, { userId, id, oauthClientId: IsNull() });
    return removed.affected === 1;
  }

  /**
   * The token, or the grant of an OAuth client, with this hash; null when it does not exist. Records its use. The gateway checks its expiry.
   * @param address the network address that it is used from
   */
  present(hash: string, address: string): Promise<KnownPersonalToken | null> {
    return this.transactions.run({ presented: hash }, async (tables) => {
      const token = await tables.findOneBy(PersonalToken, { tokenHash: hash });
      if (token === null) return null;
      const { id, name, userId, therapistId, scopes, expiresAt, oauthClientId } = token;
      await actForMember(tables, token);
      if (isOtherUse(token, address)) {
        const use = { lastUsedAt: nowInMilliseconds, lastUsedAddress: address };
        await tables.update(PersonalToken, { userId, id }, use);
        if (oauthClientId !== null) {
          await tables.update(OauthGrantUse, { therapistId, id }, use);
          await this.noteFirstUse(tables, token, address);
        }
      }
      const standing = await standingIn(tables, token);
      if (standing === undefined) return null;
      // Without the required second factor, a member has no access with any token.
      if (standing.requiresMfa && !(await canPassSecondFactor(tables, userId))) return null;
      const { role: practiceRole } = standing;
      const known = { id, name, therapistId, userId, practiceRole, scopes, expiresAt: expiresAt.getTime() };
      if (oauthClientId === null) return { ...known, ask: 'above' };
      return { ...known, oauthClientId, ask: await askOf(tables, token) };
    });
  }

  /**
   * Records the first use of a grant from an address as a security event. It is stored in the background, so the caller does not wait for
   * the lock of the practice. The transaction acts for the member.
   */
  private async noteFirstUse(
    tables: EntityManager,
    { therapistId, id: tokenId, userId }: PersonalToken,
    address: string,
  ): Promise<void> {
    const use = { therapistId, userId, kind: 'oauth_grant_used', tokenId, address } as const;
    if (await tables.existsBy(SecurityEventRecord, use)) return;
    noteAlone(this.records, { ...use, by: { userId } }).catch((err: unknown) =>
      this.logger.error({ err }, 'the use of a grant was not recorded'),
    );
  }
}

/** When an assistant with this grant asks the person; `always` if the record of the grant is gone. The transaction acts for the member. */
async function askOf(
  tables: EntityManager,
  { therapistId, id }: Pick<PersonalToken, 'therapistId' | 'id'>,
): Promise<AskMode> {
  return (await tables.findOneBy(OauthGrantRecord, { therapistId, id }))?.ask ?? 'always';
}

/** A token as its owner sees it later. */
const shown = (token: PersonalToken) => ({
  id: token.id,
  therapist_id: token.therapistId,
  name: token.name,
  prefix: token.prefix,
  read_only: token.scopes?.every((scope) => !/:write|rpc:/.test(scope)) ?? false,
  scopes: token.scopes,
  expires_at: token.expiresAt,
  created_at: token.createdAt,
  last_used_at: token.lastUsedAt,
  last_used_address: token.lastUsedAddress,
});

export type ShownToken = ReturnType<typeof shown>;
type NewToken = ShownToken & { readonly token: string };

/** Whether a use must be recorded: from another address, or after `USE_PRECISION_MS`. */
const isOtherUse = ({ lastUsedAt, lastUsedAddress }: PersonalToken, address: string): boolean =>
  lastUsedAddress !== address || Date.now() - (lastUsedAt?.getTime() ?? 0) >= USE_PRECISION_MS;
