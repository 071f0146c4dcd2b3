import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  auth,
  call,
  eventually,
  newPractice,
  ownStack,
  patient,
  readStatus,
  rowsOf,
  signIn,
  wireTo,
} from '@practice/testing';
import type { OwnStack, Practice, Wire } from '@practice/testing';
import jwt from 'jsonwebtoken';
import pg from 'pg';

type Process = Awaited<ReturnType<OwnStack['start']>>;

let own: OwnStack;
let wire: Wire;
let identity: Process;
let gateway: Process;
/** A second gateway whose connection to NATS can be cut. */
let cuttable: Process;

const secret = 'another issuer, which knows the members of a practice';
const issuer = 'https://members.example.com';
/** A token of another issuer for the owner of a practice. */
const foreignToken = ({ therapistId }: Practice): string =>
  jwt.sign({ iss: issuer, sub: therapistId, role: 'authenticated', aud: 'authenticated' }, secret, {
    expiresIn: 600,
  });

beforeAll(async () => {
  own = await ownStack();
  wire = await wireTo(own.natsUrl('gateway'));
  [identity, gateway, cuttable] = await Promise.all([
    own.start('identity'),
    own.start('gateway'),
    own.start('gateway', { NATS_URL: wire.url, JWT_SECRET: secret, JWT_ISSUER: issuer }),
    own.start('scheduling'),
  ]);
});
afterAll(async () => {
  await wire.close();
  await own.stop();
});

/** Whether the gateway that can be cut off reports that it is ready. */
const isReady = async (): Promise<boolean> => (await fetch(`${cuttable.origin}/readyz`)).status === 200;

describe('a gateway that was cut off from the bus', () => {
  afterEach(() => wire.restore());

  it('refuses sessions that ended meanwhile', async () => {
    const { token } = await newPractice(gateway.origin);
    expect(await readStatus(token, cuttable.origin)).toBe(200);
    wire.cut();
    await eventually('the gateway is not ready', async () => !(await isReady()));
    expect((await auth('POST', 'logout', { token, origin: gateway.origin })).status).toBe(204);
    expect(await readStatus(token, cuttable.origin)).toBe(503);
    wire.restore();
    const seen: number[] = [];
    await eventually('it answers again', async () => {
      seen.push(await readStatus(token, cuttable.origin));
      return seen.at(-1) !== 503;
    });
    expect(seen.filter((status) => status !== 503)).toEqual([401]);
  });
});

describe('while the identity service is unavailable', () => {
  afterEach(() => wire.restore());

  it('signed-in callers continue, a sign-in is 503, and a gateway without fresh state accepts no token', async () => {
    const practice = await newPractice(gateway.origin);
    const foreign = foreignToken(practice);
    for (const token of [practice.token, foreign]) expect(await readStatus(token, cuttable.origin)).toBe(200);
    await identity.stop();

    for (const { origin } of [gateway, cuttable]) expect(await readStatus(practice.token, origin)).toBe(200);
    expect(await readStatus(foreign, cuttable.origin)).toBe(200);
    const refused = await signIn(practice, gateway.origin);
    expect(refused).toMatchObject({
      status: 503,
      json: { error_code: 'PM503', details: 'Retry after 1 second.' },
    });
    expect(refused.headers.get('retry-after')).toBe('1');

    wire.cut();
    await eventually('the gateway is not ready', async () => !(await isReady()));
    wire.restore();
    // The gateway missed every change while it was cut off: the person may have been removed.
    for (const token of [practice.token, foreign]) expect(await readStatus(token, cuttable.origin)).toBe(503);
    expect(await readStatus(practice.token, gateway.origin)).toBe(200);

    identity = await own.start('identity');
    await eventually('the gateway is ready', isReady);
    for (const token of [practice.token, foreign]) expect(await readStatus(token, cuttable.origin)).toBe(200);
    expect((await patient(() => signIn(practice, gateway.origin))).status).toBe(200);
  });
});

describe('while the log of a practice is locked', () => {
  it('a call that is carried out but cannot be recorded is 504 without Retry-After', async () => {
    const { token, therapistId } = await newPractice(gateway.origin);
    const call = { token, origin: gateway.origin };
    const admin = new pg.Client({ connectionString: own.adminDatabaseUrl });
    await admin.connect();
    await admin.query('BEGIN');
    await admin.query('SELECT FROM identity.practice_head WHERE therapist_id = $1 FOR UPDATE', [therapistId]);
    const made = await auth('POST', 'tokens', { ...call, body: { name: 'script' } }).finally(() =>
      admin.end(),
    );
    expect(made).toMatchObject({
      status: 504,
      json: { error_code: 'PM504', message: expect.stringContaining('was carried out') },
    });
    expect(made.headers.get('retry-after')).toBeNull();
    expect((await auth('GET', 'tokens', call)).json).toMatchObject([{ name: 'script' }]);
  });
});

describe('an export whose gateway is killed', () => {
  it('fails instead of running forever, and another export can begin', async () => {
    const practice = await newPractice(gateway.origin);
    const maker = await own.start('gateway');
    const headers = { authorization: `Bearer ${practice.token}` };
    const begun = (origin: string) =>
      call('/rest/v1/rpc/export_practice', { method: 'POST', body: {}, headers, origin });
    const listed = () => rowsOf(practice, 'exports?select=status,problem&order=id');
    // The export cannot end, because this system has no clients service.
    expect((await begun(maker.origin)).status).toBe(200);
    process.kill(maker.pid, 'SIGKILL');
    expect(await listed()).toEqual([{ status: 'running', problem: null }]);
    expect(await begun(gateway.origin)).toMatchObject({ status: 409, json: { code: 'PM014' } });
    const admin = new pg.Client({ connectionString: own.adminDatabaseUrl });
    await admin.connect();
    // Ends the lease.
    await admin.query('UPDATE identity.archives SET alive_until = now()');
    await eventually('the export has failed', async () => JSON.stringify(await listed()).includes('failed'));
    expect(await listed()).toMatchObject([{ status: 'failed', problem: expect.stringContaining('stopped') }]);
    expect((await admin.query('SELECT FROM identity.archives')).rowCount).toBe(0);
    await admin.end();
    expect((await begun(gateway.origin)).status).toBe(200);
  });

  it('fails at once when the gateway stops', async () => {
    const practice = await newPractice(gateway.origin);
    const maker = await own.start('gateway');
    const headers = { authorization: `Bearer ${practice.token}` };
    await call('/rest/v1/rpc/export_practice', { method: 'POST', body: {}, headers, origin: maker.origin });
    await maker.stop();
    expect(await rowsOf(practice, 'exports?select=status,problem')).toEqual([
      { status: 'failed', problem: 'the process that made the archive was stopped' },
    ]);
  });
});
