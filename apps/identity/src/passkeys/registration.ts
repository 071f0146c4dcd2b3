import { randomUUID } from 'node:crypto';
import { CommandHandler } from '@nestjs/cqrs';
import type { Identity } from '@practice/core';
import type { EntityManager } from 'typeorm';
import { AccountCommand, type AccountHandler } from '../calls/call.js';
import { problems, refuse, refuseViolated } from '../calls/problems.js';
import { requireHighestLevel } from '../factors/factors.js';
import { OutgoingMail } from '../notices/outgoing-mail.js';
import { passkeyAddedMail } from '../notices/templates.js';
import { RecentSignIn } from '../sessions/recent-sign-in.js';
import { Credential } from '../store/account.entities.js';
import { Passkey } from '../store/passkey.entities.js';
import { Transactions } from '../store/transactions.js';
import { answerOf } from './answer.js';
import { PasskeyChallenges } from './challenges.js';
import { shownPasskey } from './manage.js';
import { RelyingParty } from './relying-party.js';

/** The maximum number of passkeys of a user. */
const MAX_PASSKEYS = 10;

/** The account, locked so that registrations at the same time do not exceed the maximum, and its passkeys. */
async function admitted(tables: EntityManager, identity: Identity) {
  const { userId } = identity;
  await requireHighestLevel(tables, identity);
  const lock = { mode: 'pessimistic_write' } as const;
  const account = await tables.findOne(Credential, { where: { userId }, lock });
  const { email } = account ?? refuse(problems.userGone);
  const passkeys = await tables.findBy(Passkey, { userId });
  if (passkeys.length >= MAX_PASSKEYS) refuse(problems.tooManyPasskeys);
  return { email, passkeys };
}

/** Opens a challenge with which the browser makes a passkey. */
export class PasskeyRegistrationOptions extends AccountCommand {}

@CommandHandler(PasskeyRegistrationOptions)
export class PasskeyRegistrationOptionsHandler implements AccountHandler<PasskeyRegistrationOptions> {
  constructor(
    private readonly transactions: Transactions,
    private readonly recent: RecentSignIn,
    private readonly challenges: PasskeyChallenges,
    private readonly relyingParty: RelyingParty,
  ) {}

  async execute({ call }: PasskeyRegistrationOptions) {
    const { identity } = call;
    const { userId } = identity;
    await this.recent.require(call, call.fields());
    const { email, passkeys } = await this.transactions.run({ userId }, (tables) =>
      admitted(tables, identity),
    );
    const options = await this.relyingParty.registrationOptions({ id: userId, email }, passkeys);
    return { body: await this.challenges.open(options, userId) };
  }
}

/** Adds the passkey that the browser has made. From then on, both the passkey and the password sign in. */
export class RegisterPasskey extends AccountCommand {}

@CommandHandler(RegisterPasskey)
export class RegisterPasskeyHandler implements AccountHandler<RegisterPasskey> {
  constructor(
    private readonly transactions: Transactions,
    private readonly challenges: PasskeyChallenges,
    private readonly relyingParty: RelyingParty,
    private readonly mail: OutgoingMail,
  ) {}

  async execute({ call: { identity, fields } }: RegisterPasskey) {
    const { userId } = identity;
    const { challengeId, answer } = answerOf(fields());
    const challenge = await this.challenges.use(challengeId, userId);
    const made = await this.relyingParty.madePasskey(answer, challenge);
    const { email, passkey } = await this.transactions
      .run({ userId }, async (tables) => {
        const account = await admitted(tables, identity);
        const id = randomUUID();
        await tables.insert(Passkey, { ...made, userId, id, createdAt: () => 'now()' });
        return { email: account.email, passkey: await tables.findOneByOrFail(Passkey, { userId, id }) };
      })
      .catch(refuseViolated({ passkeys_credential_key: problems.passkeyExists }));
    this.mail.sendLater(passkeyAddedMail(email));
    return { body: shownPasskey(passkey) };
  }
}
