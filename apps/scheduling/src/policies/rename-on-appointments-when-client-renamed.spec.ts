import { describe, it } from '@jest/globals';
import type { Appointment } from '@practice/contracts';
import { reactionsOf } from '@practice/testing';
import { renameOnAppointmentsWhenClientRenamed } from './rename-on-appointments-when-client-renamed.js';

const { on } = reactionsOf(renameOnAppointmentsWhenClientRenamed);

const ada = { id: 'ada', name: 'Ada' };
const booked = (id: string, name: string | null, client = 'ada'): Appointment =>
  ({ id, client_id: client, client_name: name }) as Appointment;
const renamed = (id: string, name: string) =>
  ({ id, command: { kind: 'change', changes: { client_name: name } } }) as const;

describe('a client who is renamed', () => {
  it('has the new name on the appointments that show the old name', () => {
    on({ id: 'ada', before: ada, after: { ...ada, name: 'Ada B.' } })
      .among(booked('1', 'Ada'), booked('2', 'Ada'))
      .expect(renamed('1', 'Ada B.'), renamed('2', 'Ada B.'));
  });

  it('keeps names that were set or removed by hand, and appointments of other clients', () => {
    on({ id: 'ada', before: ada, after: { ...ada, name: 'Ada B.' } })
      .among(booked('1', 'Mum of Ada'), booked('2', null), booked('3', 'Ada', 'bo'))
      .expectNothing();
  });
});

describe('nothing is renamed', () => {
  it.each([
    ['a client appears', null, ada],
    ['a client is deleted', ada, null],
    ['anything else of a client changes', ada, { ...ada }],
  ])('when %s', (_what, before, after) => {
    on({ id: 'ada', before, after }).among(booked('1', 'Ada')).expectNothing();
  });
});
