// Exports a practice: every resource and its history, as NDJSON and as CSV, in one ZIP archive. Needs only Node.
//   node examples/export.mjs
//   EMAIL=demo@example.com PASSWORD=… ARCHIVE=practice.zip node examples/export.mjs
import { randomUUID } from 'node:crypto';
import { createWriteStream, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { enter, rest } from './api.mjs';

const { ARCHIVE = join(tmpdir(), `practice-${randomUUID()}.zip`), EMAIL } = process.env;

/** Waits until the archive is complete. If the practice is large, wait longer between two reads: reads are limited. */
async function ended(id) {
  for (;;) {
    const [found] = await rest('GET', `exports?id=eq.${id}`);
    console.log(`${found.status} ${found.progress} %`);
    if (found.status === 'failed') throw new Error(found.problem);
    if (found.status === 'done') return found;
    await wait(1000);
  }
}

// An export requires a sign-in within the last minutes. Without EMAIL, a new practice with one client is exported.
await enter('export');
if (!EMAIL) await rest('POST', 'clients', { name: 'Ada Lovelace' });
// Only this response has the link.
const { id, link } = await rest('POST', 'rpc/export_practice', {});
const { expires_at: until } = await ended(id);
const response = await fetch(link);
if (!response.ok) throw new Error(`the download was answered ${response.status}`);
await pipeline(Readable.fromWeb(response.body), createWriteStream(ARCHIVE, { mode: 0o600 }));
console.log(`${statSync(ARCHIVE).size} bytes in ${ARCHIVE}; the link ends at ${until}`);
