// Writes without a response, and writes that take long. A caller may send a write again if nothing was written, or if
// it has an Idempotency-Key. Otherwise the error says that the outcome is unknown.

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { answered, eventually, newPractice, ownStack, patient, startHeld, wireTo } from '@practice/testing';
import type { Answer, OwnStack, Practice, Wire } from '@practice/testing';
import pg from 'pg';

let own: OwnStack;
let admin: pg.Client;
let gateway: Awaited<ReturnType<OwnStack['start']>>;
let finance: typeof gateway;
let toPostgres: Wire;
let toNats: Wire;
/** A practice for writes without a key, and one for writes with a key. */
let practices: readonly Practice[];

beforeAll(async () => {
  own = await ownStack();
  [toPostgres, toNats] = await Promise.all([
    wireTo(own.databaseUrl('finance')),
    wireTo(own.natsUrl('gateway')),
  ]);
  await Promise.all([
    own.start('gateway', { NATS_URL: toNats.url }).then((started) => (gateway = started)),
    own.start('identity'),
    startFinance().then((started) => (finance = started)),
  ]);
  admin = new pg.Client({ connectionString: own.adminDatabaseUrl });
  await admin.connect();
  practices = await Promise.all([newPractice(gateway.origin), newPractice(gateway.origin)]);
  // The first write of a practice opens its log.
  expect((await patient(() => spend('first'))).status).toBe(201);
  await carriedOut('first');
});

afterEach(async () => {
  await admin.query('ROLLBACK; DROP TRIGGER IF EXISTS slow ON finance.expenses');
});

afterAll(async () => {
  await admin.end();
  await own.stop();
  await Promise.all([toPostgres.close(), toNats.close()]);
});

const startFinance = (settings: Record<string, string> = {}): ReturnType<OwnStack['start']> =>
  own.start('finance', { DATABASE_URL: toPostgres.url, ...settings });

/** Starts the next process of finance, and holds it back. */
const startAndHold = async () =>
  startHeld({
    ...{ service: 'finance', dataDir: own.dataDir, lock: admin, start: startFinance },
    therapistId: (await newPractice(gateway.origin)).therapistId,
  });

/** How many transactions wait for a lock on this table of finance, or on one of its rows. */
async function waiting(table: string): Promise<number> {
  const { rows } = await admin.query<{ count: number }>(
    `SELECT count(DISTINCT waiting.pid)::int FROM pg_locks waiting JOIN pg_locks held USING (pid)
    WHERE NOT waiting.granted AND 'finance.${table}'::regclass IN (waiting.relation, held.relation)`,
  );
  return rows[0]?.count ?? Number.NaN;
}

function spend(
  vendor: string,
  { key, records = 1, origin = gateway.origin }: { key?: string; records?: number; origin?: string } = {},
): Promise<Answer> {
  const practice = practices[key === undefined ? 0 : 1] as Practice;
  return practice.rest('expenses', {
    method: 'POST',
    origin,
    headers: key === undefined ? {} : { 'idempotency-key': key },
    body: Array.from({ length: records }, () => ({ date: '2026-01-05', amount: 12, vendor })),
  });
}

/**
 * Sends a write without a key and a write with the vendor as its key. Each has this number of records.
 * @param origin the gateway of the write with a key
 */
const spendTwice = (vendor: string, records = 1, origin = gateway.origin): Promise<Answer>[] => [
  spend(vendor, { records }),
  spend(`${vendor} with a key`, { key: vendor, records, origin }),
];

/** Repeats the write with a key of `spendTwice` until it is carried out. */
async function carriedOut(vendor: string, records = 1): Promise<void> {
  const sent = () => spend(`${vendor} with a key`, { key: vendor, records });
  expect((await answered('the write', sent)).status).toBe(201);
}

async function countOf(vendor: string): Promise<number> {
  const { rows } = await admin.query<{ count: number }>(
    'SELECT count(*)::int FROM finance.expenses WHERE vendor = $1',
    [vendor],
  );
  return rows[0]?.count ?? Number.NaN;
}

const problemOf = ({ status, headers, json }: Answer): object => ({
  ...(json as object),
  status,
  retryAfter: headers.get('retry-after'),
});

const unknown = expect.objectContaining({
  status: 504,
  retryAfter: null,
  code: 'PM504',
  message: 'The outcome of this write is unknown. Check whether it was carried out before you repeat it.',
  details: null,
  hint: 'Send an Idempotency-Key with a write, so that it can be repeated safely.',
});
const repeatable = expect.objectContaining({
  status: 503,
  retryAfter: '1',
  code: 'PM503',
  message: 'The outcome of this write is unknown. Repeat it with the same Idempotency-Key.',
});
/** Nothing was written, so every write may be sent again. */
const unwritten = expect.objectContaining({
  status: 503,
  retryAfter: '1',
  code: 'PM503',
  message: expect.not.stringContaining('unknown'),
});

/** The time of a write grows with its records: with this number, a busy machine gets it to Postgres in time. */
const MANY = 1_000;

/** Sends writes of both practices. Postgres has received them with their commits, but a lock delays them. */
async function writesAtPostgres(vendor: string, origin?: string): Promise<Promise<Answer>[]> {
  await admin.query('BEGIN; LOCK TABLE finance.events IN SHARE MODE');
  const answers = spendTwice(vendor, MANY, origin);
  await eventually('both writes wait', async () => (await waiting('events')) === 2);
  return answers;
}

/** Makes each statement that writes expenses take this long. */
async function slowDown(seconds: number): Promise<void> {
  await admin.query(`CREATE OR REPLACE FUNCTION finance.slow() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_sleep(${seconds}); RETURN NULL; END $$`);
  await admin.query(
    'CREATE TRIGGER slow BEFORE INSERT ON finance.expenses FOR EACH STATEMENT EXECUTE FUNCTION finance.slow()',
  );
}

describe('the outcome of a write is unknown', () => {
  it('when its service does not answer, and the write may be repeated with its key', async () => {
    const vendor = randomUUID();
    process.kill(finance.pid, 'SIGSTOP');
    const answers = await Promise.all(spendTwice(vendor)).finally(() => process.kill(finance.pid, 'SIGCONT'));
    expect(answers.map(problemOf)).toEqual([unknown, repeatable]);
    await carriedOut(vendor);
    // By now the service has received both writes. It does not carry out writes that arrive too late.
    expect([await countOf(vendor), await countOf(`${vendor} with a key`)]).toEqual([0, 1]);
  });

  it('when its service is killed', async () => {
    const vendor = randomUUID();
    const next = await startAndHold();
    // During the time of the write with a key, the next process ends its start.
    const patientGateway = await own.start('gateway', { SERVICE_TIMEOUT_MS: '60000' });
    const answers = await writesAtPostgres(vendor, patientGateway.origin);
    process.kill(finance.pid, 'SIGKILL');
    await admin.query('COMMIT');
    finance = await next.started;
    const [without, withKey] = await Promise.all(answers);
    expect(problemOf(without as Answer)).toEqual(unknown);
    // The new process answers the write with a key.
    expect(withKey?.status).toBe(201);
    expect(await countOf(`${vendor} with a key`)).toBe(MANY);
  });

  it('when the connection to Postgres is lost during the commit', async () => {
    const vendor = randomUUID();
    const answers = await writesAtPostgres(vendor);
    toPostgres.cut();
    expect((await Promise.all(answers)).map(problemOf)).toEqual([unknown, repeatable]);
    await admin.query('COMMIT');
    toPostgres.restore();
    await carriedOut(vendor, MANY);
    expect(await countOf(`${vendor} with a key`)).toBe(MANY);
  });

  it('when the connection to NATS is lost', async () => {
    const vendor = randomUUID();
    const answers = await writesAtPostgres(vendor);
    toNats.cut();
    const problems = (await Promise.all(answers)).map(problemOf);
    // Postgres lets a write wait for 2.5 s only.
    await admin.query('COMMIT');
    expect(problems).toEqual([unknown, repeatable]);
    expect((await Promise.all(spendTwice(`${vendor} later`))).map(problemOf)).toEqual([unwritten, unwritten]);
    toNats.restore();
    await eventually('the gateway is connected', async () => (await spend('is connected')).status === 201);
    await carriedOut(vendor, MANY);
    expect([await countOf(vendor), await countOf(`${vendor} with a key`)]).toEqual([MANY, MANY]);
    expect(await countOf(`${vendor} later`)).toBe(0);
  });
});

it('a dry run without a reply may be sent again, as nothing was written', async () => {
  const [practice] = practices as [Practice];
  const body = { date: '2026-01-05', amount: 12, vendor: 'dry' };
  const operations = [{ method: 'POST', path: 'expenses', body }];
  const dry = (path: string, given: object) =>
    practice.rest(path, { method: 'POST', headers: { prefer: 'tx=rollback' }, body: given });
  process.kill(finance.pid, 'SIGSTOP');
  const answers = await Promise.all([dry('expenses', body), dry('rpc/batch', { operations })]).finally(() =>
    process.kill(finance.pid, 'SIGCONT'),
  );
  expect(answers.map(problemOf)).toEqual([unwritten, unwritten]);
});

/**
 * Sends writes that the service refuses. If its refusal reaches a busy gateway too late, the outcome is unknown, and writes of another
 * vendor are sent. Nothing is ever written.
 */
const refused = (send: (vendor: string) => Promise<Answer>[]) =>
  eventually('the refusals arrive in time', async () => {
    const vendor = randomUUID();
    const answers = await Promise.all(send(vendor));
    expect([await countOf(vendor), await countOf(`${vendor} with a key`)]).toEqual([0, 0]);
    return answers.every(({ text }) => !text.includes('is unknown')) && { vendor, answers };
  });

describe('a write that takes long', () => {
  it('has more time for more records', async () => {
    const vendor = randomUUID();
    // This is longer than a service may take for one record.
    await slowDown(3.1);
    await carriedOut(vendor, 1_000);
    expect(await countOf(`${vendor} with a key`)).toBe(1_000);
  });

  it('is rolled back when its time is over, and answered before the gateway stops waiting', async () => {
    await slowDown(5);
    const { vendor, answers } = await refused((name) => spendTwice(name, 50));
    expect(answers.map(problemOf)).toEqual([unwritten, unwritten]);
    await admin.query('DROP TRIGGER slow ON finance.expenses');
    await carriedOut(vendor, 50);
    expect([await countOf(vendor), await countOf(`${vendor} with a key`)]).toEqual([0, 50]);
  });

  it('is not begun when its time is over', async () => {
    await admin.query('BEGIN; SELECT FROM finance.practice_head FOR UPDATE');
    const { vendor, answers } = await refused((name) => [...spendTwice(name), spend(name)]);
    expect(answers.map(problemOf)).toEqual([unwritten, unwritten, unwritten]);
    await admin.query('COMMIT');
    await carriedOut(vendor);
    expect([await countOf(vendor), await countOf(`${vendor} with a key`)]).toEqual([0, 1]);
  });
});
