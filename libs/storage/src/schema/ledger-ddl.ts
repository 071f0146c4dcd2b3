import { schemaOf } from '@practice/core';
import { isReadableBy, isWritableBy, SYSTEM } from '@practice/log';
import { entries, rolesAllowed, type Resource } from '@practice/resource';
import { ledgersOf } from '../tables/ledger-table.js';
import { limitedTo, permitted } from './role-policies.js';

/** DDL of the ledgers of these resources. @param schema of the tables: a rebuild makes new ones */
export const ledgerDdl = (resources: readonly Resource[], schema: string): string[] =>
  ledgersOf(resources).flatMap((table) => {
    const booked = resources.filter(({ ledger: rules }) => rules?.into === table.name);
    return tableDdl(table, `"${schema}"."${table.name}"`, booked);
  });

function tableDdl(table: Resource, name: string, booked: readonly Resource[]): string[] {
  const role = schemaOf(table.service);
  const columns = entries(table.columns).map(
    ([column, { kind, nullable }]) => `"${column}" ${kind.sqlType}${nullable ? '' : ' NOT NULL'}`,
  );
  const readers = [...rolesAllowed(table, 'read'), SYSTEM];
  const writers = (['write', 'delete'] as const).flatMap((right) =>
    booked.flatMap((resource) => permitted(resource, right)),
  );
  return [
    `CREATE TABLE ${name} (${columns.join(', ')}, CONSTRAINT ${table.name}_pkey PRIMARY KEY (therapist_id, id))`,
    `CREATE INDEX ${table.name}_account_idx ON ${name} (therapist_id, account, at) INCLUDE (debit, credit)`,
    `CREATE INDEX ${table.name}_record_idx ON ${name} (therapist_id, record_id)`,
    `CREATE INDEX ${table.name}_client_idx ON ${name} (therapist_id, client_id)`,
    `CREATE INDEX ${table.name}_date_idx ON ${name} (therapist_id, date)`,
    ...limitedTo(name, role, {
      SELECT: `USING (${isReadableBy(readers)})`,
      INSERT: `WITH CHECK (${isWritableBy([...new Set(writers)])})`,
    }),
    `GRANT SELECT, INSERT ON ${name} TO "${role}"`,
  ];
}
