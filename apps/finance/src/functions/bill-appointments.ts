import {
  appointments,
  billAppointments,
  billingSettings,
  erasures,
  invoiceItems,
  invoices,
  packages,
} from '@practice/contracts';
import type { Appointment, Invoice } from '@practice/contracts';
import { grouped, invalidArgument, newId, reject } from '@practice/core';
import { creation } from '@practice/resource';
import type { ArgumentsOf, DependentCommand, ResultOf } from '@practice/resource';
import {
  decideDependents,
  Handles,
  mirrorEntries,
  mirrorMatches,
  records,
  refuseIfMatch,
} from '@practice/write';
import type {
  DecidingCall,
  DecidingHandler,
  FunctionDecision,
  PracticeView,
  Resumable,
} from '@practice/write';
import { addDays, daysBetween } from '@practice/zone';
import { packageFor, useOf } from '../policies/use-package-when-appointment-completes.js';

type Call = typeof billAppointments;
type Visit = Pick<Appointment, 'id' | 'client_id' | 'service_id' | 'status' | 'date'>;

const MAX_DAYS = 92;

/** Bills appointments. It reads them from their owner, so an appointment that was just completed is also billed, unless a package may still pay for it. */
@Handles(billAppointments)
export class BillAppointmentsHandler implements DecidingHandler<Call> {
  /** @throws {Rejection} 22023 for arguments that contradict each other, PM413 for too many appointments, PM006 for If-Match */
  *decide(args: ArgumentsOf<Call>, call: DecidingCall): Resumable<FunctionDecision<ResultOf<Call>>> {
    const { view, decision, ask, caller: by } = call;
    refuseIfMatch(call.ifMatch);
    const asked = ask(matchesOf(args));
    if (asked.kind === 'unknown records') return asked;
    yield* view.turn();
    const visits = (asked.rows as readonly Visit[]).filter((visit) => isBillable(visit, args));
    const unbilled = yield* withoutBilled(view, visits);
    const dependents = yield* drafts(view, unbilled);
    const entries = yield* decideDependents(view, decision, { by, dependents });
    if (entries.length > 0) return { kind: 'unknown records', entries };
    return { kind: 'decided', result: rowsOf(dependents, decision.decided) };
  }
}

/** The condition for the appointments. @throws {Rejection} 22023 */
function matchesOf({ client_id: client, from, to }: ArgumentsOf<Call>) {
  const match = (column: string, value: string) => ({ resource: appointments.name, column, value, rows: [] });
  if ((from === null) !== (to === null)) reject(invalidArgument('to', 'Give both from and to.'));
  const days = from === null || to === null ? 0 : daysBetween(from, to);
  if (days < 0) reject(invalidArgument('to', 'It must not be before from.'));
  if (client !== null) return [match('client_id', client)];
  if (from === null) return reject(invalidArgument('from', 'Give client_id, or from and to.'));
  if (days > MAX_DAYS) reject(invalidArgument('to', `It must be at most ${MAX_DAYS} days after from.`));
  return Array.from({ length: days + 1 }, (_, index) => match('date', addDays(from, index)));
}

const isBillable = (
  { client_id, service_id, status, date }: Visit,
  { client_id: client, from, to }: ArgumentsOf<Call>,
): boolean =>
  status === 'completed' &&
  service_id !== null &&
  client_id !== null &&
  (client === null || client_id === client) &&
  (from === null || date >= from) &&
  (to === null || date <= to);

/**
 * The appointments that have neither an invoice item nor a session of a package, and whose client was not erased. An appointment whose
 * completion the policy has not seen yet may still get a session.
 */
function* withoutBilled(view: PracticeView, visits: readonly Visit[]): Resumable<readonly Visit[]> {
  const items = yield* records(view, invoiceItems, {
    column: 'appointment_id',
    values: visits.map(({ id }) => id),
  });
  const clients = [...new Set(visits.map(({ client_id }) => String(client_id)))];
  const bought = yield* records(view, packages, { column: 'client_id', values: clients });
  const billed = new Set([
    ...items.filter(({ row }) => !row.voided).map(({ row }) => row.appointment_id),
    ...bought.filter(({ row }) => row.status !== 'void').flatMap(({ row }) => row.used_by ?? []),
  ]);
  const held = grouped(bought.map(({ row }) => [row.client_id, { ...row, used_by: row.used_by ?? [] }]));
  const known = yield* mirrorEntries(
    view,
    appointments.name,
    visits.map(({ id }) => id),
  );
  const seen = new Map(known.map(({ id, row }) => [id, useOf(row as Visit | null)]));
  const asked = { resource: erasures.name, column: 'client_id', values: clients };
  const found = yield* mirrorMatches(view, asked);
  const erased = new Set(found.filter(({ rows }) => rows.length > 0).map(({ value }) => value));
  const mayGetSession = (visit: Visit): boolean => {
    const ofClient = held.get(String(visit.client_id)) ?? [];
    const chosen = seen.get(visit.id) === useOf(visit) ? undefined : packageFor(visit, ofClient);
    if (chosen === undefined) return false;
    // Each session is for one visit.
    ofClient[ofClient.indexOf(chosen)] = { ...chosen, used_by: [...chosen.used_by, visit.id] };
    return true;
  };
  return visits
    .filter(({ id, client_id: client }) => !billed.has(id) && !erased.has(String(client)))
    .toSorted((one, other) => (one.date < other.date ? -1 : 1))
    .filter((visit) => !mayGetSession(visit));
}

/** A draft for each client, with an item for each appointment. */
function* drafts(view: PracticeView, visits: readonly Visit[]): Resumable<DependentCommand[]> {
  const { therapistId } = view.log;
  const [settings] = yield* records(view, billingSettings, { column: 'id', values: [therapistId] });
  const tax_id = settings?.row.default_tax_id ?? null;
  const terms = { therapistId, now: view.now, id: newId };
  const clients = [...new Set(visits.map(({ client_id }) => client_id))];
  const made = clients.map((client_id) => creation(invoices, { client_id }, terms));
  const items = visits.map(({ id: appointment_id, client_id, service_id }) => {
    const invoice_id = made[clients.indexOf(client_id)]?.id;
    return creation(invoiceItems, { invoice_id, appointment_id, service_id, tax_id }, terms);
  });
  return [...made, ...items];
}

function rowsOf(
  dependents: readonly DependentCommand[],
  { all }: DecidingCall['decision']['decided'],
): ResultOf<Call> {
  const items = dependents.filter(({ resource }) => resource === invoiceItems.name);
  return all
    .filter(({ resource }) => resource.name === invoices.name)
    .map(({ aggregate }) => aggregate.state as Invoice)
    .map(({ id, client_id, total }) => ({
      ...{ invoice_id: id, client_id, total },
      items: items.filter(({ command }) => command.kind === 'create' && command.record['invoice_id'] === id)
        .length,
    }));
}
