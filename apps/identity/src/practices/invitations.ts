// The tokens of invitations. A token is mailed to the invited address and valid once, for seven days. Only hashes are stored.

import { Inject, Injectable } from '@nestjs/common';
import { acceptInvitation } from '@practice/contracts';
import { isPracticeRole, problemFor, reject } from '@practice/core';
import type { Identity, PracticeRole } from '@practice/core';
import { type Counters, Throttle } from '@practice/limits';
import type { Statement } from '@practice/log';
import { LOGGER, type Logger } from '@practice/process';
import type { ArgumentsOf } from '@practice/resource';
import { Handles, requireOpen } from '@practice/write';
import type { FunctionCall, FunctionHandler, RecordTransaction, WritingCall } from '@practice/write';
import type { EntityManager } from 'typeorm';
import { COUNTERS } from '../calls/call.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { SiteLinks } from '../notices/site-links.js';
import { invitationMail } from '../notices/templates.js';
import { inFuture, inserting, statementOf, tablesOn, unbound } from '../store/database.js';
import { Invitation } from '../store/practice.entities.js';
import { MembershipRecord } from '../store/record.entities.js';
import { tokenHash } from '../store/secrets.js';
import { noteCall } from '../store/security-events.js';
import { actForCaller, Transactions } from '../store/transactions.js';
import { nameOf } from '../users/access.js';
import { addressOf, ConfirmedAddress } from '../users/users.js';
import { joining } from './membership.js';

/** Stores the token of an invitation, in place of an earlier token. The transaction acts for the practice. */
export const keepInvitation = (
  key: Pick<Invitation, 'therapistId' | 'membershipId'>,
  tokenHash: string,
): Statement =>
  statementOf(
    inserting(unbound, Invitation, {
      ...key,
      tokenHash,
      expiresAt: () => `now() + interval '7 days'`,
    }).orUpdate(['token_hash', 'expires_at'], ['therapist_id', 'membership_id']),
  );

/** The open invitation behind a hash that the transaction's caller has presented. */
export const invitationByHash = (tables: EntityManager, tokenHash: string): Promise<Invitation | null> =>
  tables.findOneBy(Invitation, { tokenHash, expiresAt: inFuture });

/** The practice of the open invitation behind a hash, to be locked before the person joins it. */
export async function practicesInviting(
  transactions: Transactions,
  userId: string,
  hash: string,
): Promise<readonly string[]> {
  const invitation = await transactions.run({ userId, presented: hash }, (tables) =>
    invitationByHash(tables, hash),
  );
  return invitation === null ? [] : [invitation.therapistId];
}

/** Makes the signed-in person a member of the practice that has invited the person's address. */
@Handles(acceptInvitation)
export class AcceptInvitation implements FunctionHandler<typeof acceptInvitation> {
  constructor(
    private readonly confirmed: ConfirmedAddress,
    private readonly transactions: Transactions,
  ) {}

  otherPractices(
    { token }: ArgumentsOf<typeof acceptInvitation>,
    { caller: { userId } }: FunctionCall,
  ): Promise<readonly string[]> {
    return practicesInviting(this.transactions, userId, tokenHash(token));
  }

  /** @throws {Rejection} PM013 for a token that is not valid, 42501 when the invitation is for another address,
   *    `email_not_confirmed` when it is not confirmed, PM017 when the practice is closed */
  async call({ token }: ArgumentsOf<typeof acceptInvitation>, call: WritingCall) {
    const { transaction, caller } = call;
    const tables = tablesOn(transaction.client);
    const { userId } = caller;
    await actForCaller(tables, userId, tokenHash(token));
    const invitation = (await invitationByHash(tables, tokenHash(token))) ?? reject(notValid);
    await this.confirmed.require(tables, userId);
    const email = await addressOf(tables, userId);
    return joinInvited(transaction, { invitation, userId, email, from: caller });
  }
}

interface Joining {
  readonly invitation: Invitation;
  readonly userId: string;
  /** The address of the account. */
  readonly email: string | undefined;
}

/**
 * Makes an invited person a member.
 * @param transaction has locked the practice, see `practicesInviting`
 * @param joining.from the session and the network address of the request, for the security event
 * @throws {Rejection} PM013, 42501 when the invitation is for another address, PM017 when the practice is closed
 */
export function joinInvited(
  transaction: RecordTransaction,
  { from, ...joining }: Joining & { readonly from: Pick<Identity, 'sessionId' | 'address'> },
): Promise<{ therapist_id: string; role: PracticeRole }> {
  const { therapistId } = joining.invitation;
  const { userId } = joining;
  return transaction.within(therapistId, async (there) => {
    requireOpen(there);
    const joined = await join(there, joining);
    await noteCall(there, 'invitation_accepted', {
      caller: { ...from, userId, therapistId, practiceRole: joined.role },
    });
    return joined;
  });
}

async function join(transaction: RecordTransaction, { invitation, userId, email: address }: Joining) {
  const { therapistId, membershipId } = invitation;
  // Checked again under the lock of the practice: the invitation may have been accepted or deleted meanwhile.
  const tables = tablesOn(transaction.client);
  const invited = await tables.findOneBy(MembershipRecord, { therapistId, id: membershipId });
  if (invited === null || !(await tables.existsBy(Invitation, { therapistId, membershipId })))
    return reject(notValid);
  const { email, role } = invited;
  if (email !== address) reject(otherAddress);
  if (await tables.existsBy(MembershipRecord, { therapistId, userId, status: 'active' }))
    reject(alreadyMember);
  const joined = { status: 'active', user_id: userId, joined_at: transaction.now };
  await transaction.changeBy(joining, membershipId, joined);
  return { therapist_id: therapistId, role: isPracticeRole(role) ? role : reject(notValid) };
}

export const notValid = problemFor('PM013');

const otherAddress = problemFor('42501', {
  message: 'the invitation is for another address',
  hint: 'Sign in with the account of the address that got the mail, or sign up with that address.',
});

const alreadyMember = problemFor('23505', { message: 'you are already a member of this practice' });

interface SentInvitation {
  readonly therapistId: string;
  readonly email: string;
  readonly role: string;
  readonly token: string;
  /** The person who invites. */
  readonly by: string;
}

const DAY_SECONDS = 86_400;
/** The maximum number of mails of a practice in a day, so that invitations cannot be misused to send mail to many people. */
const A_DAY = { name: 'invitations', points: 200, seconds: DAY_SECONDS };
/** The maximum numbers to one address in a day, from one practice and from all: owners can delete and repeat an invitation. */
const TO_ONE = { name: 'invitations-to-one', points: 5, seconds: DAY_SECONDS };
const TO_ADDRESS = { name: 'invitations-to-address', points: 20, seconds: DAY_SECONDS };

/**
 * Mails invitations. Addresses with an account and addresses without one get the same mail, so an invitation does not reveal
 * whether there is an account.
 */
@Injectable()
export class InvitationMail {
  private readonly throttles: readonly (readonly [Throttle, (sent: SentInvitation) => string])[];

  constructor(
    private readonly mail: OutgoingMail,
    private readonly links: SiteLinks,
    private readonly transactions: Transactions,
    @Inject(COUNTERS) counters: Counters,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.throttles = [
      [new Throttle(counters, TO_ONE), ({ therapistId, email }) => `${therapistId} ${email}`],
      [new Throttle(counters, TO_ADDRESS), ({ email }) => email],
      [new Throttle(counters, A_DAY), ({ therapistId }) => therapistId],
    ];
  }

  send(sent: SentInvitation): void {
    const { therapistId, email, role, token } = sent;
    this.mail.sendLater(async () => {
      for (const [throttle, keyOf] of this.throttles) {
        if ((await throttle.take(keyOf(sent))) === 0) continue;
        this.logger.warn({ therapistId }, 'an invitation was not mailed: too many were sent today');
        return undefined;
      }
      return invitationMail(email, {
        link: this.links.invitation(token),
        role,
        ...(await this.namesOf(sent)),
      });
    });
  }

  private namesOf({ therapistId, by: userId }: SentInvitation) {
    return this.transactions.run({ userId, therapistId }, async (tables) => ({
      practice: (await nameOf(tables, therapistId)) ?? '',
      inviter: (await addressOf(tables, userId)) ?? 'An owner',
    }));
  }
}
