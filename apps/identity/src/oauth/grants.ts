// The access that a person gives to a client. People see the record in the log. The row among the personal tokens decides about the
// access, so everything that ends tokens ends grants too.

import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { grantKey, oauthGrants } from '@practice/contracts';
import { type AskMode, type Identity, isUuid, newId } from '@practice/core';
import { LOGGER, type Logger } from '@practice/process';
import { instant, newRecord } from '@practice/resource';
import { CrossTenantConnection } from '@practice/storage';
import { RecordTransactions } from '@practice/write';
import { type EntityManager, IsNull, Not } from 'typeorm';
import type { AccountCall } from '../calls/call.js';
import { problems, refuse } from '../calls/problems.js';
import { requireSession } from '../sessions/proven.js';
import { inFuture, nowInMilliseconds, statementOf, tablesOn, unbound } from '../store/database.js';
import { OauthGrantUse, OauthRegistration } from '../store/oauth.entities.js';
import { MembershipRecord, OauthGrantRecord } from '../store/record.entities.js';
import { RepeatedWork } from '../store/repeated-work.js';
import { tokenHash } from '../store/secrets.js';
import { noteCall } from '../store/security-events.js';
import { PersonalToken } from '../store/session.entities.js';
import { actForCaller, actForMember, Transactions } from '../store/transactions.js';
import { lacksFactor, type Member, type Standing, standingIn } from '../users/access.js';
import { addressOf, nameIn, userById } from '../users/users.js';
import { granting, revoking } from './oauth-rules.js';

/** The access that a person gives. */
export interface NewGrant {
  readonly therapistId: string;
  readonly client: { readonly id: string; readonly name: string };
  readonly scopes: readonly string[];
  readonly expiresAt: Date;
  readonly ask: AskMode;
}

/** The maximum number of grants of a person. */
const MAX_GRANTS = 100;
const MAX_NAME = 320;

type Caller = Pick<AccountCall, 'identity' | 'trace' | 'address'>;

@Injectable()
export class Grants {
  constructor(
    private readonly transactions: Transactions,
    private readonly records: RecordTransactions,
  ) {}

  /**
   * Stores a grant of the caller.
   * @returns its id, and when the caller signed in
   * @throws {Rejection} when the session or the membership has ended, the session lacks a second factor that the practice
   * requires, the practice is closed, the registration of the client has ended, or the person has 100 grants
   */
  create(caller: Caller, grant: NewGrant): Promise<{ id: string; signedInAt: Date }> {
    const { identity, trace, address } = caller;
    const { therapistId, client, scopes, expiresAt, ask } = grant;
    const { userId } = identity;
    const by = { ...identity, address };
    return this.records.run({ therapistId, ...trace, by }, async (transaction) => {
      const tables = tablesOn(transaction.client);
      if (transaction.eraseAt !== null) refuse(problems.practiceClosed);
      // It was checked before this lock: a membership that ends, or a required second factor, ends only the grants that exist.
      usable(await standingIn(tables, { userId, therapistId }), identity);
      await requireClient(tables, client.id);
      const person = await personIn(tables, { userId, therapistId });
      await actForCaller(tables, userId);
      const signedInAt = await keptSession(tables, identity);
      const ofClients = { userId, oauthClientId: Not(IsNull()) };
      if ((await tables.countBy(PersonalToken, ofClients)) >= MAX_GRANTS) refuse(problems.tooManyGrants);
      const id = newId();
      const holder = person ?? (await addressOf(tables, userId)) ?? '';
      const name = `${holder} via ${client.name}`.slice(0, MAX_NAME);
      await tables.insert(PersonalToken, {
        ...{ userId, id, therapistId, name, scopes, expiresAt, createdAt: nowInMilliseconds },
        ...{ tokenHash: tokenHash(grantKey(id)), prefix: '' },
        ...{ oauthClientId: client.id, oauthClientName: client.name },
      });
      await tables.insert(OauthGrantUse, { therapistId, id, expiresAt });
      const values = {
        ...{ client_id: client.id, client_name: client.name, user_id: userId, scopes: [...scopes], ask },
        expires_at: instant(expiresAt.getTime()),
      };
      const record = newRecord(oauthGrants, values, { therapistId, now: transaction.now, id: () => id });
      await transaction.createBy(granting, record);
      await noteCall(transaction, 'oauth_granted', { caller: { ...by, therapistId }, tokenId: id });
      return { id, signedInAt };
    });
  }

  /**
   * When a caller signed in.
   * @throws {Rejection} when the session has ended
   */
  signedInAt(identity: Identity): Promise<Date> {
    const { userId } = identity;
    return this.transactions.run({ userId }, (tables) => keptSession(tables, identity));
  }

  /** The open grants of a person, the newest first. */
  of(userId: string): Promise<PersonalToken[]> {
    return this.transactions.run({ userId }, (tables) =>
      tables.find(PersonalToken, {
        where: { userId, oauthClientId: Not(IsNull()), expiresAt: inFuture },
        order: { createdAt: 'DESC', id: 'ASC' },
      }),
    );
  }

  /** Whether a grant is open. */
  async isOpen(id: string): Promise<boolean> {
    const token = await this.tokenOf(id);
    return token !== null && token.expiresAt.getTime() > Date.now();
  }

  /** Ends a grant that the OAuth server revokes. Does nothing if the grant has ended. */
  async end(id: string): Promise<void> {
    const token = await this.tokenOf(id);
    if (token !== null) await this.endIn(token.therapistId, id);
  }

  /**
   * Deletes the record of a grant. The effect of the deletion ends the grant, see `GrantEffect`.
   * @param caller the person who revokes the grant; undefined if it ends for another reason
   */
  async endIn(therapistId: string, id: string, caller?: Caller): Promise<void> {
    const by = caller && { ...caller.identity, address: caller.address };
    const origin = by ? { ...caller.trace, by } : { requestId: randomUUID() };
    await this.records.run({ therapistId, ...origin }, async (transaction) => {
      const values = { expires_at: transaction.now };
      const isEnded = await transaction.changeBy(revoking, id, values);
      if (isEnded && by)
        await noteCall(transaction, 'oauth_grant_revoked', { caller: { ...by, therapistId }, tokenId: id });
    });
  }

  /** Ends the grants of a client in a practice. */
  async endOfClient(key: Pick<OauthGrantRecord, 'therapistId' | 'clientId'>): Promise<void> {
    const { therapistId } = key;
    const grants = await this.transactions.run({ therapistId }, (tables) =>
      tables.findBy(OauthGrantRecord, key),
    );
    for (const { id } of grants) await this.endIn(therapistId, id);
  }

  /** The claims about a person who has given this grant. The name is that of the member, or else that of the account. */
  async claims(userId: string, grantId = '') {
    const grant = await this.tokenOf(grantId);
    const member = grant && { userId, therapistId: grant.therapistId };
    return this.transactions.run({ userId }, async (tables) => {
      // Read first: the record of the account is in the practice that the person opened.
      const user = await userById(tables, userId);
      if (member) await actForMember(tables, member);
      const name = (member && (await personIn(tables, member))) ?? nameIn(user?.metadata ?? {});
      return { sub: userId, email: user?.email, name: name ?? undefined };
    });
  }

  private tokenOf(id: string): Promise<PersonalToken | null> {
    if (!isUuid(id)) return Promise.resolve(null);
    const hash = tokenHash(grantKey(id));
    return this.transactions.run({ presented: hash }, (tables) =>
      tables.findOneBy(PersonalToken, { tokenHash: hash }),
    );
  }
}

/**
 * The standing of a person who may give access to the practice with this session.
 * @throws {Rejection} for anybody else, and for a session without the second factor that the practice requires
 */
export function usable(standing: Standing | undefined, session: Pick<Identity, 'aal'>): Standing {
  if (standing === undefined || standing.isHeld) return refuse(problems.badTherapist);
  return lacksFactor(standing, session) ? refuse(problems.insufficientAal) : standing;
}

/** The end of a registration ends only the grants that exist. @throws {Rejection} 404 if a registered client is gone */
async function requireClient(tables: EntityManager, clientId: string): Promise<void> {
  const isGone = isUuid(clientId) && !(await tables.existsBy(OauthRegistration, { clientId }));
  if (isGone) refuse(problems.noSuchAuthorization);
}

/** The name of a member in a practice, if it has one. The transaction acts for the practice. */
async function personIn(tables: EntityManager, { userId, therapistId }: Member): Promise<string | undefined> {
  const member = await tables.findOneBy(MembershipRecord, { therapistId, userId, status: 'active' });
  return member?.displayName ?? undefined;
}

/** Locks the open session and returns when it began: sessions end before tokens, so no grant outlives a new password or a recovery. */
const keptSession = async (tables: EntityManager, identity: Identity): Promise<Date> =>
  (await requireSession(tables, identity, { isKept: true })).signedIn.at;

const EVERY_MS = 5_000;
const AT_ONCE = 100;

/** The grants that have ended without a revocation. */
export const endedGrants = statementOf(
  unbound
    .createQueryBuilder(OauthGrantUse, 'g')
    .select(['g.therapistId', 'g.id'])
    .where(
      `g.expires_at <= now() OR NOT EXISTS (SELECT FROM identity.personal_tokens AS t WHERE t.id = g.id)`,
    )
    .orderBy('random()')
    .limit(AT_ONCE),
);

/** Deletes the records of grants that ended without a revocation: they expired, or ended with a membership, a password or a client. */
@Injectable()
export class GrantSweep extends RepeatedWork {
  constructor(
    private readonly crossTenant: CrossTenantConnection,
    private readonly grants: Grants,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(EVERY_MS, 'the records of ended grants were not deleted', logger);
  }

  protected async work(): Promise<void> {
    const rows = await this.crossTenant.run(endedGrants);
    await this.forEach(rows, (therapistId, id) => this.grants.endIn(therapistId, id));
  }
}
