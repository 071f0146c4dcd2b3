import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { catalog } from '@practice/contracts';
import type { FrameRequest, Reply } from '@practice/messaging';
import { entries } from '@practice/resource';
import { readRows, selectRows } from '../storage/tables.js';
import { TenantDatabase } from '../storage/tenant-database.js';
import { selectMarked } from './deletion-marks.js';
import type { OwnedRecord, OwnedRecords } from './record-owners.js';

/** Answers other services' questions about records of this service, without confidential columns. */
@Controller()
export class LookupController {
  constructor(private readonly database: TenantDatabase) {}

  @MessagePattern('lookup')
  async lookup({ envelope, body }: FrameRequest): Promise<Reply> {
    const { resource, ids } = JSON.parse(body.toString()) as { resource: string; ids: string[] };
    const answer = await this.read(envelope.therapistId, resource, ids);
    return { status: 200, headers: {}, body: JSON.stringify(answer) };
  }

  /** Marks first: a record without a mark that is then found was in no deletion when its marks were read. */
  private async read(therapistId: string, name: string, ids: readonly string[]): Promise<OwnedRecords> {
    const { service, reads } = this.database;
    const resource = catalog.resources.get(name);
    if (resource?.service !== service) throw new Error(`${name} is not a resource of ${service}`);
    const marked = await reads.run(therapistId, selectMarked({ service, therapistId }, name, ids));
    const named = { column: 'id', values: ids };
    const rows = await reads.run(therapistId, selectRows(resource, therapistId, named));
    const shared = entries(resource.columns).filter(([, { confidential }]) => confidential !== true);
    const records = readRows(resource, rows).map(({ row, version }): OwnedRecord => ({
      ...Object.fromEntries(shared.map(([column]) => [column, row[column] ?? null])),
      id: String(row['id']),
      version,
    }));
    return { records, marked: marked.map(([id]) => String(id)) };
  }
}
