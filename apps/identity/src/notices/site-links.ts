// Links in mails and their targets. A target receives a session, so only the app's own origin is allowed.

import { Inject, Injectable } from '@nestjs/common';
import { IDENTITY_CONFIG, type IdentityConfig } from '../identity.config.js';
import { isLoopbackUri } from './loopback-uris.js';
import type { AddressLink } from './templates.js';

/** Purposes of mails, by the names of Supabase's clients. */
export type VerificationType = 'recovery' | 'signup' | 'email_change';

@Injectable()
export class SiteLinks {
  private readonly origin: string;

  constructor(@Inject(IDENTITY_CONFIG) private readonly config: Pick<IdentityConfig, 'baseUrl' | 'siteUrl'>) {
    this.origin = new URL(config.siteUrl).origin;
  }

  /** The link in a mail that asks for a proof. As with Supabase it leads to this API, which redirects to the app. */
  verification(type: VerificationType, token: string, redirectTo: string | null): AddressLink {
    const query = new URLSearchParams({ token, type, redirect_to: this.allowed(redirectTo) });
    return { link: `${this.config.baseUrl}/auth/v1/verify?${query.toString()}`, token };
  }

  /** The link in an invitation. It leads to the app, which accepts the invitation once the user has signed in. */
  invitation(token: string): string {
    const url = new URL(this.config.siteUrl);
    url.searchParams.set('invitation', token);
    return url.href;
  }

  /** The requested target if it is within the app, otherwise the app's own page. */
  allowed(requested: string | null): string {
    if (requested === null || !URL.canParse(requested)) return this.config.siteUrl;
    const url = new URL(requested);
    const isPlain = url.username === '' && url.password === '';
    return isPlain && url.origin !== 'null' && this.isOwn(url) ? url.href : this.config.siteUrl;
  }

  /** Whether a URL has the origin of the app. On the user's own machine, `localhost` and its addresses are one host. */
  private isOwn({ origin, port }: URL): boolean {
    if (origin === this.origin) return true;
    return isLoopbackUri(origin) && isLoopbackUri(this.origin) && port === new URL(this.origin).port;
  }

  /** The target with a code that only the browser that asked for the mail can exchange. */
  withCode(requested: string | null, code: string): string {
    const url = new URL(this.allowed(requested));
    url.searchParams.set('code', code);
    return url.href;
  }

  /** The target with these fields in its fragment, which browsers do not send to servers. */
  withFragment(requested: string | null, fields: Readonly<Record<string, string>>): string {
    const url = new URL(this.allowed(requested));
    url.hash = new URLSearchParams(fields).toString();
    return url.href;
  }
}
