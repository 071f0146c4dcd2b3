// The OpenAPI operation of a call about accounts.

import { commonHeaders, reference, references } from '@practice/describe';
import type { Operation } from '@practice/describe';
import { fields } from './account-schemas.js';
import type { AccountRoute } from '@practice/contracts';

/** The words for a call about accounts. */
export interface Words {
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly object[];
  readonly body?: object;
  /** When 404 is answered. */
  readonly missing?: string;
  /** Status of success, and the schema of its body. */
  readonly answers: readonly [status: number, schema?: object];
}

/** The parameter of calls that can set cookies. */
export const inCookies = {
  name: 'Prefer',
  in: 'header',
  description: '`session=cookie`: the tokens are set as cookies, and not in the answer.',
  schema: fields.text,
};

/** The OpenAPI operation of a call about accounts, with the errors that every call about accounts can return. */
export function accountOperation(words: Words, { access, isLimitedByAddress }: AccountRoute): Operation {
  const { summary, description, parameters, body, missing, answers } = words;
  const isLimited = isLimitedByAddress === true || ['user', 'session'].includes(access);
  const [status, schema] = answers;
  return {
    tags: ['accounts'],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(parameters === undefined ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: {
      [status]: {
        description: 'Done.',
        headers: { ...commonHeaders, ...references('headers', headersAt(status, words)) },
        ...(schema === undefined ? {} : { content: { 'application/json': { schema } } }),
      },
      400: refused('The request is malformed, or the credentials are wrong.'),
      ...(access === 'open'
        ? {}
        : { 401: refused('The API key is missing or wrong (`PM401`), or the token is missing.') }),
      403: refused(
        'The token is invalid, or its session or user no longer exists; or the call requires a recent sign-in (`reauthentication_needed`) or a second factor (`insufficient_aal`).',
      ),
      ...(missing === undefined ? {} : { 404: refused(missing) }),
      422: refused('The change is not possible: the address is taken, or the password is too weak.'),
      ...(isLimited ? { 429: refused('Too many calls; `Retry-After` contains the seconds to wait.') } : {}),
      500: refused('A defect of the server.'),
      ...(status === 303 ? { default: refused('The link cannot be followed.') } : {}),
      503: refused('The identity service or its database is unavailable, or too many users are signing in.'),
    },
  };
}

const headersAt = (status: number, { parameters = [] }: Words): string[] => [
  ...(status === 303 ? ['Location'] : []),
  ...(parameters.includes(inCookies) ? ['Preference-Applied', 'Set-Cookie'] : []),
];

const refused = (description: string): object => ({
  ...reference('responses', 'AuthRefused'),
  description,
});

const REFUSAL_HEADERS = ['X-Sb-Error-Code', 'X-Supabase-Api-Version', 'WWW-Authenticate', 'Retry-After'];

/** The errors of calls about accounts share one form; each operation describes its own. */
export const accountResponses = {
  AuthRefused: {
    description: 'The call was refused.',
    headers: { ...commonHeaders, ...references('headers', REFUSAL_HEADERS) },
    content: { 'application/json': { schema: reference('schemas', 'AuthProblem') } },
  },
};
