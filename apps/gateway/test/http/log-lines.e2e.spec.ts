// Log lines contain the person, the outcome with its code, and for sign-ins the proof. They contain no address and no value.

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { auth, call, logLines, newPractice, type Practice } from '@practice/testing';

type Line = Readonly<Record<string, unknown>>;
interface Sent {
  readonly process: string;
  readonly id: string;
}

let practice: Practice;
const read = { process: 'clients', id: randomUUID() };
const refused = { process: 'clients', id: randomUUID() };
const forged = { process: 'gateway', id: randomUUID() };
const signedIn = { process: 'identity', id: randomUUID() };
const guessed = { process: 'identity', id: randomUUID() };

const id = ({ id: request }: Sent) => ({ 'x-request-id': request });

beforeAll(async () => {
  practice = await newPractice();
  const { email, password } = practice;
  await practice.rest('clients', { headers: id(read) });
  await practice.rest(`clients?therapist_id=eq.${randomUUID()}`, { headers: id(refused) });
  await call('/rest/v1/clients', { headers: { ...id(forged), authorization: 'Bearer forged' } });
  const grant = 'token?grant_type=password';
  await auth('POST', grant, { body: { email, password }, headers: id(signedIn) });
  await auth('POST', grant, { body: { email, password: 'a wrong one' }, headers: id(guessed) });
});

/** The lines of a request, in the log of one process. */
const linesOf = async ({ process, id }: Sent): Promise<Line[]> =>
  (await logLines(process, id)).map((line) => JSON.parse(line) as Line);

describe('a log line', () => {
  it('names the user, in the gateway and in the service', async () => {
    const { therapistId } = practice;
    const who = { requestId: read.id, therapistId, userId: therapistId, status: 200 };
    expect(await linesOf(read)).toEqual([expect.objectContaining({ ...who, operation: 'GET' })]);
    expect(await linesOf({ ...read, process: 'gateway' })).toEqual([expect.objectContaining(who)]);
  });

  it('of a refusal names the user and the code', async () => {
    const why = { userId: practice.therapistId, status: 403, code: '42501' };
    expect(await linesOf(refused)).toEqual([expect.objectContaining(why)]);
    const [line = {}] = await linesOf(forged);
    expect(line).toMatchObject({ status: 401, code: 'PGRST301' });
    expect(line).not.toHaveProperty('userId');
  });

  it('of a sign-in names the user, the proof, and how the user has signed in', async () => {
    const [line = {}] = await linesOf(signedIn);
    const how = { operation: 'token', proof: 'password', methods: ['password'] };
    expect(line).toMatchObject({ ...how, userId: practice.therapistId, status: 200 });
  });

  it('of a refused sign-in names the proof but not the account, since a stranger can cause it', async () => {
    const [line = {}] = await linesOf(guessed);
    expect(line).toMatchObject({ proof: 'password', status: 400, code: 'invalid_credentials' });
    expect(line).not.toHaveProperty('userId');
    expect(JSON.stringify(line)).not.toContain(practice.email);
  });
});
