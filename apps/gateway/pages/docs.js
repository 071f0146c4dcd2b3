// The reference page runs no inline scripts, so its script is here. It stores only the API key and the token in the local storage of the browser.
const STORED = 'practice-api-docs';
const DOCUMENT = 'docs/openapi.json';
const form = document.getElementById('sign-in');
const say = (text) => {
  form.querySelector('output').value = text;
};
const stored = () => JSON.parse(localStorage.getItem(STORED) ?? 'null');

function claimsOf(token) {
  const bytes = atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/'));
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))));
}

function authorize() {
  const session = stored();
  if (session === null) return;
  const { email, exp } = claimsOf(session.token);
  form.elements.apikey.value = session.apikey;
  form.elements.email.value = email;
  if (exp * 1000 < Date.now()) return say('The session has ended. Sign in again.');
  ui.preauthorizeApiKey('apikey', session.apikey);
  ui.preauthorizeApiKey('bearer', session.token);
  say('Signed in as ' + email + '.');
}

const at = (part, keys) => keys.reduce((within, key) => within?.[key], part);

/** A part of the document with a copy of everything that it refers to. The document has no circular references. */
function resolved(part, document) {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map((each) => resolved(each, document));
  const { $ref, ...own } = part;
  if ($ref !== undefined) return resolved({ ...at(document, $ref.split('/').slice(1)), ...own }, document);
  return Object.fromEntries(Object.entries(own).map(([key, value]) => [key, resolved(value, document)]));
}

const mapped = (part, work) =>
  Object.fromEntries(Object.entries(part).map(([key, each]) => [key, work(each)]));

// swagger-ui needs seconds for the whole document. It gets the list of the calls, and each call when it is opened.
let whole;
const resolver = {
  fn: { resolveSubtree: (_, path) => ({ spec: resolved(at(whole, path), whole), errors: [] }) },
};
function listed(response) {
  if (!response.url.endsWith(DOCUMENT) || whole !== undefined) return response;
  whole = JSON.parse(response.text);
  const { schemas, securitySchemes } = whole.components;
  const paths = mapped(whole.paths, (calls) =>
    mapped(calls, ({ operationId, tags, summary, security }) => ({ operationId, tags, summary, security })),
  );
  return { ...response, text: JSON.stringify({ ...whole, paths, components: { schemas, securitySchemes } }) };
}

const ui = SwaggerUIBundle({
  url: DOCUMENT,
  responseInterceptor: listed,
  dom_id: '#page',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  plugins: [resolver],
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
  }).catch(() => null);
  if (response === null) return say('The server cannot be reached.');
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
