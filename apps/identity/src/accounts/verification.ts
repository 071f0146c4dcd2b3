// Reads the body of POST /verify. Errors have Supabase's messages, in Supabase's order of checks.

import { CommandHandler } from '@nestjs/cqrs';
import { Rejection } from '@practice/core';
import { AccountCommand, type AccountHandler, type AccountReply } from '../calls/call.js';
import { type Fields, isText } from '../calls/fields.js';
import { type AuthProblem, problems, refuse } from '../calls/problems.js';
import { SiteLinks, type VerificationType } from '../notices/site-links.js';
import { SessionIssue } from '../sessions/session-issue.js';
import { MailedTokens } from './use-mailed-token.js';

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

/** Uses the token of a mail that the app sends. */
export class Verify extends AccountCommand {}

@CommandHandler(Verify)
export class VerifyHandler implements AccountHandler<Verify> {
  constructor(
    private readonly tokens: MailedTokens,
    private readonly issue: SessionIssue,
  ) {}

  async execute({ call }: Verify) {
    const { fields, address, trace } = call;
    const result = await this.tokens.use({ ...verificationOf(fields()), isLink: false, address, trace });
    if (result === undefined) return { body: { msg: OTHER_MAIL, code: '200' } };
    // A token that the app itself sends needs no code challenge.
    return 'code' in result ? refuse(problems.linkExpired) : this.issue.reply(result, call);
  }
}

/** Uses the token of a mail whose link was opened. */
export class FollowLink extends AccountCommand {}

@CommandHandler(FollowLink)
export class FollowLinkHandler implements AccountHandler<FollowLink> {
  constructor(
    private readonly tokens: MailedTokens,
    private readonly links: SiteLinks,
    private readonly issue: SessionIssue,
  ) {}

  /** Signs in and redirects to the app, with the session in the fragment that only the browser sees. */
  async execute({ call }: FollowLink): Promise<AccountReply> {
    const { method, parameters, address, trace } = call;
    const token = parameters.get('token') || refuse(problems.missingToken);
    const requested = parameters.get('redirect_to');
    // Mail scanners open links with HEAD. They must not use up the token.
    if (method === 'HEAD') return seeOther(this.links.allowed(requested));
    try {
      const type = parameters.get('type');
      if (!isVerificationType(type)) return refuse(problems.linkExpired);
      const result = await this.tokens.use({ type, token, isLink: true, address, trace });
      if (result === undefined) return seeOther(this.links.withFragment(requested, { message: OTHER_MAIL }));
      if ('code' in result) return seeOther(this.links.withCode(requested, result.code));
      const { body, ...about } = await this.issue.reply(result, call);
      // Only named members: the URL of a page stays in histories.
      const { access_token, refresh_token, token_type, expires_at: at, expires_in: seconds } = body;
      const session = { access_token, refresh_token, token_type };
      const times = { expires_at: String(at), expires_in: String(seconds) };
      return { ...about, ...seeOther(this.links.withFragment(requested, { ...session, ...times, type })) };
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      const { code, message } = error.problem;
      const fields = { error: 'access_denied', error_code: code, error_description: message };
      return seeOther(this.links.withFragment(requested, fields));
    }
  }
}

const seeOther = (location: string): AccountReply => ({ status: 303, headers: { Location: location } });
