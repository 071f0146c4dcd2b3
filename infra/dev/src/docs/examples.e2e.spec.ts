import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newPractice } from '@practice/testing';
import { projectFolder } from '../processes/app.js';
import { runningStack } from '../running-stack.config.js';
import { session, webSocket } from './session.js';

const { baseUrl, apikey, natsUrl } = runningStack();
const env = { BASE_URL: baseUrl, API_KEY: apikey };

/** Compiles the TypeScript example in strict mode: Node 20 cannot run TypeScript. */
async function compiled(example: string): Promise<string> {
  const folder = join(projectFolder, 'node_modules', '.cache', 'examples');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  const tsc = join(projectFolder, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = [
    ...['--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node', '--skipLibCheck'],
    ...['--ignoreConfig', '--rootDir', 'examples', '--outDir', folder],
  ];
  const { status, output } = await session(process.execPath, [tsc, `examples/${example}.ts`, ...options]);
  expect({ status, output }).toEqual({ status: 0, output: '' });
  return join(folder, `${example}.js`);
}

describe('the examples', () => {
  it('curl.sh runs a first day', async () => {
    const { status, output } = await session('sh', ['examples/curl.sh'], { env });
    expect({ status, output }).toMatchObject({ status: 0 });
    expect(output).toContain('"start_time":"09:00","end_time":"09:50","client_name":"Ada Lovelace"');
    expect(output).toContain('"code":"PM002"');
    expect(output).toContain('[{"status":"completed"}]');
    expect(output).toContain('[{"subjective":"Slept well.","plan":"Go on."}]');
    expect(output).toContain('[{"role":"therapist","content":"Sent the invoice."}]');
  }, 30_000);

  it('supabase.ts runs it with supabase-js, and signs out', async () => {
    const { status, output } = await session(process.execPath, [...webSocket, await compiled('supabase')], {
      env,
    });
    expect({ status, output }).toMatchObject({ status: 0 });
    expect(output).toContain('booked Ada Lovelace 09:00 09:50 Individual therapy');
    expect(output).toContain('refused 409 PM002');
    expect(output).toContain('the day 1 ');
    expect(output).toMatch(/signed out 401 PGRST30\d/);
  }, 60_000);

  it('assistant.mjs asks which client is meant, books within business hours and logs it', async () => {
    const { status, output } = await session(process.execPath, ['examples/assistant.mjs'], {
      env,
      input: 'ada\nlovelace\n',
    });
    expect({ status, output }).toMatchObject({ status: 0 });
    expect(output.match(/Which ada do you mean: Ada Byron or Ada Lovelace/g)).toHaveLength(2);
    // 10:00 and 11:00 are taken, and 12:00 would end after the practice closes.
    expect(output).toContain('< Ada Lovelace is booked on 2030-01-07 at 13:30.\n2 entries in the log');
  }, 30_000);

  it('assistant.mjs books nothing without an answer, or on a day without business hours', async () => {
    const unanswered = await session(process.execPath, ['examples/assistant.mjs'], { env });
    expect(unanswered).toMatchObject({ status: 1 });
    expect(unanswered.output).toContain('no client was chosen');
    const closed = { ...env, DATE: '2030-01-08', CLIENT: 'byron' };
    const { status, output } = await session(process.execPath, ['examples/assistant.mjs'], { env: closed });
    expect({ status, output }).toMatchObject({ status: 0 });
    expect(output).toContain('< There is no free time within business hours on 2030-01-08');
  }, 30_000);

  it('subscriber.mjs prints a booked appointment', async () => {
    const subscriber = { NATS_URL: natsUrl('admin'), NAME: `example-${randomUUID()}` };
    const practice = await newPractice();
    const { json } = await practice.rest('appointments?select=id', {
      method: 'POST',
      headers: { Prefer: 'return=representation' },
      body: { date: '2030-01-07', start_time: '09:00', end_time: '09:50' },
    });
    const [{ id }] = json as [{ id: string }];
    const { output } = await session(process.execPath, ['examples/subscriber.mjs'], {
      env: subscriber,
      enough: (output) => output.includes(id),
    });
    expect(output).toContain(`1 AppointmentScheduled ${id} 2030-01-07`);
  }, 30_000);
});
