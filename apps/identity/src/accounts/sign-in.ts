import { CommandHandler } from '@nestjs/cqrs';
import type { EndedSession } from '@practice/contracts';
import type { EntityManager } from 'typeorm';
import { selectRefreshToken, useRefreshToken } from '../store/raw-sql.js';
import { AccountCommand, type AccountHandler } from '../calls/call.js';
import { credentialsOf, isText, refreshTokenOf } from '../calls/fields.js';
import { type AuthProblem, problems, refuse } from '../calls/problems.js';
import { endArchives } from '../exports/archives.js';
import { type EndedAccess, GatewayAnnouncements } from '../notices/announcements.js';
import { PasswordCheck } from '../sessions/password-check.js';
import type { CallersSession } from '../sessions/proven.js';
import { RefreshTokenRotation } from '../sessions/refresh-token-rotation.js';
import { SessionIssue } from '../sessions/session-issue.js';
import {
  type Granted,
  keepRefreshToken,
  NO_SESSION,
  Sessions,
  type SignOutScope,
} from '../sessions/sessions.js';
import { deleting, rowsOf } from '../store/database.js';
import { CalendarLink } from '../store/practice.entities.js';
import { tokenHash } from '../store/secrets.js';
import { PersonalToken } from '../store/session.entities.js';
import { actForUser, Transactions } from '../store/transactions.js';
import { standingIn } from '../users/access.js';
import { answersChallenge, useToken } from '../users/mailed-tokens.js';
import { userById } from '../users/users.js';

/** Signs in with an e-mail address and a password. */
export class SignIn extends AccountCommand {}

@CommandHandler(SignIn)
export class SignInHandler implements AccountHandler<SignIn> {
  constructor(
    private readonly check: PasswordCheck,
    private readonly transactions: Transactions,
    private readonly sessions: Sessions,
    private readonly issue: SessionIssue,
  ) {}

  async execute({ call }: SignIn) {
    const { fields, address } = call;
    const userId =
      (await this.check.userOf(credentialsOf(fields()), address)) ?? refuse(problems.invalidCredentials);
    const granted = await this.transactions.run({ userId }, (tables) =>
      this.sessions.grant(tables, { userId, address, method: 'password' }),
    );
    return this.issue.reply(granted, call);
  }
}

/** How long a used token is still accepted: two tabs of a browser may send the same token, and both get the same next one. */
const GRACE_MS = 10_000;

const WHY = { idle: problems.sessionIdle, over: problems.sessionOver };

type Rotated = Granted | { readonly ended: readonly EndedSession[]; readonly why: AuthProblem };

/** Continues a session: uses its refresh token up and issues the next one. */
export class RefreshSession extends AccountCommand {}

@CommandHandler(RefreshSession)
export class RefreshSessionHandler implements AccountHandler<RefreshSession> {
  constructor(
    private readonly transactions: Transactions,
    private readonly sessions: Sessions,
    private readonly rotation: RefreshTokenRotation,
    private readonly gateways: GatewayAnnouncements,
    private readonly issue: SessionIssue,
  ) {}

  async execute({ call }: RefreshSession) {
    const token = refreshTokenOf(call.fields());
    const rotated = await this.transactions.run({ presented: tokenHash(token) }, (tables) =>
      this.rotate(tables, token),
    );
    if (!('ended' in rotated)) return this.issue.reply(rotated, call);
    // The refusal comes after the transaction. Inside it, the refusal would roll back the end of the session.
    await this.gateways.sessionsEnded(rotated.ended);
    return refuse(rotated.why);
  }

  private async rotate(tables: EntityManager, token: string): Promise<Rotated> {
    const hash = tokenHash(token);
    const [stored] = await selectRefreshToken(tables, hash);
    if (stored === undefined) return refuse(problems.refreshTokenUnknown);
    const { userId, sessionId, usedAt } = stored;
    const key = { userId, sessionId };
    await actForUser(tables, userId);
    const continued = await this.sessions.continue(tables, key);
    if (continued === 'ended')
      return refuse(usedAt === null ? problems.refreshTokenUnknown : problems.refreshTokenUsed);
    if (typeof continued === 'string')
      return { ended: await this.sessions.end(tables, key, 'local'), why: WHY[continued] };
    const now = new Date();
    if (usedAt !== null && now.getTime() - usedAt.getTime() > GRACE_MS) {
      // Either the owner or a thief presents the used token. The service cannot know which, so the session ends for both.
      return { ended: await this.sessions.end(tables, key, 'local'), why: problems.refreshTokenUsed };
    }
    if (usedAt === null) await useRefreshToken(tables, hash, now);
    const user = (await userById(tables, userId)) ?? refuse(problems.refreshTokenUnknown);
    const next = this.rotation.after(token);
    await keepRefreshToken(tables, key, next);
    const standing = await standingIn(tables, { userId, therapistId: continued.therapistId });
    const session = { id: sessionId, refreshToken: next, ...continued };
    return { user, role: undefined, ...standing, session };
  }
}

/** Exchanges the code that the link of a mail gave to the app for a session. The verifier proves that this client asked for the mail. */
export class ExchangeCode extends AccountCommand {}

@CommandHandler(ExchangeCode)
export class ExchangeCodeHandler implements AccountHandler<ExchangeCode> {
  constructor(
    private readonly transactions: Transactions,
    private readonly sessions: Sessions,
    private readonly issue: SessionIssue,
  ) {}

  async execute({ call }: ExchangeCode) {
    const { fields, address } = call;
    const { auth_code: code, code_verifier: verifier } = fields();
    if (!isText(code) || !isText(verifier)) return refuse(problems.missingCode);
    const hash = tokenHash(code);
    const granted = await this.transactions.run({ presented: hash }, async (tables) => {
      const { userId, challenge } = (await useToken(tables, hash, 'code')) ?? refuse(problems.unknownCode);
      if (challenge === null || !answersChallenge(challenge, verifier)) refuse(problems.badVerifier);
      await actForUser(tables, userId);
      return this.sessions.grant(tables, { userId, address, method: 'otp' });
    });
    return this.issue.reply(granted, call);
  }
}

// Ends everything that lets others act for a user: after a new password, a recovery and a global sign-out.

/** Ends sessions, all personal access tokens, calendar links and links to archives of the user that the transaction acts for. */
export async function endAccess(
  tables: EntityManager,
  sessions: Sessions,
  { userId, sessionId = NO_SESSION, scope }: CallersSession & { readonly scope: SignOutScope },
): Promise<EndedAccess> {
  const ended = await sessions.end(tables, { userId, sessionId }, scope);
  await endArchives(tables, { userId });
  await tables.delete(CalendarLink, { userId });
  const removed = deleting(tables, PersonalToken, { userId }).returning('id');
  const tokens = await rowsOf<Pick<PersonalToken, 'id'>>(removed);
  return { sessions: ended, tokens: tokens.map(({ id }) => id) };
}

/** Signs out by `scope`: this session (`local`), all other sessions (`others`), or all access of the user (`global`). */
export class SignOut extends AccountCommand {}

@CommandHandler(SignOut)
export class SignOutHandler implements AccountHandler<SignOut> {
  constructor(
    private readonly transactions: Transactions,
    private readonly sessions: Sessions,
    private readonly gateways: GatewayAnnouncements,
  ) {}

  async execute({ call: { identity, parameters } }: SignOut) {
    const scope = parameters.get('scope') || 'global';
    if (!isScope(scope)) return refuse(problems.badScope(scope));
    const { userId, sessionId } = identity;
    // A token of another issuer has no session here.
    if (sessionId === undefined) return { status: 204 };
    const ended = await this.transactions.run({ userId }, async (tables) => {
      if (scope === 'global') return endAccess(tables, this.sessions, { userId, sessionId, scope });
      return { sessions: await this.sessions.end(tables, { userId, sessionId }, scope), tokens: [] };
    });
    await this.gateways.accessEnded(ended);
    return { status: 204 };
  }
}

const isScope = (scope: string): scope is SignOutScope => ['global', 'local', 'others'].includes(scope);
