import { appointments, clients } from '@practice/contracts';
import { policy } from '@practice/resource';

/** Renames appointments. An appointment shows its client's name until the practice sets another name. */
export const renameOnAppointmentsWhenClientRenamed = policy({
  when: clients,
  reads: ['name'],
  since: 'beginning',
  acts: appointments,

  concerns: ({ id, before, after }) =>
    before === null || after === null || before.name === after.name
      ? null
      : { column: 'client_id', values: [id] },

  react: ({ before, after }, records) =>
    after === null
      ? []
      : records
          .filter(({ client_name: name }) => name === before?.name)
          .map(({ id }) => ({ id, command: { kind: 'change', changes: { client_name: after.name } } })),
});
