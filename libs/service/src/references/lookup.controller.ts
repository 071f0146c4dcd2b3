import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { catalog } from '@practice/contracts';
import type { FrameRequest, Reply } from '@practice/messaging';
import { entries } from '@practice/resource';
import { TenantDatabase } from '../storage/tenant-database.js';
import { readRows, selectRows } from '../storage/tables.js';
import type { Lookup } from '@practice/resource';

/** FetchedRecords other services' questions about records of this one, for the practice they act for. */
@Controller()
export class LookupController {
  constructor(private readonly database: TenantDatabase) {}

  @MessagePattern('lookup')
  async lookup({ head, body }: FrameRequest): Promise<Reply> {
    const lookup = JSON.parse(body.toString()) as Lookup;
    const resource = catalog.resources.get(lookup.resource);
    if (resource?.service !== this.database.service || !(lookup.column in resource.columns)) {
      throw new Error(`${lookup.resource}.${lookup.column} is not looked up here`);
    }
    const rows = await this.database.reads.run(
      head.therapistId,
      selectRows(resource, head.therapistId, lookup),
    );
    const shared = entries(resource.columns).filter(([, { confidential }]) => confidential !== true);
    const records = readRows(resource, rows).map(({ row, version }) => ({
      ...Object.fromEntries(shared.map(([name]) => [name, row[name]])),
      version,
    }));
    return { status: 200, headers: {}, body: JSON.stringify(records) };
  }
}
