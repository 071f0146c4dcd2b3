// Links in mails, and where they lead. Sessions are handed over at their end, so they lead to the app and nowhere else.

import type { GatewayConfig } from '../../gateway.config.js';

export class SiteLinks {
  private readonly origin: string;

  constructor(private readonly config: Pick<GatewayConfig, 'baseUrl' | 'siteUrl'>) {
    this.origin = new URL(config.siteUrl).origin;
  }

  /** The link that a recovery mail has, as Supabase's has it: our own address, which forwards to the app. */
  recovery(token: string, redirectTo: string | null): string {
    const query = new URLSearchParams({ token, type: 'recovery', redirect_to: this.allowed(redirectTo) });
    return `${this.config.baseUrl}/auth/v1/verify?${query.toString()}`;
  }

  /** Where to forward to: as wished within the app, else to the app's own page. */
  allowed(wished: string | null): string {
    if (wished === null || !URL.canParse(wished)) return this.config.siteUrl;
    const url = new URL(wished);
    const isPlain = url.username === '' && url.password === '';
    return isPlain && url.origin !== 'null' && url.origin === this.origin ? url.href : this.config.siteUrl;
  }

  /** The same page with a code that only the browser can use that asked for it. */
  withCode(wished: string | null, code: string): string {
    const url = new URL(this.allowed(wished));
    url.searchParams.set('code', code);
    return url.href;
  }

  /** The same page with these fields behind `#`, which the browser keeps to itself. */
  withFragment(wished: string | null, fields: Readonly<Record<string, string>>): string {
    const url = new URL(this.allowed(wished));
    url.hash = new URLSearchParams(fields).toString();
    return url.href;
  }
}
