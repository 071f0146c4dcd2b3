// Imports clients and appointments from two CSV files, under the ordinary limits. It can be stopped and started again at any time: it
// stores its place in a file, and finds records again by their `external_id`. Needs only Node.
//   node examples/import.mjs                                   makes a sample, and imports it into a new practice
//   EMAIL=… PASSWORD=… FOLDER=old-system node examples/import.mjs
// FOLDER has clients.csv (external_id,name,email,phone) and appointments.csv (external_id,client,date,start_time,end_time,status,notes),
// where `client` is the external id of a client. CLIENTS and VISITS are the sizes of the sample, ROWS that of a request.
import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { apikey, baseUrl } from './api.mjs';

const { EMAIL, PASSWORD = 'a long pass phrase' } = process.env;
const {
  FOLDER = join(tmpdir(), `import-${randomUUID()}`),
  CLIENTS = '2000',
  VISITS = '20000',
  ROWS = '500',
} = process.env;
let token;

/** The highest number of times that a request is sent. */
const ATTEMPTS = 10;

/**
 * Sends a request. If it is refused for now, sends it again after the time in the response. Also sends it again after 504, since a
 * repeated upsert changes nothing.
 */
async function send(method, path, { body, form, headers = {} } = {}) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...{ apikey: apikey(), 'Content-Type': 'application/json', ...headers },
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      body: form ?? (body && JSON.stringify(body)),
    });
    const text = await response.text();
    if (response.ok) return text === '' ? undefined : JSON.parse(text);
    const after = response.headers.get('retry-after') ?? (response.status === 504 ? 1 : null);
    if (after === null || attempt === ATTEMPTS)
      throw new Error(`${method} ${path}: ${response.status} ${text}`);
    console.log(`waits ${after} s (${response.status})`);
    await wait(Number(after) * 1_000);
  }
}

/** The rows of a CSV file after line `from`, each with its line number. Fields in quotes may contain commas, but no line breaks. */
async function* rowsOf(file, from) {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  let names;
  let number = 0;
  for await (const line of lines) {
    number += 1;
    const fields = [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
      ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain,
    );
    if (names === undefined) names = fields;
    else if (number > from && line !== '')
      yield { after: number, row: Object.fromEntries(names.map((name, at) => [name, fields[at] || null])) };
  }
}

/** The lines that are done, by file. A repeated request changes nothing, so the place may be a little behind. */
const placeFile = join(FOLDER, 'place.json');
const place = existsSync(placeFile) ? JSON.parse(readFileSync(placeFile, 'utf8')) : {};

/** Upserts the rows of a file. @param prepared turns the rows of one request into records */
async function importFile(name, prepared) {
  let rows = [];
  let after = place[name] ?? 0;
  if (after > 0) console.log(`${name}: goes on after line ${after}`);
  const flush = async () => {
    if (rows.length === 0) return;
    const records = await prepared(rows);
    await send('POST', `/rest/v1/${name}?on_conflict=external_id`, {
      body: records,
      headers: { Prefer: 'resolution=merge-duplicates,return=minimal' },
    });
    place[name] = after;
    writeFileSync(placeFile, JSON.stringify(place));
    console.log(`${name}: ${after - 1} rows`);
    rows = [];
  };
  for await (const next of rowsOf(join(FOLDER, `${name}.csv`), after)) {
    rows.push(next.row);
    after = next.after;
    if (rows.length === Number(ROWS)) await flush();
  }
  await flush();
}

/** The ids of the clients with these external ids. The API has all texts in the Unicode form NFC. */
async function idsOf(externalIds) {
  const list = [...new Set(externalIds)].map((id) => JSON.stringify(id)).join(',');
  const query = `select=id,external_id&external_id=in.(${encodeURIComponent(list)})`;
  const found = await send('QUERY', '/rest/v1/clients', {
    form: query,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  return new Map(found.map(({ id, external_id }) => [external_id, id]));
}

/** A practice with 10 visits for each client, one at a time. */
function makeSample() {
  mkdirSync(FOLDER, { recursive: true });
  const clients = Array.from(
    { length: Number(CLIENTS) },
    (_, at) => `c${at},"Client, no. ${at}",c${at}@example.com,`,
  );
  const visits = Array.from({ length: Number(VISITS) }, (_, at) => {
    const day = new Date(Date.UTC(2015, 0, 1 + Math.floor(at / 8))).toISOString().slice(0, 10);
    const hour = String(9 + (at % 8)).padStart(2, '0');
    return `v${at},c${at % Number(CLIENTS)},${day},${hour}:00,${hour}:50,completed,`;
  });
  writeFileSync(join(FOLDER, 'clients.csv'), ['external_id,name,email,phone', ...clients, ''].join('\n'));
  const header = 'external_id,client,date,start_time,end_time,status,notes';
  writeFileSync(join(FOLDER, 'appointments.csv'), [header, ...visits, ''].join('\n'));
}

if (!existsSync(join(FOLDER, 'clients.csv'))) makeSample();
const signIn = '/auth/v1/token?grant_type=password';
const known = EMAIL === undefined ? place.account : { email: EMAIL, password: PASSWORD };
if (EMAIL === undefined)
  place.account ??= { email: `import-${randomUUID()}@example.com`, password: PASSWORD };
const path = known === undefined ? '/auth/v1/signup' : signIn;
token = (await send('POST', path, { body: known ?? place.account })).access_token;

const began = performance.now();
await importFile('clients', (rows) => rows);
await importFile('appointments', async (rows) => {
  const ids = await idsOf(rows.map(({ client }) => client));
  return rows.map(({ client, ...row }) => {
    const id = ids.get(client?.normalize()) ?? null;
    if (client !== null && id === null) throw new Error(`${row.external_id}: no client ${client}`);
    return { ...row, client_id: id };
  });
});
console.log(`done in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
