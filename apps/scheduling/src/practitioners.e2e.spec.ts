// Calendars of practitioners through the API: who may be a practitioner, and what happens to the appointments of members who leave.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { call, eventually, invitationToken, newPractice } from '@practice/testing';
import type { Answer, Practice } from '@practice/testing';

interface Member {
  readonly userId: string;
  readonly membershipId: string;
}

const asked = { prefer: 'return=representation' };

async function invite(practice: Practice, email: string): Promise<string> {
  const body = { email, role: 'therapist' };
  const { json } = await practice.rest('memberships', { method: 'POST', body, headers: asked });
  return (json as { id: string }[])[0]?.id ?? '';
}

async function newMember(practice: Practice): Promise<Member> {
  const email = `member-${randomUUID()}@example.com`;
  const membershipId = await invite(practice, email);
  const { json } = await call('/auth/v1/signup', { method: 'POST', body: { email, password: randomUUID() } });
  const { access_token: token, user } = json as { access_token: string; user: { id: string } };
  const accepted = await call('/rest/v1/rpc/accept_invitation', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: { token: await invitationToken(membershipId) },
  });
  expect(accepted.status).toBe(200);
  return { userId: user.id, membershipId };
}

const at = (hour: number, practitioner: string | null = null) => ({
  date: '2031-06-02',
  start_time: `${hour}:00`,
  end_time: `${hour}:50`,
  practitioner_id: practitioner,
});

const book = (practice: Practice, body: object): Promise<Answer> =>
  practice.rest('appointments', { method: 'POST', body, headers: asked });

const codeOf = ({ json }: Answer): unknown => (json as { code?: unknown } | undefined)?.code;

describe('practitioners', () => {
  let practice: Practice;
  let member: Member;

  beforeAll(async () => {
    practice = await newPractice();
    member = await newMember(practice);
  });

  it('have their own calendars as soon as they have joined', async () => {
    expect((await book(practice, at(10, member.userId))).status).toBe(201);
    expect((await book(practice, at(10, practice.therapistId))).status).toBe(201);
    const { json } = await practice.rest(
      `appointments?practitioner_id=eq.${member.userId}&select=start_time`,
    );
    expect(json).toEqual([{ start_time: '10:00' }]);
  });

  it('are blocked by their own appointments and by appointments of the whole practice', async () => {
    await book(practice, at(11, member.userId));
    expect(codeOf(await book(practice, at(11, member.userId)))).toBe('PM002');
    expect(codeOf(await book(practice, at(11)))).toBe('PM002');
    await book(practice, at(12));
    expect(codeOf(await book(practice, at(12, member.userId)))).toBe('PM002');
  });

  it('are compared within a bulk write as well', async () => {
    const twice = [at(13, member.userId), at(13, practice.therapistId), at(13, member.userId)];
    const refused = await book(practice, twice as never);
    expect({ status: refused.status, code: codeOf(refused) }).toEqual({ status: 409, code: 'PM002' });
    expect((await book(practice, twice.slice(0, 2) as never)).status).toBe(201);
  });

  it('are active members of the practice', async () => {
    const others = await newPractice();
    const email = `guest-${randomUUID()}@example.com`;
    const membershipId = await invite(practice, email);
    for (const id of [randomUUID(), others.therapistId, membershipId, member.membershipId]) {
      const refused = await book(practice, at(14, id));
      expect(refused.json).toMatchObject({
        code: '23503',
        details: `Key (practitioner_id)=(${id}) is not present in table "memberships".`,
        hint: 'practitioner_id must be the user_id of one of the memberships with status active.',
      });
    }
  });

  it.each(['PATCH', 'DELETE'])('keep their appointments when a %s ends the membership', async (method) => {
    const leaving = await newMember(practice);
    const [booked] = (await book(practice, at(15, leaving.userId))).json as { id: string }[];
    const ended = await practice.rest(`memberships?id=eq.${leaving.membershipId}`, {
      method,
      ...(method === 'PATCH' && { body: { status: 'removed' } }),
    });
    expect(ended.status).toBe(204);

    const change = (path: string, body: object) =>
      practice.rest(`appointments?${path}&select=practitioner_id,start_time`, {
        method: 'PATCH',
        body,
        headers: asked,
      });
    const moved = await change(`id=eq.${booked?.id}`, { start_time: '16:00', end_time: '16:50' });
    expect(moved.json).toEqual([{ practitioner_id: leaving.userId, start_time: '16:00' }]);
    const taken = await change(`practitioner_id=eq.${leaving.userId}&date=gte.2031-01-01`, {
      practitioner_id: practice.therapistId,
    });
    expect(taken.json).toEqual([{ practitioner_id: practice.therapistId, start_time: '16:00' }]);
    await practice.rest(`appointments?id=eq.${booked?.id}`, { method: 'DELETE' });
  });

  it('cannot be people whose membership has ended', async () => {
    const left = await newMember(practice);
    expect((await book(practice, at(17, left.userId))).status).toBe(201);
    await practice.rest(`memberships?id=eq.${left.membershipId}`, {
      method: 'PATCH',
      body: { status: 'removed' },
    });
    // Scheduling learns of the removal from an event.
    await eventually('a booking is refused', async () => {
      const refused = await practice.rest('appointments', {
        ...{ method: 'POST', headers: { prefer: 'tx=rollback' } },
        body: { ...at(17, left.userId), date: '2031-07-10' },
      });
      return codeOf(refused) === '23503';
    });
  });
});
