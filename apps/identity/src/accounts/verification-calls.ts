import { Injectable } from '@nestjs/common';
import { Rejection } from '@practice/core';
import { ConfirmAddressChange, HALF_DONE } from './confirm-address-change.js';
import { ConfirmSignUp } from './confirm-sign-up.js';
import type { Concluded, PresentedToken } from './conclude.js';
import { SiteLinks } from '../notices/site-links.js';
import type { VerificationType } from '../notices/site-links.js';
import { UseRecovery } from './use-recovery.js';
import { SessionIssue } from '../sessions/session-issue.js';
import type { AccountCall, Handlers } from '../calls/call.js';
import { linkExpired, missingToken, refuse } from '../calls/problems.js';
import { isVerificationType, verificationOf } from './verification.js';

const OTHER_MAIL = 'Confirmation link accepted. Please proceed to confirm link sent to the other email';

/** The answers to mails: tokens that the app sends, and links that are opened. */
@Injectable()
export class VerificationCalls {
  private readonly kinds: Readonly<
    Record<VerificationType, (token: PresentedToken) => Promise<Concluded | typeof HALF_DONE>>
  >;

  constructor(
    recovery: UseRecovery,
    signUp: ConfirmSignUp,
    address: ConfirmAddressChange,
    private readonly links: SiteLinks,
    private readonly sessions: SessionIssue,
  ) {
    this.kinds = {
      recovery: (token) => recovery.execute(token),
      signup: (token) => signUp.execute(token),
      email_change: (token) => address.execute(token),
    };
  }

  readonly handlers: Handlers<'verify' | 'followLink'> = {
    verify: async ({ fields, address, trace, isForCookies }) => {
      const { type, token } = verificationOf(fields());
      const outcome = await this.kinds[type]({ token, isLink: false, address, trace });
      if (outcome === HALF_DONE) return { body: { msg: OTHER_MAIL, code: '200' } };
      // A token that the app itself sends needs no code challenge.
      if ('code' in outcome) return refuse(linkExpired);
      return { body: await this.sessions.issue(outcome, isForCookies) };
    },
    followLink: async (call) => ({ status: 303, headers: { Location: await this.locationOf(call) } }),
  };

  /** The link of a mail: signs in and redirects to the app, with the session in the fragment that only the browser sees. */
  private async locationOf({ method, parameters, address, trace }: AccountCall): Promise<string> {
    const token = parameters.get('token') || refuse(missingToken);
    const requested = parameters.get('redirect_to');
    // Mail scanners look at links with HEAD; they must not use the token up.
    if (method === 'HEAD') return this.links.allowed(requested);
    try {
      const type = parameters.get('type');
      if (!isVerificationType(type)) return refuse(linkExpired);
      const outcome = await this.kinds[type]({ token, isLink: true, address, trace });
      if (outcome === HALF_DONE) return this.links.withFragment(requested, { message: OTHER_MAIL });
      if ('code' in outcome) return this.links.withCode(requested, outcome.code);
      const session = await this.sessions.issue(outcome);
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
