// The screens. Each is loaded when it is first shown.

import type { Component } from 'svelte';
import type { IconName } from '../parts/Icon.svelte';
import type { Role } from '../state/session.svelte.js';

export interface Screen {
  readonly path: string;
  readonly title: string;
  readonly icon: IconName;
  /** The roles that see the screen; absent for all roles. */
  readonly roles?: readonly Role[];
  readonly load: () => Promise<{ default: Component }>;
}

export const screens: readonly Screen[] = [
  { path: 'calendar', title: 'Calendar', icon: 'calendar', load: () => import('./Calendar.svelte') },
  { path: 'clients', title: 'Clients', icon: 'clients', load: () => import('./Clients.svelte') },
  {
    ...{ path: 'notes', title: 'Notes', icon: 'notes', roles: ['owner', 'therapist', 'read_only'] },
    load: () => import('./Notes.svelte'),
  },
  { path: 'money', title: 'Money', icon: 'money', load: () => import('./Money.svelte') },
  { path: 'practice', title: 'Practice', icon: 'practice', load: () => import('./Practice.svelte') },
  { path: 'explorer', title: 'Explorer', icon: 'explorer', load: () => import('./Explorer.svelte') },
];
