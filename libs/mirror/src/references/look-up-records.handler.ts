import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { catalog } from '@practice/contracts';
import { asSystem } from '@practice/log';
import { entries } from '@practice/resource';
import { readRows, selectRows, TenantDatabase } from '@practice/storage';
import { selectMarked } from './deletion-marks.js';
import { LookUpRecords } from './look-up-records.query.js';
import type { OwnedRecord, OwnedRecords } from './record-owners.js';

/** Reads records for other services, without confidential columns. */
@QueryHandler(LookUpRecords)
export class LookUpRecordsHandler implements IQueryHandler<LookUpRecords> {
  constructor(private readonly database: TenantDatabase) {}

  /** Reads the marks first: a record that has no mark and is then found was not being deleted when the marks were read. */
  async execute({ therapistId, question }: LookUpRecords): Promise<OwnedRecords> {
    const { resource: name, column = 'id', ids: values } = question;
    const { service, reads } = this.database;
    const resource = catalog.resources.get(name);
    if (resource?.service !== service) throw new Error(`${name} is not a resource of ${service}`);
    const shared = entries(resource.columns).filter(([, { confidential }]) => confidential !== true);
    if (!shared.some(([known]) => known === column))
      throw new Error(`${name} has no column like that to look up by`);
    const marked =
      column === 'id'
        ? await reads.run(asSystem(therapistId), selectMarked({ service, therapistId }, name, values))
        : [];
    const rows = await reads.run(
      asSystem(therapistId),
      selectRows(resource, therapistId, { column, values }),
    );
    const records = readRows(resource, rows).map(({ row, version }): OwnedRecord => ({
      ...Object.fromEntries(shared.map(([column]) => [column, row[column] ?? null])),
      id: String(row['id']),
      version,
    }));
    return { records, marked: marked.map(([id]) => String(id)) };
  }
}
