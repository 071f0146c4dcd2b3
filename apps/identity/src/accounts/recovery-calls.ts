import { Injectable } from '@nestjs/common';
import { Rejection } from '@practice/core';
import { RequestRecovery } from '../mail/request-recovery.js';
import { SiteLinks } from '../mail/site-links.js';
import { UseRecovery } from '../mail/use-recovery.js';
import { SessionIssue } from '../sessions/session-issue.js';
import type { AccountCall, Handlers } from './call.js';
import { linkExpired, missingToken, refuse } from './problems.js';
import { recoveryTokenOf } from './verification.js';

/** Password recovery by mail. */
@Injectable()
export class RecoveryCalls {
  constructor(
    private readonly request: RequestRecovery,
    private readonly recovery: UseRecovery,
    private readonly links: SiteLinks,
    private readonly sessions: SessionIssue,
  ) {}

  readonly handlers: Handlers<'recover' | 'verify' | 'followLink'> = {
    recover: async (call) => {
      await this.request.execute(call);
      return { body: {} };
    },
    verify: async ({ fields, isForCookies }) => {
      const granted = await this.recovery.grant(recoveryTokenOf(fields()));
      return { body: await this.sessions.issue(granted, isForCookies) };
    },
    followLink: async (call) => ({ status: 303, headers: { Location: await this.locationOf(call) } }),
  };

  /** The link of a mail: signs in and redirects to the app, with the session in the fragment that only the browser sees. */
  private async locationOf({ method, parameters }: AccountCall): Promise<string> {
    const token = parameters.get('token') || refuse(missingToken);
    const requested = parameters.get('redirect_to');
    // Mail scanners look at links with HEAD; they must not use the token up.
    if (method === 'HEAD') return this.links.allowed(requested);
    try {
      if (parameters.get('type') !== 'recovery') refuse(linkExpired);
      const outcome = await this.recovery.followLink(token);
      if ('code' in outcome) return this.links.withCode(requested, outcome.code);
      const session = await this.sessions.issue(outcome);
      return this.links.withFragment(requested, {
        access_token: session.access_token,
        expires_at: String(session.expires_at),
        expires_in: String(session.expires_in),
        refresh_token: session.refresh_token,
        token_type: session.token_type,
        type: 'recovery',
      });
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      const { code, message } = error.problem;
      const fields = { error: 'access_denied', error_code: code, error_description: message };
      return this.links.withFragment(requested, fields);
    }
  }
}
