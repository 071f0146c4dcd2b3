// The rights of each role, written by hand and not derived from the definitions, so that a changed definition is noticed.

import { practiceRoles, type PracticeRole } from '@practice/core';

/** r: read; w: create and change; d: delete; a dash: nothing. */
const rights = `
  resource             owner  therapist  front_desk  billing  read_only
  appointment_series   rwd    rwd        rwd         r        r
  appointments         rwd    rwd        rwd         r        r
  business_hours       rwd    rwd        r           -        r
  clients              rwd    rwd        rw          r        r
  conversation_log     rwd    rwd        rw          -        r
  credit_notes         rwd    -          r           rw       -
  diagnoses            rwd    rwd        -           -        r
  expenses             rwd    -          -           rwd      -
  fee_rules            rwd    r          r           rwd      r
  invoice_items        rwd    r          r           rwd      r
  invoices             rwd    r          r           rwd      r
  measures             rwd    rwd        -           -        r
  memberships          rwd    r          r           r        r
  note_templates       rwd    rwd        -           -        r
  packages             rwd    r          r           rwd      r
  payment_allocations  rwd    -          rw          rwd      -
  payments             rwd    -          rw          rwd      -
  private_notes        rwd    rwd        -           -        -
  service_menu         rwd    rwd        r           r        r
  session_addenda      rwd    rwd        -           -        r
  sessions             rwd    rwd        -           -        r
  taxes                rwd    r          r           rwd      r
  webhooks             rwd    -          -           -        -
`;

/** The columns that a role does not see of records that it may read. */
const unseen: Readonly<Record<string, readonly string[]>> = {
  'appointment_series billing': ['notes', 'updated_at'],
  // An exception may be one because of its notes.
  'appointments billing': ['notes', 'is_exception', 'updated_at'],
  'clients billing': ['email', 'phone', 'status', 'total_visits', 'created_at', 'updated_at'],
};

export type Right = 'r' | 'w' | 'd';

const [heads = [], ...rows] = rights
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/ +/));

export const resourcesNamed: readonly string[] = rows.map(([name]) => name ?? '');
export const rolesNamed: readonly string[] = heads.slice(1);

const rightsOf = new Map(
  rows.flatMap(([name, ...cells]) => cells.map((cell, index) => [`${name} ${practiceRoles[index]}`, cell])),
);

export const mayDo = (role: PracticeRole, resource: string, right: Right): boolean =>
  rightsOf.get(`${resource} ${role}`)?.includes(right) ?? false;

export const unseenBy = (role: PracticeRole, resource: string): readonly string[] =>
  unseen[`${resource} ${role}`] ?? [];
