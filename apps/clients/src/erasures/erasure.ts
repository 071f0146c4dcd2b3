// The rules of the aggregate `erasure`. The service itself makes and changes it.

import { erasures } from '@practice/contracts';
import type { Decider } from '@practice/resource';

export const erasure: Decider<typeof erasures> = {
  definition: erasures,
  lookups: () => [],
  decide(command, state) {
    if (command.kind === 'create') return [{ type: 'ErasureRequested', data: command.record }];
    if (command.kind !== 'change') throw new Error(`erasures do not support ${command.kind}`);
    // Several processes follow an erasure. A result that another process has already noted makes no event.
    if (state?.status !== 'running') return [];
    const { services, status, completed_at = null, certificate = null } = command.changes;
    return [
      ...(services === undefined ? [] : [{ type: 'ErasureProgressed' as const, data: { services } }]),
      ...(status === undefined
        ? []
        : [{ type: 'ErasureCompleted' as const, data: { status, completed_at, certificate } }]),
    ];
  },
};
