// Personal access tokens: made by a user for its scripts. The hash of each is stored, and its first characters, by which the
// owner recognizes it.

import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CommandHandler, QueryHandler } from '@nestjs/cqrs';
import { isScope, type KnownPersonalToken, PERSONAL_TOKEN_MARK, scopesBeyond } from '@practice/contracts';
import type { Identity } from '@practice/core';
import { DatabaseError } from 'pg';
import { IsNull, Not, Raw } from 'typeorm';
import { AccountCommand, type AccountHandler, AccountQuery } from '../calls/call.js';
import { type Fields, isUuid } from '../calls/fields.js';
import { problems, refuse } from '../calls/problems.js';
import { GatewayAnnouncements } from '../notices/announcements.js';
import { openSession } from '../sessions/proven.js';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { nowInMilliseconds } from '../store/database.js';
import { PracticeHead } from '../store/record.entities.js';
import { randomToken, tokenHash } from '../store/secrets.js';
import { PersonalToken } from '../store/session.entities.js';
import { actForMember, Transactions } from '../store/transactions.js';
import { standingIn } from '../users/access.js';
import { ConfirmedAddress, canPassSecondFactor } from '../users/users.js';
import { GrantUses } from './grant-uses.js';

/** A request for a new token. */
type TokenRequest = Pick<PersonalToken, 'name' | 'expiresAt' | 'scopes'>;

/** Tokens of one user at most. */
const MAX_TOKENS = 100;
/** 48 bits are shown; 208 stay secret. */
const SHOWN = PERSONAL_TOKEN_MARK.length + 8;
/** The precision of a token's last use: gateways keep a verified token that long before they ask again. */
const USE_PRECISION_MS = 5 * 60_000;

@Injectable()
export class PersonalTokens {
  constructor(
    private readonly transactions: Transactions,
    private readonly uses: GrantUses,
  ) {}

  /** The tokens of a user, the newest first. */
  async list(userId: string): Promise<object[]> {
    const order = { createdAt: 'DESC', id: 'ASC' } as const;
    const stored = await this.transactions.run({ userId }, (tables) =>
      tables.find(PersonalToken, { where: { userId, oauthClientId: IsNull() }, order }),
    );
    return stored.map(shown);
  }

  /**
   * Makes a token, and deletes tokens that expired more than 30 days ago. The text of the token is in the result only.
   * @throws {Rejection} when the session has ended, the practice is closed, the user has 100 tokens, or the user has no account here
   */
  async create({ userId, therapistId, sessionId }: Identity, request: TokenRequest): Promise<object> {
    if (sessionId === undefined) return refuse(problems.sessionGone);
    const token = PERSONAL_TOKEN_MARK + randomToken();
    const id = randomUUID();
    const secret = { tokenHash: tokenHash(token), prefix: token.slice(0, SHOWN) };
    const expiresAt = Raw((column) => `${column} < now() - interval '30 days'`);
    const created = await this.transactions
      .run({ userId, therapistId }, async (tables) => {
        // Sessions end before tokens are removed, so a new token does not outlive a new password or a recovery.
        if ((await openSession(tables, { userId, sessionId }, { isKept: true })) === undefined)
          refuse(problems.sessionGone);
        if (await tables.existsBy(PracticeHead, { therapistId, eraseAt: Not(IsNull()) }))
          refuse(problems.practiceClosed);
        const own = { userId, oauthClientId: IsNull() };
        await tables.delete(PersonalToken, { ...own, expiresAt });
        if ((await tables.countBy(PersonalToken, own)) >= MAX_TOKENS) refuse(problems.tooManyTokens);
        const createdAt = nowInMilliseconds;
        await tables.insert(PersonalToken, { userId, id, therapistId, ...request, ...secret, createdAt });
        return tables.findOneByOrFail(PersonalToken, { userId, id });
      })
      .catch(refuseForeignUser);
    return { ...shown(created), token };
  }

  /** Returns whether the user had the token. */
  async remove(userId: string, id: string): Promise<boolean> {
    const removed = this.transactions.run({ userId }, (tables) =>
      tables.delete(PersonalToken, { userId, id, oauthClientId: IsNull() }),
    );
    return (await removed).affected === 1;
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
        if (oauthClientId !== null) await this.uses.keep(tables, token, address);
        await tables.update(
          PersonalToken,
          { userId, id },
          { lastUsedAt: nowInMilliseconds, lastUsedAddress: address },
        );
      }
      const standing = await standingIn(tables, token);
      if (standing === undefined) return null;
      // A member without a second factor has no access, whatever the token is.
      if (standing.requiresMfa && !(await canPassSecondFactor(tables, userId))) return null;
      const { role: practiceRole } = standing;
      const known = { id, name, therapistId, userId, practiceRole, scopes, expiresAt: expiresAt.getTime() };
      return oauthClientId === null ? known : { ...known, oauthClientId };
    });
  }
}

/** A token as its owner sees it later. */
const shown = (token: PersonalToken): object => ({
  id: token.id,
  /** The practice that it acts in. */
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

/** The address of the last use is always right; its time has a precision. */
const isOtherUse = ({ lastUsedAt, lastUsedAddress }: PersonalToken, address: string): boolean =>
  lastUsedAddress !== address || Date.now() - (lastUsedAt?.getTime() ?? 0) >= USE_PRECISION_MS;

/** A user of another issuer has no account here that a token could belong to. */
function refuseForeignUser(error: unknown): never {
  if (error instanceof DatabaseError && error.code === '23503') refuse(problems.userGone);
  throw error;
}

const MAX_NAME = 100;
const MAX_SCOPES = 100;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/;
const DAY_MS = 86_400_000;
const [DEFAULT_DAYS, MAX_DAYS] = [90, 365];

/**
 * The token that a body asks for. A token ends after 90 days, unless the body says otherwise.
 * @throws {Rejection} when a member of the body is malformed
 */
export function tokenRequestOf(fields: Fields, now: number): TokenRequest {
  const { name, expires_at: expiresAt = null, read_only: isReadOnly, scopes } = fields;
  return {
    name: nameOf(name),
    expiresAt: expiryOf(expiresAt, now),
    scopes: isOn(isReadOnly)
      ? scopes == null
        ? ['*:read']
        : refuse(problems.scopesAndReadOnly)
      : scopesOf(scopes),
  };
}

function nameOf(name: unknown): string {
  const text = typeof name === 'string' ? name.trim() : '';
  // No control characters, as names are shown in lists and Postgres stores no NUL; no half surrogate pairs.
  const isName = text !== '' && text.length <= MAX_NAME && !/[\p{Cc}\p{Cs}]/u.test(text);
  return isName ? text : refuse(problems.badTokenName);
}

const isOn = (value: unknown): boolean =>
  value == null || typeof value === 'boolean' ? value === true : refuse(problems.badReadOnly);

/** Null: everything that the user may do. */
function scopesOf(value: unknown): readonly string[] | null {
  if (value == null) return null;
  const isList = Array.isArray(value) && value.length > 0 && value.length <= MAX_SCOPES;
  return isList && value.every(isScope) ? [...new Set<string>(value)].sort() : refuse(problems.badScopes);
}

/**
 * When a token or grant ends: after 90 days, or at the time that the caller names, within a year.
 * @throws {Rejection} for another value
 */
export function expiryOf(value: unknown, now: number): Date {
  if (value === null) return new Date(now + DEFAULT_DAYS * DAY_MS);
  const time = typeof value === 'string' && INSTANT.test(value) && isDay(value) ? Date.parse(value) : NaN;
  return time > now && time <= now + MAX_DAYS * DAY_MS ? new Date(time) : refuse(problems.badExpiry);
}

/** JavaScript reads the 30th of February as the 2nd of March. */
function isDay(instant: string): boolean {
  const day = instant.slice(0, 10);
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

// The user's personal access tokens. Only sessions manage them; a personal token cannot.

export class ListTokens extends AccountQuery {}

@QueryHandler(ListTokens)
export class ListTokensHandler implements AccountHandler<ListTokens> {
  constructor(private readonly tokens: PersonalTokens) {}

  async execute({ call: { identity } }: ListTokens) {
    return { body: await this.tokens.list(identity.userId) };
  }
}

export class CreateToken extends AccountCommand {}

@CommandHandler(CreateToken)
export class CreateTokenHandler implements AccountHandler<CreateToken> {
  constructor(
    private readonly tokens: PersonalTokens,
    private readonly recent: RecentSignIn,
    private readonly confirmed: ConfirmedAddress,
    private readonly transactions: Transactions,
  ) {}

  async execute({ call }: CreateToken) {
    const fields = call.fields();
    const { userId, practiceRole } = call.identity;
    const request = tokenRequestOf(fields, Date.now());
    await this.recent.require(call, fields);
    await this.transactions.run({ userId }, (tables) => this.confirmed.require(tables, userId));
    const beyond = scopesBeyond(practiceRole, request.scopes ?? []);
    if (beyond.length > 0) refuse(problems.scopesBeyondRole(practiceRole, beyond));
    return { status: 201, body: await this.tokens.create(call.identity, request) };
  }
}

export class RevokeToken extends AccountCommand {}

@CommandHandler(RevokeToken)
export class RevokeTokenHandler implements AccountHandler<RevokeToken> {
  constructor(
    private readonly tokens: PersonalTokens,
    private readonly gateways: GatewayAnnouncements,
  ) {}

  /** @throws {Rejection} when the token does not exist */
  async execute({ call: { identity, id } }: RevokeToken) {
    if (!isUuid(id) || !(await this.tokens.remove(identity.userId, id))) refuse(problems.noSuchToken);
    await this.gateways.personalTokenRevoked(id.toLowerCase());
    return { status: 204 };
  }
}
