import { describe, it } from '@jest/globals';
import type { Appointment, Client } from '@practice/contracts';
import { reactionsOf } from '@practice/testing';
import { countVisitsWhenAppointmentsComplete } from './count-visits-when-appointments-complete.js';

type Visit = Pick<Appointment, 'id' | 'client_id' | 'status'>;

const { on } = reactionsOf(countVisitsWhenAppointmentsComplete);

const id = 'appointment';
const visit = (status: Visit['status'], client: string | null = 'ada'): Visit => ({
  id,
  status,
  client_id: client,
});
const counted = (client: string) => ({ id: client, command: { kind: 'act', act: 'countVisit' } }) as const;
const uncounted = (client: string) =>
  ({ id: client, command: { kind: 'act', act: 'uncountVisit' } }) as const;
const clients = [{ id: 'ada' }, { id: 'bo' }] as unknown as Client[];

describe('an appointment', () => {
  it('counts when it is completed', () => {
    on({ id, before: visit('scheduled'), after: visit('completed') })
      .among(...clients)
      .expect(counted('ada'));
  });

  it('counts when it is created as completed', () => {
    on({ id, before: null, after: visit('completed') })
      .among(...clients)
      .expect(counted('ada'));
  });

  it('no longer counts when its completion is undone or it is deleted', () => {
    on({ id, before: visit('completed'), after: visit('confirmed') })
      .among(...clients)
      .expect(uncounted('ada'));
    on({ id, before: visit('completed'), after: null })
      .among(...clients)
      .expect(uncounted('ada'));
  });

  it('counts for the new client after its client changed', () => {
    on({ id, before: visit('completed', 'ada'), after: visit('completed', 'bo') })
      .among(...clients)
      .expect(uncounted('ada'), counted('bo'));
    on({ id, before: visit('completed', 'ada'), after: visit('completed', null) })
      .among(...clients)
      .expect(uncounted('ada'));
    on({ id, before: visit('completed', null), after: visit('completed', 'bo') })
      .among(...clients)
      .expect(counted('bo'));
  });

  it.each<[string, Visit | null, Visit | null]>([
    ['is booked', null, visit('scheduled')],
    ['is cancelled', visit('confirmed'), visit('cancelled')],
    ['is deleted before it took place', visit('no_show'), null],
    ['stays completed', visit('completed'), visit('completed')],
    ['is completed without a client', visit('scheduled', null), visit('completed', null)],
    ['was gone already', null, null],
  ])('is no visit when it %s', (_what, before, after) => {
    on({ id, before, after })
      .among(...clients)
      .expectNothing();
  });
});
