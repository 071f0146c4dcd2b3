// The reference page: swagger-ui with files of this server only. Links are relative, so a path prefix does not matter.

export const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Practice API</title>
    <link rel="icon" href="docs/favicon-32x32.png">
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <style>
      #sign-in { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; max-width: 1460px; margin: 0 auto;
        padding: 1rem 20px; font-family: sans-serif; font-size: 14px }
      #sign-in input { padding: .4rem; border: 1px solid #888; border-radius: 4px }
      #sign-in button { padding: .4rem .8rem }
    </style>
  </head>
  <body>
    <form id="sign-in">
      <input name="apikey" placeholder="API key" aria-label="API key" size="28" required>
      <input name="email" type="email" placeholder="E-mail" aria-label="E-mail" autocomplete="username" required>
      <input name="password" type="password" placeholder="Password" aria-label="Password" minlength="8"
        autocomplete="current-password" required>
      <button name="token">Sign in</button>
      <button name="signup">Sign up</button>
      <button name="out" type="button">Sign out</button>
      <output aria-live="polite">Sign in to try the calls below.</output>
    </form>
    <div id="page"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

/** A file of its own, because the page runs no inline scripts. It keeps the API key and the token in the browser's local storage, nothing else. */
export const START = `const STORED = 'practice-api-docs';
const form = document.getElementById('sign-in');
const say = (text) => { form.querySelector('output').value = text; };
const stored = () => JSON.parse(localStorage.getItem(STORED) ?? 'null');

function addressIn(token) {
  const bytes = atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/'));
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))).email;
}

function authorize() {
  const session = stored();
  if (session === null) return;
  form.elements.apikey.value = session.apikey;
  const email = addressIn(session.token);
  form.elements.email.value = email;
  ui.preauthorizeApiKey('apikey', session.apikey);
  ui.preauthorizeApiKey('bearer', session.token);
  say('Signed in as ' + email + '.');
}

const ui = SwaggerUIBundle({
  url: 'docs/openapi.json',
  dom_id: '#page',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  onComplete: authorize,
});

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { apikey, email, password } = Object.fromEntries(new FormData(form));
  const call = event.submitter?.name === 'signup' ? 'signup' : 'token?grant_type=password';
  const response = await fetch('auth/v1/' + call, {
    method: 'POST',
    headers: { apikey, 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01' },
    body: JSON.stringify({ email, password }),
  });
  const answer = await response.json();
  if (!response.ok) return say(answer.message);
  if (!answer.access_token) return say('Open the link that we have mailed to you, then sign in.');
  localStorage.setItem(STORED, JSON.stringify({ apikey, token: answer.access_token }));
  form.elements.password.value = '';
  authorize();
});

form.elements.out.addEventListener('click', () => {
  localStorage.removeItem(STORED);
  location.reload();
});
`;

/** The files of swagger-ui that the page uses. */
export const RENDERER: ReadonlySet<string> = new Set([
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'favicon-32x32.png',
]);

/**
 * The page may run, show and call files of this server only. swagger-ui has small pictures in its style sheet and sets
 * style attributes.
 */
export const PAGE_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Cache-Control': 'no-cache',
} as const;
