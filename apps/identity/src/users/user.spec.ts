import { describe, it } from '@jest/globals';
import { practices, users } from '@practice/contracts';
import type { Changes, Command, EventOf } from '@practice/resource';
import { recordsOf, specOf } from '@practice/testing';
import { practice, user } from './user.js';

type Users = typeof users;

const dana = recordsOf(users, {
  email: 'dana@example.com',
  metadata: {},
  password_changed_at: '2026-05-01T08:00:00+00:00',
});
const registered = (): EventOf<Users> => ({ type: 'UserRegistered', data: dana() });
const change = (changes: Changes<Users>): Command<Users> => ({ kind: 'change', changes });

describe('a user', () => {
  const given = specOf(user);

  it('is registered', () => {
    given().when({ kind: 'create', record: dana() }).then(registered());
  });

  it('changes address, password and details, each with its own event', () => {
    const email = 'new@example.com';
    const at = '2026-05-02T08:00:00+00:00';
    given(registered())
      .when(change({ email, password_changed_at: at, metadata: { name: 'Dana' } }))
      .then(
        { type: 'UserAddressChanged', data: { email } },
        { type: 'UserPasswordChanged', data: { password_changed_at: at } },
        { type: 'UserDetailsChanged', data: { metadata: { name: 'Dana' } } },
      );
  });
});

describe('a practice', () => {
  const given = specOf(practice);
  const clinic = recordsOf(practices, { email: 'dana@example.com' });

  it('is opened, and its contact changes with the address of its owner', () => {
    const opened = { type: 'PracticeOpened', data: clinic() } as const;
    given().when({ kind: 'create', record: clinic() }).then(opened);
    given(opened)
      .when({ kind: 'change', changes: { email: 'new@example.com' } })
      .then({ type: 'PracticeContactChanged', data: { email: 'new@example.com' } });
  });

  it('changes whether it requires a second factor only for a session that has passed one', () => {
    const opened = { type: 'PracticeOpened', data: clinic() } as const;
    for (const required of [true, false]) {
      const asked = { kind: 'change', changes: { require_mfa: required } } as const;
      given(opened)
        .by({ aal: 'aal2' })
        .when(asked)
        .then({ type: 'PracticeSettingsChanged', data: { require_mfa: required } });
      given(opened).by({}).when(asked).thenRejects('insufficient_aal');
      given(opened).when(asked).thenRejects('insufficient_aal');
    }
    given(opened)
      .by({})
      .when({ kind: 'change', changes: { name: 'Calm' } })
      .then({ type: 'PracticeSettingsChanged', data: { name: 'Calm' } });
  });
});
