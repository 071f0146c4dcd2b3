import type { Event, EventMetadata } from '@practice/core';
import type { NewEvent } from '@practice/event-store';
import { AggregateRoot } from '@nestjs/cqrs';
import { checkRecord, evolve, versionOf } from '@practice/resource';
import type { Command, Decider, LookupContext, Resource, Row } from '@practice/resource';

/** A record while it is decided upon: a thin shell round its decider that keeps state and version in step. */
export class Aggregate extends AggregateRoot<NewEvent> {
  constructor(
    private readonly kind: { readonly resource: Resource; readonly decider: Decider },
    readonly id: string,
    public state: Row | null,
    public version: number,
  ) {
    super();
  }

  /**
   * Decides a command and applies what it leads to.
   * @throws {Rejection} when a rule forbids it or the record would not keep what its definition asks
   */
  execute(command: Command, context: LookupContext, metadata: () => EventMetadata): void {
    const { resource, decider } = this.kind;
    for (const event of decider.decide(command, this.state, context))
      this.apply(this.recorded(event, context.now, metadata()));
    if (this.state !== null) checkRecord(resource, this.state);
  }

  private recorded(event: Event, now: string, metadata: EventMetadata): NewEvent {
    const { resource } = this.kind;
    const schemaVersion = versionOf(resource, event.type);
    const at = { aggregate: resource.aggregate, streamId: this.id, version: this.version + 1 };
    return { ...at, schemaVersion, metadata, recordedAt: now, ...event };
  }

  /** Every event is folded the same way: its data are columns of the record. */
  protected override getEventHandler(): never {
    return ((event: NewEvent) => {
      this.state = evolve(this.kind.resource, this.state, event);
      this.version = event.version;
    }) as never;
  }
}
