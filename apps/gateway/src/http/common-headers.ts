// The headers of every response, whatever its request and its status.

import type { GatewayConfig } from '../gateway.config.js';
import { type Limits, type Quota, WINDOW_SECONDS } from '../limits/limits.js';
import { type HttpRequest, isAuthCall, type Stage } from './request.js';

const EXPOSED = [
  'Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, Transfer-Encoding, Range-Unit',
  'Preference-Applied, Memento-Datetime, ETag, Link, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit, RateLimit-Policy',
  'Idempotency-Replayed, Change-Id, Proxy-Status, Server-Timing, X-Request-Id, Api-Version, X-Supabase-Api-Version, X-Sb-Error-Code',
].join(', ');

const HSTS = 'max-age=31536000';

/**
 * A response of the API is not a page: it loads nothing, is shown in no frame, sends no referrer and is not cached. A response may
 * replace these headers with its own, as a page must.
 */
const unlessGiven = Object.entries({
  'X-Frame-Options': 'DENY',
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
}).flat();

export class CommonHeaders {
  private readonly always: readonly string[];
  private readonly allowed: ReadonlySet<string>;

  constructor(
    { corsOrigins, isTls }: Pick<GatewayConfig, 'corsOrigins' | 'isTls'>,
    private readonly limits: Pick<Limits, 'untouched'>,
  ) {
    this.always = [
      ...['Api-Version', '1', 'X-Content-Type-Options', 'nosniff'],
      ...(isTls ? ['Strict-Transport-Security', HSTS] : []),
      // With a list of origins, the response depends on the caller's origin.
      ...(corsOrigins.length > 0 ? ['Vary', 'Origin'] : []),
    ];
    this.allowed = new Set(corsOrigins);
  }

  /**
   * The headers of a response: names and values in turn, as Node takes them.
   * @param given the response's own headers, which replace the defaults
   */
  of({ request, kind, quota }: Stage, given: Readonly<Record<string, string>> = {}): string[] {
    const headers = ['X-Request-Id', request.id, ...this.always];
    for (let index = 0; index < unlessGiven.length; index += 2) {
      const name = unlessGiven[index] as string;
      if (given[name] === undefined) headers.push(name, unlessGiven[index + 1] as string);
    }
    // A caller that was refused before authentication has used up nothing.
    pushQuota(headers, quota ?? this.limits.untouched(isAuthCall(request) ? 'auth' : kind));
    const origin = this.originFor(request);
    if (origin !== undefined) this.pushCors(headers, origin);
    return headers;
  }

  /** The origin whose pages may read the response, or `*`. Undefined without an `Origin` header, or if the origin is not allowed. */
  originFor({ headers: { origin } }: HttpRequest): string | undefined {
    if (origin === undefined) return undefined;
    if (this.allowed.size === 0) return '*';
    return this.allowed.has(origin) ? origin : undefined;
  }

  /** Headers of a response to bytes that never became a request. */
  ofNoRequest(id: string): Record<string, string> {
    const headers = ['X-Request-Id', id, ...this.always, ...unlessGiven];
    pushQuota(headers, this.limits.untouched('reads'));
    const pairs = headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] ?? '']] : []));
    return Object.fromEntries(pairs) as Record<string, string>;
  }

  private pushCors(headers: string[], origin: string): void {
    headers.push('Access-Control-Allow-Origin', origin);
    if (this.allowed.size > 0) headers.push('Access-Control-Allow-Credentials', 'true');
    headers.push('Access-Control-Expose-Headers', EXPOSED);
  }
}

/** Adds the quota twice: as most servers send it, and as in the IETF's draft `draft-ietf-httpapi-ratelimit-headers-10`. */
function pushQuota(headers: string[], quota: Quota | null): void {
  if (quota === null) return;
  const { kind, limit, remaining, resetSeconds } = quota;
  headers.push('RateLimit-Limit', String(limit), 'RateLimit-Remaining', String(remaining));
  headers.push('RateLimit-Reset', String(resetSeconds));
  headers.push('RateLimit', `"${kind}";r=${remaining};t=${resetSeconds}`);
  headers.push('RateLimit-Policy', `"${kind}";q=${limit};w=${WINDOW_SECONDS}`);
}
