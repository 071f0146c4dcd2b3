import { Inject, Injectable } from '@nestjs/common';
import type { AccountCall } from '../calls/call.js';
import { problems, refuse } from '../calls/problems.js';
import { IDENTITY_CONFIG, type IdentityConfig } from '../identity.config.js';
import { Transactions } from '../store/transactions.js';
import { nonceHash, useToken } from '../users/mailed-tokens.js';
import { noteConfirmed, userById } from '../users/users.js';
import { type Attempt, PasswordCheck } from './password-check.js';
import { requireSession } from './proven.js';

/** A caller with the network address of the call. */
export type Caller = Pick<AccountCall, 'identity' | 'address'>;

/** The proof that a body may contain. */
interface Proof {
  readonly current_password?: unknown;
  readonly nonce?: unknown;
}

/** Requires a proof that the caller is the owner of the account: a stolen access token must not suffice for changes of it. */
@Injectable()
export class RecentSignIn {
  constructor(
    private readonly transactions: Transactions,
    private readonly check: PasswordCheck,
    @Inject(IDENTITY_CONFIG) private readonly config: Pick<IdentityConfig, 'sessions'>,
  ) {}

  /**
   * Passes with the right `current_password` or `nonce` in the body, otherwise with a sign-in in the last minutes.
   * @throws {Rejection} when a proof is wrong, which counts as a failed sign-in, or 403 `reauthentication_needed`
   */
  async require(caller: Caller, proof: Proof = {}): Promise<void> {
    if (await this.isProven(caller, proof)) return;
    const { identity } = caller;
    const { signedIn, secondFactor } = await this.transactions.run({ userId: identity.userId }, (tables) =>
      requireSession(tables, identity),
    );
    const latest = Math.max(signedIn.at.getTime(), secondFactor?.at.getTime() ?? 0);
    if (Date.now() - latest > this.config.sessions.recentSeconds * 1000)
      refuse(problems.reauthenticationNeeded);
  }

  /**
   * Checks the proofs in the body. Returns whether there was a proof.
   * @throws {Rejection} when a proof is wrong
   */
  async isProven({ identity, address }: Caller, proof: Proof): Promise<boolean> {
    const password = proof.current_password ?? undefined;
    const nonce = proof.nonce === '' ? undefined : (proof.nonce ?? undefined);
    if (password === undefined && nonce === undefined) return false;
    const { userId, sessionId } = identity;
    const user = await this.transactions.run({ userId }, (tables) => userById(tables, userId));
    const attempt = { email: (user ?? refuse(problems.userGone)).email, address, countedBy: sessionId };
    if (password !== undefined) await this.checkPassword(attempt, password);
    if (nonce !== undefined) {
      // A nonce is short, so the guesses of all sessions of the user count together.
      const guess = { ...attempt, countedBy: userId };
      const isUsed = await this.check.guarded(guess, () => this.useNonce(userId, nonce));
      if (!isUsed) refuse(problems.wrongNonce);
    }
    return true;
  }

  private async checkPassword(attempt: Attempt, password: unknown): Promise<void> {
    if (!(await this.check.isRight(attempt, password))) refuse(problems.wrongCurrentPassword);
  }

  private async useNonce(userId: string, nonce: unknown): Promise<boolean> {
    const hash = typeof nonce === 'string' ? nonceHash(userId, nonce) : '';
    return this.transactions.run({ userId }, async (tables) => {
      const used = await useToken(tables, hash, 'reauthentication');
      // The nonce was mailed, so this session's user has access to the mailbox of the address.
      if (used !== undefined) await noteConfirmed(tables, userId);
      return used !== undefined;
    });
  }
}
