// The resources whose events `rpc/timeline` lists, and the wording of its titles. A title has no personal and no confidential values.

import type { Resource, Row } from '@practice/resource';
import { conversationLog } from '../clients/conversation-log.js';
import { clients } from '../clients/clients.js';
import { diagnoses } from '../clinical-notes/diagnoses.js';
import { measures } from '../clinical-notes/measures.js';
import { privateNotes } from '../clinical-notes/private-notes.js';
import { sessionAddenda } from '../clinical-notes/session-addenda.js';
import { sessions } from '../clinical-notes/sessions.js';
import { creditNotes } from '../finance/credit-notes.js';
import { invoices } from '../finance/invoices.js';
import { packages } from '../finance/packages.js';
import { payments } from '../finance/payments.js';
import { appointmentSeries } from '../scheduling/appointment-series.js';
import { appointments } from '../scheduling/appointments.js';

export const timelineKinds = ['appointment', 'note', 'conversation', 'change', 'money'] as const;

/** The part of the timeline that is about one resource. */
export interface TimelinePart {
  readonly kind: (typeof timelineKinds)[number];
  readonly resource: Resource;
  /** The column with the client's id. */
  readonly client: string;
  /** Event → the columns whose values follow its title. `*` stands for every other event. */
  readonly details?: Readonly<Record<string, readonly string[]>>;
  /** Events that only follow from other events in the list. */
  readonly omitted?: readonly string[];
  /** Events that are omitted if a policy caused them, as a reaction to another change. */
  readonly omittedOfPolicies?: readonly string[];
}

const client = 'client_id';

export const timelineParts: readonly TimelinePart[] = [
  {
    ...{ kind: 'appointment', resource: appointments, client },
    details: { '*': ['date', 'start_time'] },
    omittedOfPolicies: ['AppointmentDetailsChanged'],
  },
  { kind: 'appointment', resource: appointmentSeries, client },
  { kind: 'note', resource: sessions, client },
  { kind: 'note', resource: sessionAddenda, client },
  { kind: 'note', resource: privateNotes, client },
  { kind: 'conversation', resource: conversationLog, client, details: { '*': ['channel', 'role'] } },
  {
    ...{ kind: 'change', resource: clients, client: 'id' },
    details: { ClientStatusChanged: ['status'], ClientVisitsCorrected: ['total_visits'] },
    omitted: ['ClientVisitCounted', 'ClientVisitUncounted'],
  },
  { kind: 'change', resource: diagnoses, client },
  { kind: 'change', resource: measures, client },
  {
    ...{ kind: 'money', resource: invoices, client },
    details: { InvoiceDrafted: [], InvoiceDraftChanged: [], '*': ['number', 'total'] },
    omitted: ['InvoiceTotalled', 'InvoiceSettled'],
  },
  {
    ...{ kind: 'money', resource: payments, client },
    details: { '*': ['amount'] },
    omitted: ['PaymentAllocated'],
  },
  { kind: 'money', resource: creditNotes, client, details: { '*': ['number', 'total'] } },
  { kind: 'money', resource: packages, client },
];

/** The title of an event: its type as a sentence, and the values of the columns that follow it. */
export function timelineTitle(event: string, values: readonly string[]): string {
  const [first = '', ...words] = event.split(/(?=[A-Z])/);
  const sentence = [first, ...words.map((word) => word.toLowerCase())].join(' ');
  return values.length === 0 ? sentence : `${sentence}: ${values.join(', ')}`;
}

/**
 * The newest entries of all parts. Entries of one instant stay together, so that the next page begins with an earlier instant.
 * @param rows the entries of each part, newest first; a part includes all entries of its last instant
 */
export function newestEntries(rows: readonly Row[], limit: number): readonly Row[] {
  const sorted = rows.toSorted((a, b) => compared(String(b['at']), String(a['at'])));
  const last = sorted[limit - 1]?.['at'];
  return last === undefined ? sorted : sorted.filter(({ at }, index) => index < limit || at === last);
}

const compared = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
