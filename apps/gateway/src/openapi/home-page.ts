// The response to `/`: a short introduction and links to start from. Links are relative, so the API also works below a path prefix.

import { createHash } from 'node:crypto';

const ABOUT =
  'The data API of a therapy practice: appointments, clients, session notes, services and expenses.';
const KEY =
  'Every call needs an API key in the `apikey` header. `npm start` prints the key and writes it to `run.json` in its data folder.';

/** The same for programs. */
export const HOME_JSON = JSON.stringify({
  name: 'Practice API',
  description: ABOUT,
  docs: 'docs',
  openapi: 'docs/openapi.json',
  health: 'readyz',
  rest: 'rest/v1/',
  auth: 'auth/v1/',
  apikey: KEY,
});

const STYLE =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}code{background:#8882}';

export const HOME_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Practice API</title>
    <link rel="icon" href="docs/favicon-32x32.png">
    <style>${STYLE}</style>
  </head>
  <body>
    <h1>Practice API</h1>
    <p>${ABOUT}</p>
    <ul>
      <li><a href="docs">Reference</a>: every call, with examples that you can run</li>
      <li><a href="docs/openapi.json">OpenAPI document</a></li>
      <li><a href="readyz">Health</a></li>
    </ul>
    <p>${KEY.replaceAll(/`([^`]+)`/g, '<code>$1</code>')}</p>
  </body>
</html>
`;

/** The page may use its own style and the icon, and nothing else. */
export const HOME_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
} as const;
