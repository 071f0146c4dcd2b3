import { erasures } from '@practice/contracts';
import { deciderOf } from '@practice/resource';

/** The service itself makes and changes an erasure. */
export const erasure = deciderOf(erasures, {
  change({ status: before }, { changes }) {
    // Several processes follow an erasure: what another one has noted already is no event.
    if (before !== 'running') return [];
    const { services, status, completed_at = null, certificate = null } = changes;
    return [
      ...(services === undefined ? [] : [{ type: 'ErasureProgressed' as const, data: { services } }]),
      ...(status === undefined
        ? []
        : [{ type: 'ErasureCompleted' as const, data: { status, completed_at, certificate } }]),
    ];
  },
});
