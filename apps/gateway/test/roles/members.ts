// A practice with records of every kind, and a member of each role.

import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { practiceRoles, type PracticeRole } from '@practice/core';
import { call, memberOf, newPractice, patient, stack, write } from '@practice/testing';
import type { Answer, Call, Practice } from '@practice/testing';
import jwt from 'jsonwebtoken';
import { filled } from '../isolation/two-practices.js';

/** A member of the role front_desk with break-glass access. */
export const EMERGENCY = 'front_desk with break-glass access';
export type Acting = PracticeRole | typeof EMERGENCY;

export type Members = Awaited<ReturnType<typeof members>>;

const secret = 'another issuer, which knows the members of a practice';
const issuer = 'https://members.example.com';

/**
 * Starts a gateway that accepts tokens of another issuer, because the members have these tokens.
 * @returns also `ids`: two records of each resource (other records refer to the first), and `mark`: the beginning of every free text in
 *   the records, before the name of its column
 */
export async function members() {
  const gateway = await stack().spawnProcess('gateway', { JWT_SECRET: secret, JWT_ISSUER: issuer });
  const practice = await newPractice(gateway.origin);
  const tokens = new Map<Acting, string>(practiceRoles.map((role) => [role, tokenOf(practice, role)]));
  tokens.set(EMERGENCY, await emergency(practice, gateway.origin));
  const { mark, ids } = await filled(practice);
  return {
    therapistId: practice.therapistId,
    ...{ mark, ids },
    /** Calls `/rest/v1/<path>` as a member with a role, again if a busy machine is late. */
    as: (role: Acting, path: string, given: Call = {}): Promise<Answer> => {
      const key = !['GET', 'HEAD'].includes(given.method ?? 'GET') && { 'idempotency-key': randomUUID() };
      const headers = { ...key, ...given.headers, authorization: `Bearer ${tokens.get(role)}` };
      return patient(() => call(`/rest/v1/${path}`, { ...given, origin: gateway.origin, headers }));
    },
    stop: () => gateway.stop(),
  };
}

function tokenOf({ therapistId }: Practice, role: PracticeRole): string {
  const claims = { iss: issuer, sub: randomUUID(), role: 'authenticated', aud: 'authenticated' };
  const place = { therapist_id: therapistId, role_in_practice: role };
  return jwt.sign({ ...claims, ...place }, secret, { expiresIn: 600 });
}

/** The token of a session with break-glass access. */
async function emergency(practice: Practice, origin: string | undefined): Promise<string> {
  const { member } = await memberOf(practice, 'front_desk', origin);
  const call = { method: 'POST', body: { reason: 'The therapist is ill' } };
  expect((await write(member, 'rpc/break_glass', call)).status).toBe(200);
  return member.token;
}
