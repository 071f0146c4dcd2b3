// The page behind the link of an invitation, where the API has no app of its own to link to (`SITE_URL`). It signs up or signs in
// with the calls that any app uses, accepts, and keeps nothing in the browser.

import { createHash } from 'node:crypto';

const STYLE = `body{font:1rem/1.5 system-ui,sans-serif;max-width:24rem;margin:4rem auto;padding:0 1rem}
label{display:block;margin:.75rem 0}input{display:block;box-sizing:border-box;width:100%;padding:.4rem;font:inherit}
button{padding:.4rem .8rem;font:inherit}output{display:block;margin-top:1rem}[hidden]{display:none}`;

const SCRIPT = `const token = new URLSearchParams(location.search).get('invitation');
const apikey = document.querySelector('meta[name=apikey]').content;
const form = document.querySelector('form');
const say = (text) => { form.querySelector('output').value = text; };

async function call(path, body, bearer) {
  const headers = { apikey, 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01' };
  if (bearer) headers.authorization = 'Bearer ' + bearer;
  const response = await fetch(path, { method: 'POST', headers, credentials: 'omit', body: JSON.stringify(body) });
  const text = await response.text();
  const answer = text === '' ? {} : JSON.parse(text);
  if (!response.ok) throw new Error([answer.message, answer.hint].filter(Boolean).join('. '));
  return answer;
}

const signUp = (email, password) =>
  call('auth/v1/signup', { email, password, data: { invitation: token } }).then((session) => session.access_token);

async function signIn(email, password, code) {
  const { access_token: first, user } = await call('auth/v1/token?grant_type=password', { email, password });
  const factor = (user.factors ?? []).find(({ status }) => status === 'verified');
  if (factor && !code) {
    form.elements.code.parentElement.hidden = false;
    throw new Error('Enter the code of your authenticator app, and sign in again.');
  }
  let bearer = first;
  if (factor) {
    const path = 'auth/v1/factors/' + factor.id;
    const { id } = await call(path + '/challenge', {}, first);
    bearer = (await call(path + '/verify', { challenge_id: id, code }, first)).access_token;
  }
  await call('rest/v1/rpc/accept_invitation', { token }, bearer);
  return bearer;
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { email, password, code } = Object.fromEntries(new FormData(form));
  try {
    const isNew = event.submitter?.name === 'signup';
    const bearer = await (isNew ? signUp(email, password) : signIn(email, password, code));
    await call('auth/v1/logout?scope=local', {}, bearer);
    form.querySelector('fieldset').hidden = true;
    say('You are a member of the practice now. Sign in to your app.');
  } catch (error) {
    say(error.message);
  }
});
`;

/** @param anonKey the API key, which is public */
export const invitationPage = (anonKey: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="apikey" content="${anonKey.replaceAll(/[&"<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)}">
    <title>Invitation to a practice</title>
    <link rel="icon" href="docs/favicon-32x32.png">
    <style>${STYLE}</style>
  </head>
  <body>
    <h1>You are invited to a practice</h1>
    <noscript><p>This page needs JavaScript.</p></noscript>
    <form>
      <fieldset>
        <p>Use the address that got the mail. If it has no account yet, sign up.</p>
        <label>E-mail <input name="email" type="email" autocomplete="username" required></label>
        <label>Password <input name="password" type="password" minlength="8" autocomplete="current-password" required></label>
        <label hidden>Code <input name="code" inputmode="numeric" autocomplete="one-time-code"></label>
        <button name="signin">Sign in and accept</button>
        <button name="signup">Sign up and accept</button>
      </fieldset>
      <output aria-live="polite"></output>
    </form>
    <script>${SCRIPT}</script>
  </body>
</html>
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The page may run its own script, which calls this API, and nothing else. */
export const INVITATION_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    `script-src ${hashOf(SCRIPT)}`,
    `style-src ${hashOf(STYLE)}`,
    "connect-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
} as const;
