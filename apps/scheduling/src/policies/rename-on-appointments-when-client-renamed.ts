import { appointments, clients } from '@practice/contracts';
import type { Appointment, Client } from '@practice/contracts';
import type { Policy } from '@practice/core';

type Named = Pick<Client, 'id' | 'name'>;

/** An appointment shows its client's name until somebody gives it another by hand, which is then left alone. */
export const renameOnAppointmentsWhenClientRenamed: Policy<Named, Appointment> = {
  when: clients.name,
  acts: appointments.name,

  concerns: ({ id, before, after }) =>
    before === null || after === null || before.name === after.name
      ? null
      : { column: 'client_id', values: [id] },

  react: ({ before, after }, booked) =>
    after === null
      ? []
      : booked
          .filter(({ client_name: name }) => name === before?.name)
          .map(({ id }) => ({ id, command: { kind: 'change', changes: { client_name: after.name } } })),
};
