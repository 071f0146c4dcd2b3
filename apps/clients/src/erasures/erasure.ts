// The rules of the aggregate `erasure`. The service itself makes and changes it.

import { erasures } from '@practice/contracts';
import { changedEvents, deciding } from '@practice/resource';

export const erasure = deciding(erasures, {
  created: (data) => [{ type: 'ErasureRequested', data }],
  // Several processes follow an erasure. A result that another process has already noted makes no event.
  changed: (changes, state) => (state?.status === 'running' ? changedEvents(erasures, changes) : []),
});
