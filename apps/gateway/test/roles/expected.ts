// The rights of each role, written by hand and not derived from the definitions, so that a changed definition fails the specs.

import { practiceRoles, type PracticeRole } from '@practice/core';

/** r: read; w: create and change; d: delete; a dash: nothing. */
const rights = `
  resource             owner  therapist  front_desk  billing  read_only
  appointment_series   rwd    rwd        rwd         r        r
  appointments         rwd    rwd        rwd         r        r
  billing_settings     rw     r          r           rw       r
  business_hours       rwd    rwd        r           -        r
  client_balances      r      -          r           r        -
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
  oauth_clients        rwd    -          -           -        -
  packages             rwd    r          r           rwd      r
  payment_allocations  rwd    -          rwd         rwd      -
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
  // `is_exception` can reveal that the notes differ.
  'appointments billing': ['notes', 'is_exception', 'external_id', 'metadata', 'updated_at'],
  'clients billing': [
    ...['email', 'phone', 'status', 'total_visits'],
    ...['external_id', 'metadata', 'created_at', 'updated_at'],
  ],
};

/** Records that a role sees only if they name the caller. The records of these specs name no member. */
const own: Readonly<Record<string, readonly PracticeRole[]>> = {
  invoice_items: ['therapist', 'read_only'],
  invoices: ['therapist', 'read_only'],
  private_notes: ['owner', 'therapist'],
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

export const seesOwnOnly = (role: PracticeRole, resource: string): boolean =>
  own[resource]?.includes(role) ?? false;

/** Whether statements of a role write a record: itself, or with another record that it writes. Payments of front desk pay invoices. */
export const mayStore = (role: PracticeRole, resource: string): boolean =>
  mayDo(role, resource, 'w') || (role === 'front_desk' && resource === 'invoices');
