// The pages of the OAuth server as responses, and the forms that they send.

import type { HttpRequest } from '../http/request.js';
import type { HttpResponse } from '../http/responses.js';
import { escaped, pageOf } from '../openapi/pages.js';
import { sessionInCookies } from '../authentication/session-cookies.js';
import type { Asked } from '../accounts/auth-calls.js';

/** Statuses of refusals begin here. */
export const FIRST_FAILURE = 400;

export interface Page {
  readonly title: string;
  /** HTML. */
  readonly content: string;
  readonly status?: number;
  readonly alert?: string;
  /** A URI to which a form may lead, besides this server. */
  readonly target?: string;
  /** The text of its script. */
  readonly script?: string;
}

export function page({ title, content, status = 200, alert, target, script }: Page): HttpResponse {
  const targets = ["'self'", ...(target === undefined || target === '' ? [] : [sourceOf(target)])];
  const shown = alert === undefined ? '' : `<p role="alert">${escaped(alert)}</p>`;
  const run = script === undefined ? '' : `<script>${script}</script>`;
  const { headers, body } = pageOf(
    'consent.html',
    { title, content, alert: shown, script: run },
    { formTargets: targets.join(' ') },
  );
  // Without a referrer, browsers would send no origin with a form.
  return { status, headers: { ...headers, 'Referrer-Policy': 'same-origin' }, body };
}

/** A URI as a source of the policy. A redirect counts as the target of a form, so the policy names the address that gets the answer. */
function sourceOf(uri: string): string {
  const { origin, protocol } = new URL(uri);
  return origin === 'null' ? protocol : origin;
}

export const redirect = (location: string): HttpResponse => ({
  status: 303,
  headers: { Location: location },
});

/** A page that leads to an app. A redirect would count as the target of the preceding sign-in form, which may lead to this server only. */
export function onward(location: string): HttpResponse {
  const content = `<p>You have given the app this access before. <a href="${escaped(location)}">Continue</a></p>`;
  const { headers, ...shown } = page({ title: 'Back to the app', content });
  return { ...shown, headers: { ...headers, Refresh: `0; url=${location}` } };
}

export const formOf = ({ stage }: HttpRequest): URLSearchParams =>
  new URLSearchParams(stage.body?.toString() ?? '');

/** The page to return to after the sign-in: one of these pages. */
export const nextOf = (request: HttpRequest): string => {
  const [path = '', query = ''] = (request.raw.url ?? '').split('?');
  const given = formOf(request);
  const named = ['authorization_id', 'id'].flatMap((name) =>
    given.has(name) ? [`${name}=${given.get(name)}`] : [],
  );
  return safeNext(`${path.split('/').at(-1)}?${named[0] ?? query}`);
};

export const safeNext = (next: string | null): string =>
  /^(consent|device|proposal)\?[\w=&.%-]*$/.test(next ?? '') ? String(next) : 'consent?';

/** The response to a sign-in: cookies and a redirect to the next page, or the form again with the reason of the refusal. */
export function afterSignIn(
  session: Asked,
  given: URLSearchParams,
  again: (next: string) => string,
): HttpResponse {
  const next = safeNext(given.get('next'));
  if (session.status >= FIRST_FAILURE)
    return page({ title: 'Sign in', content: again(next), status: session.status, alert: session.message });
  const { cookies = [] } = sessionInCookies({ status: session.status, body: JSON.stringify(session.json) });
  return { ...redirect(next), cookies };
}

export const failed = ({ status, message }: Pick<Asked, 'status' | 'message'>): HttpResponse =>
  page({ title: 'Not possible', content: '', status, alert: message });

export const forged = failed({ status: 403, message: 'The form was not sent by a page of this server.' });
