// What happens to a client, told apart: a new name, new contact, a new status, a corrected or a counted number of visits.

import { clients } from '@practice/contracts';
import type { Client } from '@practice/contracts';
import type { Decider, Event } from '@practice/core';

const contact = ['email', 'phone'] as const;

export const client: Decider<Client> = {
  resource: clients.name,

  lookups: () => [],

  decide(command, state) {
    switch (command.kind) {
      case 'create':
        return [{ type: 'ClientRegistered', data: command.record }];
      case 'change':
        return changed(command.changes);
      case 'delete':
        return [{ type: 'ClientDeleted', data: {} }];
      case 'act':
        return state === null ? [] : counted(command.act, state.total_visits);
    }
  },
};

function changed({ name, status, total_visits: visits, ...others }: Partial<Client>): Event[] {
  const newContact = Object.entries(others).filter(([column]) =>
    (contact as readonly string[]).includes(column),
  );
  return [
    ...(name === undefined ? [] : [{ type: 'ClientRenamed', data: { name } }]),
    ...(newContact.length === 0
      ? []
      : [{ type: 'ClientContactChanged', data: Object.fromEntries(newContact) }]),
    ...(status === undefined ? [] : [{ type: 'ClientStatusChanged', data: { status } }]),
    ...(visits === undefined ? [] : [{ type: 'ClientVisitsCorrected', data: { total_visits: visits } }]),
  ];
}

/** The largest that the column holds: a caller may set it, and the next visit must not be refused for ever. */
const MOST_VISITS = 2 ** 31 - 1;

function counted(act: string, visits: number): Event[] {
  if (act === 'countVisit') {
    return visits >= MOST_VISITS ? [] : [{ type: 'ClientVisitCounted', data: { total_visits: visits + 1 } }];
  }
  // A correction by hand may have set the count below what is undone afterwards; it never gets negative.
  return visits === 0 ? [] : [{ type: 'ClientVisitUncounted', data: { total_visits: visits - 1 } }];
}
