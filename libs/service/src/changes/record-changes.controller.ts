import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { catalog, MOST_ASKED_CHANGES, RECORD_CHANGES } from '@practice/contracts';
import type { AskedChange, ToldChange } from '@practice/contracts';
import { asSystem } from '@practice/event-store';
import type { FrameRequest, InPractice, Reply } from '@practice/messaging';
import { keepsVersions } from '@practice/resource';
import type { Resource } from '@practice/resource';
import { TenantDatabase } from '../storage/tenant-database.js';
import { readChanges, selectChanges } from './record-changes.js';

/** Answers how records of this service were before and after changes, without confidential columns. */
@Controller()
export class RecordChangesController {
  constructor(private readonly database: TenantDatabase) {}

  /** The body is a list of `AskedChange`, the answer a list of `ToldChange`: one for each change that the log has. */
  @MessagePattern(RECORD_CHANGES)
  async changes({ envelope, body }: FrameRequest<InPractice>): Promise<Reply> {
    const asked = JSON.parse(body.toString()) as AskedChange[];
    if (asked.length > MOST_ASKED_CHANGES) throw new Error('a question is about too many changes');
    const names = [...new Set(asked.map(({ resource }) => resource))];
    const told = await Promise.all(
      names.map((name) =>
        this.read(
          envelope.therapistId,
          this.resourceOf(name),
          asked.filter(({ resource }) => resource === name),
        ),
      ),
    );
    return { status: 200, headers: {}, body: JSON.stringify(told.flat()) };
  }

  private async read(
    therapistId: string,
    resource: Resource,
    asked: readonly AskedChange[],
  ): Promise<ToldChange[]> {
    const statement = selectChanges(resource, therapistId, asked);
    return readChanges(resource, await this.database.reads.run(asSystem(therapistId), statement));
  }

  private resourceOf(name: string): Resource {
    const resource = catalog.resources.get(name);
    if (resource?.service !== this.database.service || !keepsVersions(resource))
      throw new Error(`${name} is not a resource of ${this.database.service}`);
    return resource;
  }
}
