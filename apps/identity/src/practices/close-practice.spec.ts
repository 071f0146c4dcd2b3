import { describe, it } from '@jest/globals';
import { memberships, practices } from '@practice/contracts';
import type { Changes, Command, EventOf } from '@practice/resource';
import { NOW, recordsOf, specOf } from '@practice/testing';
import { closing, dismissing, ERASED_ADDRESS, erasing, reopening } from './close-practice.js';

type Practices = typeof practices;

const clinic = recordsOf(practices, { email: 'dana@example.com' });
const opened = (): EventOf<Practices> => ({ type: 'PracticeOpened', data: clinic() });

const closed = (erase_at = '2026-05-31T08:00:00+00:00'): EventOf<Practices> => ({
  type: 'PracticeClosed',
  data: { closed_at: NOW, erase_at },
});
const reopened = (): EventOf<Practices> => ({
  type: 'PracticeReopened',
  data: { closed_at: null, erase_at: null },
});

/** The columns are read-only for callers: only the service sends these commands. */
const change = (changes: object): Command<Practices> => ({
  kind: 'change',
  changes: changes as Changes<Practices>,
});
const close = change({ closed_at: NOW, erase_at: '2026-05-31T08:00:00+00:00' });
const reopen = change({ closed_at: null, erase_at: null });

describe('closing a practice', () => {
  const given = specOf(closing);

  it('records when it was closed and when it will be erased', () => {
    given(opened()).when(close).then(closed());
  });

  it('that is closed is refused with the time of its erasure', () => {
    given(opened(), closed('2026-05-02T08:00:00+00:00'))
      .when(close)
      .thenRejects('PM017', 'It will be erased at 2026-05-02T08:00:00+00:00.');
  });

  it('is possible again after it was reopened', () => {
    given(opened(), closed(), reopened()).when(close).then(closed());
  });
});

describe('reopening a practice', () => {
  const given = specOf(reopening);

  it('removes both times', () => {
    given(opened(), closed()).when(reopen).then(reopened());
  });

  it('that is open changes nothing', () => {
    given(opened()).when(reopen).thenNothing();
  });

  it('is refused from the time of its erasure on', () => {
    given(opened(), closed(NOW)).when(reopen).thenRejects('PM017', `It could be reopened until ${NOW}.`);
  });
});

describe('the erasure of a practice', () => {
  const given = specOf(erasing);
  const erase = change({ erased_at: NOW });
  const erased = (): EventOf<Practices> => ({
    type: 'PracticeErased',
    data: { erased_at: NOW, name: 'Erased practice', email: ERASED_ADDRESS },
  });

  it('removes its name and address', () => {
    given(opened(), closed(NOW)).when(erase).then(erased());
  });

  it('happens once', () => {
    given(opened(), closed(NOW), erased()).when(erase).thenNothing();
  });
});

describe('the end of a membership of an erased practice', () => {
  const given = specOf(dismissing);
  const member = recordsOf(memberships, { email: 'dana@example.com', display_name: 'Dana', role: 'owner' });
  const joined = (): EventOf<typeof memberships> => ({
    type: 'MembershipCreated',
    data: member({ status: 'active' }),
  });
  const removed = { type: 'MembershipRemoved', data: { status: 'removed' } } as const;
  const blank = {
    type: 'MembershipDetailsChanged',
    data: { display_name: null, email: ERASED_ADDRESS },
  } as const;
  const dismiss = { kind: 'change', changes: { status: 'removed', email: ERASED_ADDRESS } } as const;

  it('removes the name and address, even of the last owner', () => {
    given(joined()).when(dismiss).then(removed, blank);
  });

  it('does not change the status of a member who has left', () => {
    given(joined(), removed).when(dismiss).then(blank);
  });
});
