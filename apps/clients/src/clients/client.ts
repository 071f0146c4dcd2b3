// The rules of a client: an event for each kind of change, and a number of visits that only counting or a correction changes.

import { clients } from '@practice/contracts';
import { changedEvents, type Acts, type Decider, type EventOf } from '@practice/resource';

type Clients = typeof clients;

export const client: Decider<Clients> = {
  definition: clients,

  lookups: () => [],

  decide(command, state) {
    switch (command.kind) {
      case 'create':
        return [{ type: 'ClientRegistered', data: command.record }];
      case 'change':
        return changedEvents(clients, command.changes, { total_visits: () => 'ClientVisitsCorrected' });
      case 'delete':
        return [{ type: 'ClientDeleted', data: {} }];
      case 'act':
        return state === null ? [] : counted(command.act, state.total_visits);
    }
  },
};

/** The largest value of the column. A caller may set it, and later visits must not be refused forever because of it. */
const MOST_VISITS = 2 ** 31 - 1;

function counted(act: Acts<Clients>, visits: number): EventOf<Clients>[] {
  if (act === 'countVisit') {
    return visits >= MOST_VISITS ? [] : [{ type: 'ClientVisitCounted', data: { total_visits: visits + 1 } }];
  }
  // A correction may have set the count below the number of visits that are undone later. The count never becomes negative.
  return visits === 0 ? [] : [{ type: 'ClientVisitUncounted', data: { total_visits: visits - 1 } }];
}
