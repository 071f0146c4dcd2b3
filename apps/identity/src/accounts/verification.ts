// Reads the body of POST /verify. Errors have Supabase's messages, in Supabase's order of checks.

import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import { Rejection } from '@practice/core';
import { type AccountCall, AccountCommand, type AccountHandler } from '../calls/call.js';
import { type Fields, isText } from '../calls/fields.js';
import { type AuthProblem, problems, refuse } from '../calls/problems.js';
import { SiteLinks, type VerificationType } from '../notices/site-links.js';
import { SessionIssue } from '../sessions/session-issue.js';
import { ConfirmAddressChange, ConfirmSignUp, HALF_DONE, UseRecovery } from './use-mailed-token.js';
import type { PresentedToken, UseMailedToken } from './use-mailed-token.js';

/** Purposes of the tokens in our mails. `email` is the newer name of `signup`. */
const SENT: ReadonlyMap<string, VerificationType> = new Map([
  ['recovery', 'recovery'],
  ['signup', 'signup'],
  ['email', 'signup'],
  ['email_change', 'email_change'],
]);

/** Mails that this API never sends, so their tokens are never valid. */
const NEVER_SENT = new Set(['invite', 'magiclink', 'sms', 'phone_change']);

const isVerificationType = (type: string | null): type is VerificationType =>
  type !== null && SENT.get(type) === type;

/**
 * The token of a mail and its kind.
 * @throws {Rejection} when a part is missing, or the token is for something else
 */
function verificationOf(fields: Fields): { readonly type: VerificationType; readonly token: string } {
  const { type, token, token_hash: hash, email, phone, redirect_to: redirect } = fields;
  if (!isText(type)) return refuse(problems.missingVerification);
  if (isText(token) === isText(hash)) return refuse(problems.missingToken);
  const isNamed = isText(email) || isText(phone);
  if (!isText(hash)) return refuse(isNamed ? codeProblem(type) : problems.onlyEmail);
  if (isNamed || isText(redirect)) return refuse(problems.onlyTokenHash);
  const known =
    SENT.get(type) ?? refuse(NEVER_SENT.has(type) ? problems.linkExpired : problems.unknownVerification);
  return { type: known, token: hash };
}

/** The problem of a short code, which a client sends with an address. Mails of this API contain no short codes. */
const codeProblem = (type: string): AuthProblem =>
  SENT.has(type) || NEVER_SENT.has(type) ? problems.codeExpired : problems.unknownVerification;

const OTHER_MAIL = 'Confirmation link accepted. Please proceed to confirm link sent to the other email';

const COMMANDS: Readonly<Record<VerificationType, new (presented: PresentedToken) => UseMailedToken>> = {
  recovery: UseRecovery,
  signup: ConfirmSignUp,
  email_change: ConfirmAddressChange,
};

/** Uses the token of a mail that the app sends. */
export class Verify extends AccountCommand {}

@CommandHandler(Verify)
export class VerifyHandler implements AccountHandler<Verify> {
  constructor(
    private readonly commands: CommandBus,
    private readonly issue: SessionIssue,
  ) {}

  async execute({ call }: Verify) {
    const { fields, address, trace } = call;
    const { type, token } = verificationOf(fields());
    const use = new COMMANDS[type]({ token, isLink: false, address, trace });
    const result = await this.commands.execute(use);
    if (result === HALF_DONE) return { body: { msg: OTHER_MAIL, code: '200' } };
    // A token that the app itself sends needs no code challenge.
    return 'code' in result ? refuse(problems.linkExpired) : this.issue.reply(result, call);
  }
}

/** Uses the token of a mail whose link was opened. */
export class FollowLink extends AccountCommand {}

@CommandHandler(FollowLink)
export class FollowLinkHandler implements AccountHandler<FollowLink> {
  constructor(
    private readonly commands: CommandBus,
    private readonly links: SiteLinks,
    private readonly issue: SessionIssue,
  ) {}

  async execute({ call }: FollowLink) {
    return { status: 303, headers: { Location: await this.locationOf(call) } };
  }

  /** Signs in and redirects to the app, with the session in the fragment that only the browser sees. */
  private async locationOf({ method, parameters, address, trace }: AccountCall): Promise<string> {
    const token = parameters.get('token') || refuse(problems.missingToken);
    const requested = parameters.get('redirect_to');
    // Mail scanners open links with HEAD. They must not use up the token.
    if (method === 'HEAD') return this.links.allowed(requested);
    try {
      const type = parameters.get('type');
      if (!isVerificationType(type)) return refuse(problems.linkExpired);
      const use = new COMMANDS[type]({ token, isLink: true, address, trace });
      const result = await this.commands.execute(use);
      if (result === HALF_DONE) return this.links.withFragment(requested, { message: OTHER_MAIL });
      if ('code' in result) return this.links.withCode(requested, result.code);
      const session = await this.issue.issue(result);
      return this.links.withFragment(requested, {
        access_token: session.access_token,
        expires_at: String(session.expires_at),
        expires_in: String(session.expires_in),
        refresh_token: session.refresh_token,
        token_type: session.token_type,
        type,
      });
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      const { code, message } = error.problem;
      const fields = { error: 'access_denied', error_code: code, error_description: message };
      return this.links.withFragment(requested, fields);
    }
  }
}
