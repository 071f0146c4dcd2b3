import { Inject, Injectable } from '@nestjs/common';
import type { AccountRouteName, SecurityEventKind } from '@practice/contracts';
import { Rejection } from '@practice/core';
import type { Identity } from '@practice/core';
import { LOGGER } from '@practice/process';
import type { Logger } from '@practice/process';
import { RecordTransactions } from '@practice/write';
import type { AccountCall, AccountReply } from '../calls/call.js';
import { invalidCredentials, tooManyRequests } from '../calls/problems.js';
import { issuedIn } from './issued-session.js';
import { RefusedSignIns } from './refused-sign-ins.js';
import { note } from '../store/security-events.js';

type Kinds = Partial<Record<AccountRouteName, SecurityEventKind>>;

/** Calls of a signed-in user. */
const DONE: Kinds = {
  signOut: 'signed_out',
  changeUser: 'account_changed',
  createToken: 'token_created',
  revokeToken: 'token_revoked',
  enrollFactor: 'factor_enrolled',
  unenrollFactor: 'factor_removed',
  verifyFactor: 'second_factor_passed',
};

/** Calls that begin a session. */
const BEGINS: readonly AccountRouteName[] = ['signUp', 'token', 'verify', 'followLink'];

/** Refusals of a password. Any other refused sign-in is malformed, or could not be checked. */
const GUESSED = new Set([invalidCredentials.code, tooManyRequests.code]);

/** Records the calls of the auth API that concern the means of access, before the caller gets the reply. */
@Injectable()
export class SecurityTrail {
  constructor(
    private readonly records: RecordTransactions,
    private readonly refused: RefusedSignIns,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Carries out a call and records it. A reply whose event cannot be stored is not sent. */
  async following(
    route: AccountRouteName,
    call: AccountCall,
    handle: () => AccountReply | Promise<AccountReply>,
  ): Promise<AccountReply> {
    const reply = await refusedTo(handle, (refusal) => this.onRefusal(route, call, refusal));
    const kind = DONE[route];
    const begun = BEGINS.includes(route) && !isRefresh(route, call) ? issuedIn(reply) : undefined;
    if (kind !== undefined) await this.record(call, { kind, by: call.identity, reply });
    else if (begun !== undefined) await this.record(call, { kind: 'signed_in', by: begun, reply });
    return reply;
  }

  private record(
    { trace, address, id }: AccountCall,
    { kind, by, reply }: { kind: SecurityEventKind; by: Identity; reply: AccountReply },
  ): Promise<unknown> {
    const { therapistId, userId } = by;
    const tokenId = kind === 'token_created' ? (reply.body as { id: string }).id : id.toLowerCase();
    const token = kind.startsWith('token_') ? { tokenId } : {};
    return this.records.run({ therapistId, ...trace, by: { ...by, address } }, (transaction) =>
      note(transaction, { therapistId, kind, userId, by, address, ...token }),
    );
  }

  /** In the background: the time must not reveal whether an account exists. */
  private onRefusal(route: AccountRouteName, call: AccountCall, { problem }: Rejection): void {
    const isPassword = route === 'token' && call.parameters.get('grant_type') === 'password';
    const isGuess = isPassword && GUESSED.has(problem.code);
    const isCode = route === 'verifyFactor' && problem.code === 'mfa_verification_failed';
    if (!isGuess && !isCode) return;
    const recorded = isCode ? this.refused.code(call) : this.refused.signIn(call);
    recorded.catch((err: unknown) => this.logger.error({ err }, 'a refused sign-in was not recorded'));
  }
}

const isRefresh = (route: AccountRouteName, { parameters }: AccountCall): boolean =>
  route === 'token' && parameters.get('grant_type') === 'refresh_token';

async function refusedTo(
  handle: () => AccountReply | Promise<AccountReply>,
  onRefusal: (refusal: Rejection) => void,
): Promise<AccountReply> {
  try {
    return await handle();
  } catch (error) {
    if (error instanceof Rejection) onRefusal(error);
    throw error;
  }
}
