import { afterAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '@practice/operator';
import { runningStack } from '@practice/start';
import { make, newPractice, rowsOf, session, webSocket } from '@practice/testing';

const { baseUrl, apikey, natsUrl } = runningStack();
const env = { BASE_URL: baseUrl, API_KEY: apikey };

const folder = mkdtempSync(join(tmpdir(), 'practice-examples-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Compiles the TypeScript example in strict mode: Node 20 cannot run TypeScript. */
async function compiled(example: string): Promise<string> {
  const compiledFolder = join(projectFolder, 'node_modules', '.cache', 'examples');
  mkdirSync(compiledFolder, { recursive: true });
  writeFileSync(join(compiledFolder, 'package.json'), '{ "type": "module" }\n');
  const tsc = join(projectFolder, 'node_modules', 'typescript-native', 'bin', 'tsc');
  const options = [
    ...['--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node', '--skipLibCheck'],
    ...['--ignoreConfig', '--rootDir', 'examples', '--outDir', compiledFolder],
  ];
  const { status, output } = await session(process.execPath, [tsc, `examples/${example}.ts`, ...options]);
  expect({ status, output }).toEqual({ status: 0, output: '' });
  return join(compiledFolder, `${example}.js`);
}

/** A day within the days that can be booked. */
function tuesdayInTwoWeeks(): string {
  const date = new Date();
  date.setUTCDate(date.getUTCDate() + 14 + ((9 - date.getUTCDay()) % 7));
  return date.toISOString().slice(0, 10);
}

describe('the examples', () => {
  it('curl.sh runs the first day of a practice', async () => {
    const { status, output } = await session('sh', ['examples/curl.sh'], { env });
    expect({ status, output }).toMatchObject({ status: 0 });
    expect(output).toContain('"start_time":"09:00","end_time":"09:50","client_name":"Ada Lovelace"');
    expect(output).toContain('"code":"PM002"');
    expect(output).toContain('[{"status":"completed"}]');
    expect(output).toContain('[{"subjective":"Slept well.","plan":"Go on."}]');
    expect(output).toContain('[{"role":"therapist","content":"Sent the invoice."}]');
  });

  it('supabase.ts runs a first day with supabase-js, and signs out', async () => {
    const { status, output } = await session(process.execPath, [...webSocket, await compiled('supabase')], {
      env,
    });
    expect({ status, output }).toMatchObject({ status: 0 });
    expect(output).toContain('booked Ada Lovelace 09:00 09:50 Individual therapy');
    expect(output).toContain('refused 409 PM002');
    expect(output).toContain('the day 1 ');
    expect(output).toMatch(/signed out 401 PGRST30\d/);
  });

  it('month-end.mjs bills a month, and prints the trial balance as of its end', async () => {
    const { status, output } = await session(process.execPath, [...webSocket, 'examples/month-end.mjs'], {
      env,
    });
    expect({ status, output }).toMatchObject({ status: 0 });
    expect(output).toMatch(/invoice INV-0000\d: 220, due 2026-02-14/);
    expect(output).toContain(
      'accounts_receivable 330 220\ncash 220 150\nexpenses 150 0\nprepaid 220 220\nrevenue 0 330',
    );
  });

  it('import.mjs continues where it was interrupted, and repeats nothing', async () => {
    const practice = await newPractice();
    const { email: EMAIL, password: PASSWORD } = practice;
    const FOLDER = mkdtempSync(join(folder, 'import-'));
    const settings = { ...env, EMAIL, PASSWORD, FOLDER, ROWS: '10' };
    const write = (name: string, lines: readonly string[]) =>
      writeFileSync(join(FOLDER, name), `${lines.join('\n')}\n`);
    const run = () => session(process.execPath, ['examples/import.mjs'], { env: settings });
    // The names of files on a Mac have decomposed letters.
    const clients = Array.from({ length: 15 }, (_, at) => `u\u0308${at},"Ann ""A"", no. ${at}",,030 ${at}`);
    const visits = Array.from({ length: 28 }, (_, at) => {
      const day = `2020-02-${String(at + 1).padStart(2, '0')}`;
      return `v${at},u\u0308${at % 15},${day},09:00,10:00,completed,`;
    });
    const head = 'external_id,client,date,start_time,end_time,status,notes';
    write('clients.csv', ['external_id,name,email,phone', ...clients]);
    write('appointments.csv', [head, ...visits.with(17, 'v17,u\u03082,soon,09:00,10:00,completed,')]);
    const interrupted = await run();
    expect(interrupted).toMatchObject({
      status: 1,
      output: expect.stringContaining('Record at index 7: date must be'),
    });
    const count = (path: string) => rowsOf(practice, `${path}select=count()`);
    expect(await count('appointments?')).toEqual([{ count: 10 }]);
    write('appointments.csv', [head, ...visits]);
    const resumed = await run();
    expect(resumed).toMatchObject({
      status: 0,
      output: expect.stringContaining('appointments: goes on after line 11'),
    });
    rmSync(join(FOLDER, 'place.json'));
    expect(await run()).toMatchObject({ status: 0 });
    expect(await count('appointments?client_id=not.is.null&')).toEqual([{ count: 28 }]);
    expect(await count('clients?name=eq.Ann "A", no. 3&')).toEqual([{ count: 1 }]);
    expect(await count('clients?')).toEqual([{ count: 15 }]);
    expect(await count('appointments_history?')).toEqual([{ count: 28 }]);
  });

  it('log-proof.mjs checks the log, and compares it with the hashes of earlier runs', async () => {
    const { email: EMAIL, password: PASSWORD } = await newPractice();
    const proof = join(folder, 'proof.json');
    const check = () =>
      session(process.execPath, ['examples/log-proof.mjs'], {
        env: { ...env, EMAIL, PASSWORD, PROOF: proof },
      });
    const first = await check();
    expect(first).toMatchObject({ status: 0 });
    expect(first.output).toMatch(/identity: \d+ events, intact, [0-9a-f]{16}\n/);
    const second = await check();
    expect(second).toMatchObject({ status: 0 });
    expect(second.output).toContain('6 earlier hashes compared');
    writeFileSync(
      proof,
      readFileSync(proof, 'utf8').replace(/"head_hash": "[0-9a-f]{4}/, '"head_hash": "0bad'),
    );
    const third = await check();
    expect(third.status).toBe(1);
    expect(third.output).toMatch(/the log up to position \d+ is not the one of the proof/);
  });

  it('assistant.mjs asks which client is meant, books within business hours and logs it', async () => {
    const { status, output } = await session(process.execPath, ['examples/assistant.mjs'], {
      env,
      input: 'ada\nlovelace\n',
    });
    expect({ status, output }).toMatchObject({ status: 0 });
    expect(output.match(/Which ada do you mean: Ada Byron or Ada Lovelace/g)).toHaveLength(2);
    // 10:00 and 11:00 are taken, and 12:00 would end after the practice closes.
    expect(output).toMatch(/< Ada Lovelace is booked on [\d-]{10} at 13:30\.\n2 entries in the log/);
  });

  it('assistant.mjs books a series of weekly appointments', async () => {
    const weekly = { ...env, CLIENT: 'byron', WEEKS: '4' };
    const { status, output } = await session(process.execPath, ['examples/assistant.mjs'], { env: weekly });
    expect({ status, output }).toMatchObject({ status: 0 });
    expect(output).toMatch(/< Ada Byron is booked on [\d-]{10} at 13:30, every week, 4 times\.\n/);
  });

  it('assistant.mjs books nothing without an answer, or on a day without business hours', async () => {
    const unanswered = await session(process.execPath, ['examples/assistant.mjs'], { env });
    expect(unanswered).toMatchObject({ status: 1 });
    expect(unanswered.output).toContain('no client was chosen');
    const tuesday = tuesdayInTwoWeeks();
    const closed = { ...env, DATE: tuesday, CLIENT: 'byron' };
    const { status, output } = await session(process.execPath, ['examples/assistant.mjs'], { env: closed });
    expect({ status, output }).toMatchObject({ status: 0 });
    expect(output).toContain(`< There is no free time within business hours on ${tuesday}`);
  });

  it('undo.mjs undoes the mistakes of an assistant, and then reverts one part of that undo', async () => {
    const { status, output } = await session(process.execPath, ['examples/undo.mjs'], { env });
    expect({ status, output }).toMatchObject({ status: 0 });
    const all = (state: string): string => Array(3).fill(`Ada Lovelace ${state}`).join(', ');
    expect(output).toContain(`before: ${all('scheduled')}\nmistake: ${all('cancelled')}\n`);
    expect(output).toContain(`an undo has 5 events, and nothing has happened: ${all('cancelled')}\n`);
    expect(output).toContain('  clients: ClientContactChanged\n');
    expect(output).toContain('  expenses: ExpenseDeleted\n');
    expect(output).toContain(`after: ${all('scheduled')}\nagain: ${all('cancelled')}\n`);
    expect(output).toMatch(/AppointmentReinstated \(the assistant misunderstood\), undoes scheduling:\d+\n/);
  });

  it('as-of.mjs reads a calendar as it was, with the records of other services', async () => {
    const { status, output } = await session(process.execPath, ['examples/as-of.mjs'], { env });
    expect({ status, output }).toMatchObject({ status: 0 });
    expect(output).toMatch(/^as of \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT:$/m);
    expect(output).toContain(':\n  09:00 Ada Lovelace (1) scheduled\n  10:00 Ada Lovelace (1) scheduled\n');
    expect(output).toContain('now:\n  09:00 Ada Lovelace (2) cancelled\nbefore that: 0 appointments');
  });

  it('erase-client.mjs erases a client, and the certificate is genuine', async () => {
    const { status, output } = await session(process.execPath, ['examples/erase-client.mjs'], { env });
    expect(output).toContain('clients: the values of 1 events are erased');
    expect(output).toContain('client: {"name":null,"phone":null,"status":"active"}');
    expect(output).toContain('"client_name":null,"notes":null');
    expect(output).toContain('log intact: true');
    expect(output).toContain('409 PM016');
    expect(status).toBe(0);
  });

  it('export.mjs downloads the archive of a practice', async () => {
    const archive = join(folder, 'practice.zip');
    const { status, output } = await session(process.execPath, ['examples/export.mjs'], {
      env: { ...env, ARCHIVE: archive },
    });
    expect({ status, output }).toMatchObject({ status: 0 });
    expect(output).toContain('done 100 %\n');
    // The first bytes of a ZIP file.
    expect(readFileSync(archive).toString('latin1', 0, 4)).toBe('PK\u0003\u0004');
  });

  it('webhook.mjs receives a booked appointment, and verifies its signature', async () => {
    const { status, output } = await session(process.execPath, ['examples/webhook.mjs'], { env });
    expect({ status, output }).toMatchObject({ status: 0 });
    expect(output).toContain(
      'practice.scheduling.AppointmentScheduled.v1: a reminder is planned for 2030-01-07 09:00',
    );
  });

  it('subscriber.mjs prints a booked appointment', async () => {
    const subscriber = { NATS_URL: natsUrl('admin'), NAME: `example-${randomUUID()}` };
    const practice = await newPractice();
    const times = { date: '2030-01-07', start_time: '09:00', end_time: '09:50' };
    const { id } = await make(practice, 'appointments', times);
    const { output } = await session(process.execPath, ['examples/subscriber.mjs'], {
      env: subscriber,
      enough: (output) => output.includes(id),
    });
    expect(output).toContain(`1 AppointmentScheduled ${id} 2030-01-07`);
  });
});
