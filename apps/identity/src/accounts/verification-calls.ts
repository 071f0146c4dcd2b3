import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import { Rejection } from '@practice/core';
import { HALF_DONE } from './conclude.js';
import type { PresentedToken, UseMailedToken } from './conclude.js';
import { ConfirmAddressChange } from './confirm-address-change.js';
import { ConfirmSignUp } from './confirm-sign-up.js';
import { SiteLinks } from '../notices/site-links.js';
import type { VerificationType } from '../notices/site-links.js';
import { UseRecovery } from './use-recovery.js';
import { SessionIssue } from '../sessions/session-issue.js';
import { AccountCommand } from '../calls/call.js';
import type { AccountCall, AccountHandler } from '../calls/call.js';
import { linkExpired, missingToken, refuse } from '../calls/problems.js';
import { isVerificationType, verificationOf } from './verification.js';

const OTHER_MAIL = 'Confirmation link accepted. Please proceed to confirm link sent to the other email';

const COMMANDS: Readonly<Record<VerificationType, new (presented: PresentedToken) => UseMailedToken>> = {
  recovery: UseRecovery,
  signup: ConfirmSignUp,
  email_change: ConfirmAddressChange,
};

/** The app sends the token of a mail. */
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
    return 'code' in result ? refuse(linkExpired) : this.issue.reply(result, call);
  }
}

/** The link of a mail is opened. */
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
    const token = parameters.get('token') || refuse(missingToken);
    const requested = parameters.get('redirect_to');
    // Mail scanners look at links with HEAD; they must not use the token up.
    if (method === 'HEAD') return this.links.allowed(requested);
    try {
      const type = parameters.get('type');
      if (!isVerificationType(type)) return refuse(linkExpired);
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
