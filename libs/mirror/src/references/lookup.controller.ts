import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { catalog } from '@practice/contracts';
import { asSystem } from '@practice/log';
import type { FrameRequest, InPractice, Reply } from '@practice/bus';
import { entries } from '@practice/resource';
import { readRows, selectRows, TenantDatabase } from '@practice/storage';
import { selectMarked } from './deletion-marks.js';
import type { OwnedRecord, OwnedRecords } from './record-owners.js';

/** A question about the records that have one of these values in a column. */
interface Question {
  readonly resource: string;
  /** The id if it is not given. */
  readonly column?: string;
  readonly ids: readonly string[];
}

/** Answers other services' questions about records of this service, without confidential columns. */
@Controller()
export class LookupController {
  constructor(private readonly database: TenantDatabase) {}

  @MessagePattern('lookup')
  async lookup({ envelope, body }: FrameRequest<InPractice>): Promise<Reply> {
    const answer = await this.read(envelope.therapistId, JSON.parse(body.toString()) as Question);
    return { status: 200, headers: {}, body: JSON.stringify(answer) };
  }

  /** Marks first: a record without a mark that is then found was in no deletion when its marks were read. */
  private async read(
    therapistId: string,
    { resource: name, column = 'id', ids: values }: Question,
  ): Promise<OwnedRecords> {
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
