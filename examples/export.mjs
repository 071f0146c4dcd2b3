// Exports a practice: every resource and its history, as NDJSON and as CSV, in one ZIP archive. Needs only Node.
//   node examples/export.mjs
//   EMAIL=demo@example.com PASSWORD=… ARCHIVE=practice.zip node examples/export.mjs
import { randomUUID } from 'node:crypto';
import { createWriteStream, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';

const { BASE_URL, API_KEY, DATA_DIR = '.data', EMAIL, PASSWORD } = process.env;
const { ARCHIVE = join(tmpdir(), `practice-${randomUUID()}.zip`) } = process.env;
const run = () => JSON.parse(readFileSync(join(DATA_DIR, 'run.json'), 'utf8'));
const api = { baseUrl: BASE_URL ?? run().base_url, key: API_KEY ?? run().apikey, token: undefined };

async function call(method, path, body) {
  const headers = { apikey: api.key, 'Content-Type': 'application/json' };
  if (api.token) headers.Authorization = `Bearer ${api.token}`;
  const response = await fetch(`${api.baseUrl}${path}`, {
    method,
    headers,
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** An export requires a sign-in within the last minutes. Without EMAIL, a new practice with one client is exported. */
async function enter() {
  if (EMAIL) return call('POST', '/auth/v1/token?grant_type=password', { email: EMAIL, password: PASSWORD });
  const email = `export-${randomUUID()}@example.com`;
  return call('POST', '/auth/v1/signup', { email, password: 'a long pass phrase' });
}

/** Waits until the archive is complete. Wait longer between two questions if the practice is large: reads are limited. */
async function ended(id) {
  for (;;) {
    const [found] = await call('GET', `/rest/v1/exports?id=eq.${id}`);
    console.log(`${found.status} ${found.progress} %`);
    if (found.status === 'failed') throw new Error(found.problem);
    if (found.status === 'done') return found;
    await wait(1000);
  }
}

const { access_token: token } = await enter();
api.token = token;
if (!EMAIL) await call('POST', '/rest/v1/clients', { name: 'Ada Lovelace' });
// Only this response has the link.
const { id, link } = await call('POST', '/rest/v1/rpc/export_practice', {});
const { expires_at: until } = await ended(id);
const response = await fetch(link);
if (!response.ok) throw new Error(`the download was answered ${response.status}`);
await pipeline(Readable.fromWeb(response.body), createWriteStream(ARCHIVE, { mode: 0o600 }));
console.log(`${statSync(ARCHIVE).size} bytes in ${ARCHIVE}; the link ends at ${until}`);
