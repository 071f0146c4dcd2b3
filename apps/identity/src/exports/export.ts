// The rules of the aggregate `export`. The service itself makes and changes it: the work is done by a gateway.

import { practiceExports } from '@practice/contracts';
import type { PracticeExport } from '@practice/contracts';
import type { Changes, Decider, EventOf } from '@practice/resource';

type Exports = typeof practiceExports;

export const practiceExport: Decider<Exports> = {
  definition: practiceExports,
  lookups: () => [],
  decide(command, state) {
    if (command.kind === 'create') return [{ type: 'ExportRequested', data: command.record }];
    if (command.kind !== 'change') throw new Error(`exports do not support ${command.kind}`);
    // An export that has ended stays as it is: the message that ended it may come twice, or too late.
    return state?.status === 'running' ? [changed(state, command.changes)] : [];
  },
};

function changed(state: PracticeExport, changes: Changes<Exports>): EventOf<Exports> {
  const { status, progress = state.progress, size = null, expires_at = null, problem = null } = changes;
  switch (status) {
    case 'done':
      return { type: 'ExportCompleted', data: { status, progress, size, expires_at } };
    case 'failed':
      return { type: 'ExportFailed', data: { status, problem } };
    default:
      return { type: 'ExportProgressed', data: { progress } };
  }
}
