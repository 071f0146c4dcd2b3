import { CommandHandler } from '@nestjs/cqrs';
import { RecordTransactions } from '@practice/write';
import type { EntityManager } from 'typeorm';
import { type AccountCall, AccountCommand, type AccountHandler } from '../calls/call.js';
import { problems, refuse } from '../calls/problems.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { passkeyCopiedMail } from '../notices/templates.js';
import { SessionIssue } from '../sessions/session-issue.js';
import { type Granted, Sessions } from '../sessions/sessions.js';
import { nowInMilliseconds } from '../store/database.js';
import { Passkey } from '../store/passkey.entities.js';
import { noteAlone } from '../store/security-events.js';
import { actForUser, Transactions } from '../store/transactions.js';
import { accessOf } from '../users/access.js';
import { type User, userById } from '../users/users.js';
import { type Answer, answerOf } from './answer.js';
import { PasskeyChallenges } from './challenges.js';
import { isCounterBehind, RelyingParty } from './relying-party.js';

/** Opens a challenge for any passkey. The caller names no user, so the reply is the same for everyone. */
export class PasskeySignInOptions extends AccountCommand {}

@CommandHandler(PasskeySignInOptions)
export class PasskeySignInOptionsHandler implements AccountHandler<PasskeySignInOptions> {
  constructor(
    private readonly challenges: PasskeyChallenges,
    private readonly relyingParty: RelyingParty,
  ) {}

  async execute() {
    return { body: await this.challenges.open(await this.relyingParty.signInOptions()) };
  }
}

/** A passkey whose counter went back: another device may have a copy of its key. */
interface Copied {
  readonly user: User;
  /** The practice in which the session would have begun. */
  readonly therapistId: string | undefined;
}

/** Signs in with a passkey. The session is at `aal2`, because the authenticator has verified its user. */
export class SignInWithPasskey extends AccountCommand {}

@CommandHandler(SignInWithPasskey)
export class SignInWithPasskeyHandler implements AccountHandler<SignInWithPasskey> {
  constructor(
    private readonly transactions: Transactions,
    private readonly records: RecordTransactions,
    private readonly challenges: PasskeyChallenges,
    private readonly relyingParty: RelyingParty,
    private readonly sessions: Sessions,
    private readonly issue: SessionIssue,
    private readonly mail: OutgoingMail,
  ) {}

  /** @throws {Rejection} the same one for an unknown passkey and for a wrong signature */
  async execute({ call }: SignInWithPasskey) {
    const { challengeId, answer } = answerOf(call.fields());
    const challenge = await this.challenges.use(challengeId);
    const outcome = await this.transactions.run({ presented: answer.id }, (tables) =>
      this.check(tables, { answer, challenge, address: call.address }),
    );
    if ('session' in outcome) return this.issue.reply(outcome, call);
    await this.noteCopy(outcome, call);
    return refuse(problems.passkeyRefused);
  }

  private async check(
    tables: EntityManager,
    given: { readonly answer: Answer; readonly challenge: string; readonly address: string },
  ): Promise<Granted | Copied> {
    const { answer, challenge, address } = given;
    // Locked until the counter is stored: the second of two answers with one counter sees that the counter was used.
    const lock = { mode: 'pessimistic_write' } as const;
    const found = await tables.findOne(Passkey, { where: { credentialId: answer.id }, lock });
    const passkey = found ?? refuse(problems.passkeyRefused);
    const counter = await this.relyingParty.signedCounter(answer, challenge, passkey);
    const { userId, id } = passkey;
    await actForUser(tables, userId);
    if (isCounterBehind(counter, passkey.counter)) {
      const user = (await userById(tables, userId)) ?? refuse(problems.userGone);
      return { user, therapistId: (await accessOf(tables, userId, user.practiceId))?.therapistId };
    }
    const used = { counter: String(counter), lastUsedAt: nowInMilliseconds };
    await tables.update(Passkey, { userId, id }, used);
    return this.sessions.grant(tables, { userId, address, method: 'passkey' });
  }

  private async noteCopy({ user, therapistId }: Copied, { trace, address }: AccountCall): Promise<void> {
    const noted = { kind: 'passkey_counter_refused', userId: user.id, address } as const;
    if (therapistId !== undefined) await noteAlone(this.records, { therapistId, ...noted }, trace);
    this.mail.sendLater(passkeyCopiedMail(user.email));
  }
}
