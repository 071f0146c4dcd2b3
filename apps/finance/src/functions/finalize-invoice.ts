import { finalizeInvoice, invoices, practiceSettings } from '@practice/contracts';
import { reject } from '@practice/core';
import { dependent, type ArgumentsOf, type ResultOf } from '@practice/resource';
import {
  decideDependents,
  Handles,
  mirrorEntries,
  recordLoads,
  records,
  unknownRecord,
} from '@practice/write';
import type {
  DecidingCall,
  DecidingHandler,
  FunctionDecision,
  PracticeView,
  Resumable,
} from '@practice/write';
import { wallTimeAt } from '@practice/zone';

type Call = typeof finalizeInvoice;

@Handles(finalizeInvoice)
export class FinalizeInvoiceHandler implements DecidingHandler<Call> {
  /** @throws {Rejection} PM404 for an unknown invoice, PM001 unless it is a draft with items */
  *decide(args: ArgumentsOf<Call>, call: DecidingCall): Resumable<FunctionDecision<ResultOf<Call>>> {
    const { view, decision, caller: by } = call;
    const byId = { column: 'id', values: [args.invoice_id] };
    yield* view.load(recordLoads(view, invoices, byId));
    yield* view.turn();
    const [found = reject(unknownRecord(invoices, args.invoice_id))] = yield* records(view, invoices, byId);
    const issued_on = args.issued_on ?? (yield* today(view));
    const changes = { issued_on, ...(args.due_on === null ? {} : { due_on: args.due_on }) };
    const dependents = [dependent(invoices, args.invoice_id, { kind: 'change', changes })];
    const entries = yield* decideDependents(view, decision, { by, dependents });
    if (entries.length > 0) return { kind: 'unknown records', entries };
    const id = args.invoice_id;
    const intent = { id, command: { kind: 'delete' }, state: found.row, version: found.version } as const;
    const [row = {}] = decision.decided.rows(invoices, [intent]);
    const names = Object.keys(finalizeInvoice.returns.columns);
    const result = Object.fromEntries(names.map((name) => [name, row[name]])) as unknown as ResultOf<Call>;
    return { kind: 'decided', result };
  }
}

/** Today in the zone of the practice, as far as this service knows it: the zone rarely changes. */
function* today(view: PracticeView): Resumable<string> {
  const [settings] = yield* mirrorEntries(view, practiceSettings.name, [view.log.therapistId]);
  const zone = settings?.row?.['time_zone'];
  return wallTimeAt(Date.parse(view.now), typeof zone === 'string' ? zone : 'UTC').date;
}
