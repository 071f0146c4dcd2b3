// The forms of the consent page, as HTML without script.

import { isAskedApart } from '@practice/contracts';
import { escaped } from '../openapi/pages.js';

/** An authorization as the auth API describes it. */
export interface Authorization {
  readonly authorization_id: string;
  readonly redirect_uri: string;
  readonly client: { readonly id: string; readonly name: string };
  readonly user: { readonly email: string };
  readonly scope: string;
  readonly therapist_id: string;
  readonly practices: readonly {
    readonly therapist_id: string;
    readonly name: string;
    readonly role: string;
    readonly scopes: readonly string[];
  }[];
}

const DAYS = [30, 90, 365];
const PRESET_DAYS = 90;

const hiddenInputs = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}" />`)
    .join('');

/** A form that posts back to its own page. @param fields HTML */
export const form = (action: string, hidden: Readonly<Record<string, string>>, fields: string): string =>
  `<form method="post" action="${action}">${hiddenInputs(hidden)}${fields}</form>`;

/** @param next the page to return to, with its query */
export const signInForm = (next: string): string =>
  form(
    'sign-in',
    { next },
    `<label>E-mail <input name="email" type="email" autocomplete="username" required /></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required /></label>
<button>Sign in</button>`,
  ) + passkeyLink(next);

/** For people who have no password at hand, or no authenticator app. */
export const passkeyLink = (next: string): string =>
  `<p><a href="passkey?next=${encodeURIComponent(next)}">Use a passkey</a></p>`;

/** The form that signs a challenge with a passkey and then leads to the page `next`. */
export const passkeyForm = ({ next, id, options }: { next: string; id: string; options: object }): string =>
  `<form method="post" action="passkey" data-options="${escaped(JSON.stringify(options))}">
${hiddenInputs({ next, challenge_id: id, credential: '' })}
<p id="failure" role="alert"></p>
<noscript><p>A passkey needs JavaScript in your browser. Without it, go back and use your password.</p></noscript>
<button>Use a passkey</button></form>`;

export const codeForm = (next: string): string =>
  form(
    'code',
    { next },
    `<label>Code of your authenticator app <input name="code" inputmode="numeric" autocomplete="one-time-code" required /></label>
<button>Continue</button>`,
  ) + passkeyLink(next);

export const deviceForm = (userCode: string): string =>
  form(
    'device',
    {},
    `<p>Type the code that your device shows. Continue only if you have started the device yourself.</p>
<label>Code <input name="user_code" value="${escaped(userCode)}" autocomplete="off" required /></label>
<button>Continue</button>`,
  );

/** The consent form. It shows the app, the receiver of the answer, the practices, the scopes and the end of the access. */
export function consentForm(asked: Authorization): string {
  const { client, redirect_uri: redirect, user, practices, scope } = asked;
  const own = scope.split(' ');
  const wanted = [...new Set(practices.flatMap(({ scopes }) => scopes))];
  const isWrite = (one: string): boolean => /:write$|^rpc:/.test(one);
  const plain = wanted.filter((one) => !isAskedApart(one));
  return `<p><strong>${escaped(client.name)}</strong> asks for access to your practice. ${targetOf(redirect)}</p>
<p>The app: <code>${escaped(client.id)}</code></p>
<p>You are signed in as ${escaped(user.email)}.</p>
${own.includes('email') ? '<p>The app gets your e-mail address.</p>' : ''}
${own.includes('profile') ? '<p>The app gets your name.</p>' : ''}
${form(
  'consent',
  { authorization_id: asked.authorization_id },
  `${choices('Practice', practices.map(practiceChoice(asked)))}
${choices('It may read', plain.filter((one) => !isWrite(one)).map(scopeChoice(true)))}
${choices('It may change', plain.filter(isWrite).map(scopeChoice(true)))}
${choices('Session notes and everything: only if you are sure', wanted.filter(isAskedApart).map(scopeChoice(false)), 'apart')}
<label>Until <select name="days">${DAYS.map(dayChoice).join('')}</select></label>
<button name="action" value="approve">Give access</button> <button name="action" value="deny">Deny</button>`,
)}`;
}

const targetOf = (redirect: string): string =>
  redirect === ''
    ? 'The answer goes to the device that shows the code.'
    : `The answer goes to <strong>${escaped(new URL(redirect).host || redirect)}</strong>.`;

const choices = (legend: string, labels: readonly string[], kind = ''): string =>
  labels.length === 0
    ? ''
    : `<fieldset class="${kind}"><legend>${legend}</legend>${labels.join('')}</fieldset>`;

const practiceChoice =
  ({ therapist_id: current, practices }: Authorization) =>
  ({ therapist_id: id, name, role }: Authorization['practices'][number], index: number): string => {
    const isChosen = practices.some((one) => one.therapist_id === current) ? id === current : index === 0;
    return `<label><input type="radio" name="therapist_id" value="${id}"${isChosen ? ' checked' : ''} /> ${labelOf(name, id, practices)} (${role})</label>`;
  };

/** The name of a practice, with its id if the name is empty or another practice has the same name. */
const labelOf = (name: string, id: string, practices: Authorization['practices']): string =>
  name === '' || practices.some((one) => one.name === name && one.therapist_id !== id)
    ? `${escaped(name)} ${id}`
    : escaped(name);

const scopeChoice =
  (isChosen: boolean) =>
  (scope: string): string =>
    `<label><input type="checkbox" name="scope" value="${scope}"${isChosen ? ' checked' : ''} /> ${scope}</label>`;

const dayChoice = (days: number): string =>
  `<option value="${days}"${days === PRESET_DAYS ? ' selected' : ''}>in ${days} days</option>`;
