// Invitations: the mail, and a sign-up that joins the practice of the invitation instead of opening one.

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { auth, call, eventually, invitationToken, logLines, logOf, stack } from '@practice/testing';
import { client, password } from './mfa-accounts.js';
import { claimsOf, invite, signUp, switchTo, tokenOf, type Person } from './people.js';

const newAddress = (): string => `person-${randomUUID()}@example.com`;

async function invitedTo(owner: Person, email: string, role = 'therapist'): Promise<string> {
  return invitationToken(await invite(owner, email, role));
}

const signUpWith = (email: string, invitation: string, data: object = {}) => {
  const supabase = client();
  const answer = supabase.auth.signUp({ email, password, options: { data: { ...data, invitation } } });
  return answer.then(({ data: { user }, error }) => ({ supabase, email, id: user?.id ?? '', user, error }));
};

describe('a sign-up with an invitation', () => {
  it('makes the person a member of only that practice, and does not keep the token in the details', async () => {
    const owner = await signUp();
    const email = newAddress();
    const person = await signUpWith(email, await invitedTo(owner, email, 'front_desk'), { full_name: 'Ed' });
    expect(person.error).toBeNull();
    expect(person.user?.user_metadata).toEqual({ full_name: 'Ed' });
    expect(await claimsOf(person)).toMatchObject({ therapist_id: owner.id, role_in_practice: 'front_desk' });
    const { data } = await person.supabase.rpc('my_practices');
    const access = { role: 'front_desk', is_held: false, is_current: true };
    expect(data).toEqual([{ therapist_id: owner.id, name: 'My practice', ...access }]);
    const { data: members } = await owner.supabase.from('memberships').select('status').eq('email', email);
    expect(members).toEqual([{ status: 'active' }]);
    // Later sign-ins, a refresh and changes of the account work for a person without an own practice.
    expect((await person.supabase.auth.refreshSession()).error).toBeNull();
    await person.supabase.auth.signInWithPassword({ email, password });
    expect(await claimsOf(person)).toMatchObject({ therapist_id: owner.id });
    const moved = await person.supabase.auth.updateUser({ email: newAddress() });
    expect(moved.error).toBeNull();
  });

  it('lets the person open one practice later, and work in both', async () => {
    const owner = await signUp();
    const email = newAddress();
    const person = await signUpWith(email, await invitedTo(owner, email));
    const both = await Promise.all([
      person.supabase.rpc('open_practice'),
      person.supabase.rpc('open_practice'),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    await switchTo(person, person.id);
    expect(await claimsOf(person)).toMatchObject({ therapist_id: person.id, role_in_practice: 'owner' });
    expect((await person.supabase.from('clients').insert({ name: 'Ada' })).error).toBeNull();
    expect((await person.supabase.from('practices').select('id,email')).data).toEqual([
      { id: person.id, email },
    ]);
    expect((await owner.supabase.rpc('open_practice')).error).toMatchObject({ code: '23505' });
  });

  it('is refused with a token that is invalid or for another address, and creates no account', async () => {
    const owner = await signUp();
    const [email, other] = [newAddress(), newAddress()];
    const token = await invitedTo(owner, email);
    expect((await signUpWith(other, token)).error).toMatchObject({ status: 403, code: '42501' });
    // The response is the same for an address that has an account: the token reveals nothing about it.
    expect((await signUpWith(owner.email, token)).error).toMatchObject({ status: 403, code: '42501' });
    expect((await signUpWith(email, 'x')).error).toMatchObject({ status: 404, code: 'PM013' });
    for (const address of [other, email])
      expect((await client().auth.signInWithPassword({ email: address, password })).error).toMatchObject({
        code: 'invalid_credentials',
      });
    expect((await signUpWith(email, token)).error).toBeNull();
    expect((await signUpWith(email, token)).error).toMatchObject({ code: 'PM013' });
  });

  it('of an address that has an account is refused, and the invitation stays open', async () => {
    const [owner, known] = [await signUp(), await signUp()];
    const token = await invitedTo(owner, known.email);
    expect((await signUpWith(known.email, token)).error).toMatchObject({ code: 'user_already_exists' });
    expect((await known.supabase.rpc('accept_invitation', { token })).error).toBeNull();
  });
});

describe('the mail of an invitation', () => {
  const mailOf = async (token: string): Promise<{ text: string; msg: string }> => {
    const [line = ''] = await logLines('identity', token);
    const { mail, msg } = JSON.parse(line) as { mail: { text: string }; msg: string };
    return { text: mail.text, msg };
  };

  it('names the practice, the person who invites and the role; its line in the terminal has the link', async () => {
    const owner = await signUp();
    await owner.supabase.from('practices').update({ name: 'Calm Waters' }).eq('id', owner.id);
    const token = await invitedTo(owner, newAddress(), 'front_desk');
    const { text, msg } = await mailOf(token);
    expect(text).toContain(
      `${owner.email} invites you to work in the practice "Calm Waters", with the role front desk.`,
    );
    expect(msg).toContain(`You are invited to a practice ${stack().baseUrl}/?invitation=${token}`);
  });

  it('shows the name of a practice as a name, even if it contains links or sentences', async () => {
    const owner = await signUp();
    const name = `Bank". Pay at https://evil.example/now\u202e or mail to x@evil.example ${'!'.repeat(200)}`;
    expect((await owner.supabase.from('practices').update({ name }).eq('id', owner.id)).error).toBeNull();
    const { text } = await mailOf(await invitedTo(owner, newAddress()));
    expect(text.match(/https?:\/\/\S+/g)).toHaveLength(1);
    expect(text).not.toMatch(/evil\.example|@evil|\u202e|!{100}/);
    expect(text.split('"')).toHaveLength(3);
  });

  it('is sent to one address five times a day by one practice', async () => {
    const owner = await signUp();
    const email = newAddress();
    const tokens: string[] = [];
    for (let time = 0; time < 5; time += 1) {
      const id = await invite(owner, email);
      tokens.push(await invitationToken(id));
      await owner.supabase.from('memberships').delete().eq('id', id);
    }
    expect(new Set(tokens).size).toBe(5);
    const warnings = (): number =>
      logOf('identity')
        .split('\n')
        .filter((line) => line.includes('was not mailed') && line.includes(owner.id)).length;
    expect(warnings()).toBe(0);
    await invite(owner, email);
    await eventually('the sixth mail is refused', () => warnings() === 1);
    await mailOf(await invitedTo(owner, newAddress()));
  });
});

describe('current_identity', () => {
  it('shows a personal access token its scopes, and needs no scope', async () => {
    const owner = await signUp();
    const token = await tokenOf(owner);
    const made = async (body: object): Promise<string> =>
      ((await auth('POST', 'tokens', { token, body: { name: 'script', ...body } })).json as { token: string })
        .token;
    const scopesOf = async (bearer: string): Promise<unknown> => {
      const headers = { authorization: `Bearer ${bearer}` };
      const answer = await call('/rest/v1/rpc/current_identity', { headers });
      expect(answer.status).toBe(200);
      return (answer.json as { scopes: unknown }).scopes;
    };
    const scopes = ['clients:read', 'rpc:free_slots'];
    expect(await scopesOf(await made({ scopes }))).toEqual(scopes);
    expect(await scopesOf(await made({}))).toBeNull();
    expect(await scopesOf(token)).toBeNull();
  });
});
