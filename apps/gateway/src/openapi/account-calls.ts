// The words for calls about accounts, by their routes.

import { commonHeaders, reference, references } from '@practice/describe';
import type { Operation } from '@practice/describe';
import { email, fields, password } from './account-schemas.js';
import type { Route } from './routes.js';

const { text, instant, object } = fields;
const session = reference('schemas', 'Session');
const user = reference('schemas', 'User');
const token = reference('schemas', 'PersonalToken');

interface Words {
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly object[];
  readonly body?: object;
  /** When 404 is answered. */
  readonly missing?: string;
  /** Status of success, and the schema of its body. */
  readonly answers: readonly [status: number, schema?: object];
}

/** The OpenAPI operation of a call about accounts, with the errors that every call about accounts can return. */
export function accountOperation(words: Words, { access, isCountedByAddress }: Route): Operation {
  const { summary, description, parameters, body, missing, answers } = words;
  const isLimited = isCountedByAddress || access === 'user';
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
      403: refused('The token is invalid, or its session or user no longer exists.'),
      ...(missing === undefined ? {} : { 404: refused(missing) }),
      422: refused('The change is not possible: the address is taken, or the password is too weak.'),
      ...(isLimited ? { 429: refused('Too many calls; `Retry-After` contains the seconds to wait.') } : {}),
      500: refused('A defect of the server.'),
      503: refused('The identity service or its database is unavailable, or too many users are signing in.'),
    },
  };
}

const headersAt = (status: number, { parameters = [] }: Words): string[] => [
  ...(status === 303 ? ['Location'] : []),
  ...(parameters.includes(inCookies) ? ['Preference-Applied', 'Set-Cookie'] : []),
];

const refused = (description: string): object => ({
  description,
  headers: { ...commonHeaders, ...references('headers', REFUSAL_HEADERS) },
  content: { 'application/json': { schema: reference('schemas', 'AuthProblem') } },
});

const REFUSAL_HEADERS = ['X-Sb-Error-Code', 'X-Supabase-Api-Version', 'WWW-Authenticate', 'Retry-After'];

const inQuery = (name: string, schema: object, required: boolean): object => ({
  name,
  in: 'query',
  required,
  schema,
});

const inCookies = {
  name: 'Prefer',
  in: 'header',
  description: '`session=cookie`: the tokens are set as cookies, and not in the answer.',
  schema: text,
};

const data = { type: 'object', description: 'Free data that the user sets about itself; 4 KiB at most.' };

export const accountWords: Readonly<Record<string, Words>> = {
  'post /auth/v1/signup': {
    summary: 'Sign up: register a user and open a practice',
    parameters: [inCookies],
    body: object({ email, password, data }, ['email', 'password']),
    answers: [200, session],
  },
  'post /auth/v1/token': {
    summary: 'Sign in, or refresh a session',
    description: 'A refresh token is used up; one that was used before ends its whole session.',
    parameters: [inQuery('grant_type', { enum: ['password', 'refresh_token', 'pkce'] }, true), inCookies],
    body: {
      anyOf: [
        object({ email: text, password: text }),
        object({ refresh_token: text }),
        object({ auth_code: text, code_verifier: text }),
      ],
    },
    answers: [200, session],
  },
  'get /auth/v1/user': { summary: 'The user', answers: [200, user] },
  'put /auth/v1/user': {
    summary: 'Change the address, the password or the details of the user',
    description: 'A new password ends the other sessions.',
    body: object({ email, password, current_password: text, nonce: text, data }, []),
    answers: [200, user],
  },
  'get /auth/v1/reauthenticate': {
    summary: 'Mail a code that confirms a change of the account',
    answers: [200, { type: 'object' }],
  },
  'post /auth/v1/recover': {
    summary: 'Mail a link for a forgotten password',
    description: 'The answer is the same whether or not the address has an account.',
    parameters: [inQuery('redirect_to', { type: 'string', format: 'uri' }, false)],
    body: object({ email }),
    answers: [200, { type: 'object' }],
  },
  'post /auth/v1/verify': {
    summary: 'Sign in with the token of a recovery mail',
    parameters: [inCookies],
    body: object({ type: { const: 'recovery' }, token_hash: text }),
    answers: [200, session],
  },
  'get /auth/v1/verify': {
    summary: 'The link of a recovery mail: signs in and redirects to the app',
    description: 'The part of `Location` after `#` contains the session or the error.',
    parameters: [
      inQuery('token', text, true),
      inQuery('type', { const: 'recovery' }, true),
      inQuery('redirect_to', { type: 'string', format: 'uri' }, false),
    ],
    answers: [303],
  },
  'post /auth/v1/logout': {
    summary: 'Sign out',
    description: 'Access tokens of the ended sessions are refused at once.',
    parameters: [inQuery('scope', { enum: ['global', 'local', 'others'], default: 'global' }, false)],
    answers: [204],
  },
  'get /auth/v1/tokens': {
    summary: 'The personal access tokens',
    answers: [200, { type: 'array', items: token }],
  },
  'post /auth/v1/tokens': {
    summary: 'Create a token for a script or an integration; only this response contains it',
    body: object(
      {
        name: { ...text, maxLength: 100 },
        expires_at: { ...instant, type: ['string', 'null'] },
        read_only: { type: 'boolean' },
      },
      ['name'],
    ),
    answers: [201, { allOf: [token, object({ token: text })] }],
  },
  'delete /auth/v1/tokens/{id}': {
    summary: 'Revoke a token',
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }],
    missing: 'No token has this id.',
    answers: [204],
  },
  'get /auth/v1/.well-known/jwks.json': {
    summary: 'The public keys that verify access tokens',
    answers: [200, object({ keys: { type: 'array', items: { type: 'object' } } })],
  },
  'get /auth/v1/settings': { summary: 'The supported ways to sign in', answers: [200, { type: 'object' }] },
  'get /auth/v1/health': {
    summary: 'Health of the auth API',
    answers: [200, object({ version: text, name: text, description: text })],
  },
};

/** Routes that only respond, in a form that clients know, that a feature is not offered. The description leaves them out. */
export const notOffered: ReadonlySet<string> = new Set([
  'post /auth/v1/otp',
  'post /auth/v1/magiclink',
  'post /auth/v1/resend',
  'get /auth/v1/authorize',
  'post /auth/v1/sso',
  'get /auth/v1/user/identities/authorize',
  'delete /auth/v1/user/identities/{id}',
]);
