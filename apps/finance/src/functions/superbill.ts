import { invoiceItems, invoices, superbill } from '@practice/contracts';
import { invalidArgument, reject } from '@practice/core';
import type { ArgumentsOf, ResultOf } from '@practice/resource';
import { tableOf, TenantDatabase } from '@practice/storage';
import { Handles, type FunctionCall, type FunctionHandler } from '@practice/write';

type Row = ResultOf<typeof superbill>[number];

const COLUMNS = Object.keys(superbill.returns.columns) as (keyof Row)[];

const TEXT = `SELECT coalesce(i.date, v.issued_on), i.description, i.appointment_id, i.service_id,
  i.quantity, i.unit_price, i.amount, i.tax_amount, i.total, v.id, v.number, v.status
FROM ${tableOf(invoiceItems)} AS i
JOIN ${tableOf(invoices)} AS v ON v.therapist_id = i.therapist_id AND v.id = i.invoice_id
WHERE i.therapist_id = $1 AND i.client_id = $2 AND v.status IN ('open', 'paid') AND NOT i.voided
  AND coalesce(i.date, v.issued_on) BETWEEN $3::date AND $4::date
ORDER BY 1, v.number, i.created_at, i.id`;

/** Reads the items of finalized invoices with one statement. */
@Handles(superbill)
export class SuperbillHandler implements FunctionHandler<typeof superbill> {
  constructor(private readonly database: TenantDatabase) {}

  /** @throws {Rejection} 22023 when `to` is before `from` */
  async call(
    { client_id, from, to }: ArgumentsOf<typeof superbill>,
    { caller: { therapistId, practiceRole: role }, deadline }: FunctionCall,
  ): Promise<ResultOf<typeof superbill>> {
    if (to < from) reject(invalidArgument('to', 'It must not be before from.'));
    const statement = { text: TEXT, values: [therapistId, client_id, from, to] };
    const rows = await this.database.reads.run({ therapistId, role }, statement, { deadline });
    return rows.map(
      (row) => Object.fromEntries(COLUMNS.map((name, index) => [name, row[index] ?? null])) as Row,
    );
  }
}
