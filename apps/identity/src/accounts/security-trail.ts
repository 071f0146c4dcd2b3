import { Inject, Injectable } from '@nestjs/common';
import { type AccountRouteName, type SecurityEventKind, tooManyRequests } from '@practice/contracts';
import { type Identity, problemFor, Rejection } from '@practice/core';
import { type Counters, Throttle } from '@practice/limits';
import { LOGGER, type Logger } from '@practice/process';
import { RecordTransactions } from '@practice/write';
import { BoundedQueue } from '../calls/bounded-queue.js';
import { type AccountCall, type AccountReply, COUNTERS } from '../calls/call.js';
import { credentialsOf } from '../calls/fields.js';
import { problems } from '../calls/problems.js';
import { Credential } from '../store/account.entities.js';
import { noteAlone, noteCall, type Noted } from '../store/security-events.js';
import { actForUser, Transactions } from '../store/transactions.js';
import { accessOf } from '../users/access.js';

/** Calls of a signed-in user. */
const DONE: Partial<Record<AccountRouteName, SecurityEventKind>> = {
  signOut: 'signed_out',
  changeUser: 'account_changed',
  createToken: 'token_created',
  revokeToken: 'token_revoked',
  enrollFactor: 'factor_enrolled',
  unenrollFactor: 'factor_removed',
  verifyFactor: 'second_factor_passed',
  registerPasskey: 'passkey_registered',
  renamePasskey: 'passkey_renamed',
  removePasskey: 'passkey_removed',
};

/** Calls that begin a session. */
const BEGINS: readonly AccountRouteName[] = ['signUp', 'token', 'verify', 'followLink', 'signInWithPasskey'];

/** Refusals of a password. Any other refused sign-in is malformed, or could not be checked. */
const GUESSED = new Set([problems.invalidCredentials.code, tooManyRequests.code]);

/** The call is committed before its event, so the caller may not repeat it unchecked. */
const notRecorded = problemFor('PM504', {
  message: 'The request was carried out, but could not be recorded. Check its outcome before you repeat it.',
  hint: null,
});

const AN_HOUR = { name: 'recorded-refusals', points: 10, seconds: 3600 };

/**
 * Records the calls of the auth API that concern the means of access, before the caller gets the reply. Anyone can cause refused sign-ins
 * of accounts that exist, so only a few of an account are recorded in an hour, and few are recorded at the same time.
 */
@Injectable()
export class SecurityTrail {
  private readonly throttle: Throttle;
  private readonly queue = new BoundedQueue({ atOnce: 4, mayWait: 100 });

  constructor(
    private readonly records: RecordTransactions,
    private readonly transactions: Transactions,
    @Inject(COUNTERS) counters: Counters,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.throttle = new Throttle(counters, AN_HOUR);
  }

  /**
   * Carries out a call and records it. A reply whose event cannot be stored is not sent.
   * @throws {Rejection} PM504 in place of that reply; as the call is refused
   */
  async following(
    route: AccountRouteName,
    call: AccountCall,
    handle: () => Promise<AccountReply>,
  ): Promise<AccountReply> {
    const reply = await handle().catch((error: unknown) => {
      if (error instanceof Rejection) this.onRefusal(route, call, error);
      throw error;
    });
    const kind = DONE[route];
    const begun = BEGINS.includes(route) && !isRefresh(route, call) ? reply.signedIn : undefined;
    if (kind !== undefined) await this.recordCall(call, { kind, by: call.identity, reply });
    else if (begun !== undefined) await this.recordCall(call, { kind: 'signed_in', by: begun, reply });
    return reply;
  }

  private recordCall(
    { trace, address, id }: AccountCall,
    { kind, by, reply }: { kind: SecurityEventKind; by: Identity; reply: AccountReply },
  ): Promise<unknown> {
    const caller = { ...by, address };
    const tokenId = kind === 'token_created' ? (reply.body as { id: string }).id : id.toLowerCase();
    const token = kind.startsWith('token_') ? { tokenId } : {};
    const noted = this.records.run({ therapistId: by.therapistId, ...trace, by: caller }, (transaction) =>
      noteCall(transaction, kind, { caller, ...token }),
    );
    return noted.catch((err: unknown) => {
      const { userId, therapistId } = by;
      this.logger.error({ err, ...trace, kind, userId, therapistId }, 'a call was not recorded');
      throw new Rejection(notRecorded);
    });
  }

  /** Records a refusal in the background: the response time must not reveal whether an account exists. */
  private onRefusal(route: AccountRouteName, call: AccountCall, { problem }: Rejection): void {
    const isPassword = route === 'token' && call.parameters.get('grant_type') === 'password';
    const isGuess = isPassword && GUESSED.has(problem.code);
    const isCode = route === 'verifyFactor' && problem.code === 'mfa_verification_failed';
    if (!isGuess && !isCode) return;
    const recorded = isCode ? this.recordCode(call) : this.recordPassword(call);
    recorded.catch((err: unknown) => this.logger.error({ err }, 'a refused sign-in was not recorded'));
  }

  /** Records a wrong password, or a password for a locked account. */
  private async recordPassword(call: AccountCall): Promise<void> {
    const { email } = credentialsOf(call.fields());
    await this.few(email, async () => {
      const user = await this.userOf(email);
      if (user !== undefined) await this.record(call, { ...user, kind: 'sign_in_refused' });
    });
  }

  /** Records a wrong code of a second factor. */
  private async recordCode(call: AccountCall): Promise<void> {
    const { therapistId, userId, sessionId } = call.identity;
    const by = sessionId === undefined ? { userId } : { userId, sessionId };
    await this.few(userId, () =>
      this.record(call, { therapistId, userId, kind: 'second_factor_refused', by }),
    );
  }

  private async few(key: string, work: () => Promise<unknown>): Promise<void> {
    if ((await this.throttle.take(key)) === 0) await this.queue.run('', work);
  }

  /** The user of an address, and the practice in which the next sign-in would begin. */
  private userOf(email: string): Promise<{ userId: string; therapistId: string } | undefined> {
    return this.transactions.run({ presented: email }, async (tables) => {
      const credential = await tables.findOneBy(Credential, { email });
      if (credential === null) return undefined;
      const { userId, therapistId: preferred } = credential;
      await actForUser(tables, userId);
      const access = await accessOf(tables, userId, preferred);
      return access && { userId, therapistId: access.therapistId };
    });
  }

  private record({ trace, address }: AccountCall, event: Noted): Promise<unknown> {
    return noteAlone(this.records, { ...event, address }, trace);
  }
}

const isRefresh = (route: AccountRouteName, { parameters }: AccountCall): boolean =>
  route === 'token' && parameters.get('grant_type') === 'refresh_token';
