import type { Event, EventMetadata } from '@practice/core';
import type { NewEvent } from '@practice/event-store';
import { AggregateRoot } from '@nestjs/cqrs';
import { checkRecord, evolve, lifecycleOf, versionOf } from '@practice/resource';
import type { Command, Decider, LookupContext, Resource, Row } from '@practice/resource';

interface Rules {
  readonly decider: Decider;
  readonly metadata: () => EventMetadata;
}

/** A record on which commands are decided: a thin shell around its decider that keeps state and version in step. */
export class Aggregate extends AggregateRoot<NewEvent> {
  state: Row | null;
  version: number;

  constructor(
    private readonly resource: Resource,
    readonly id: string,
    stored: { readonly state: Row | null; readonly version: number },
  ) {
    super();
    ({ state: this.state, version: this.version } = stored);
  }

  /**
   * Decides a command and applies its events.
   * @throws {Rejection} when a rule forbids it or the record would break its definition
   */
  execute(command: Command, context: LookupContext, { decider, metadata }: Rules): void {
    for (const event of decider.decide(command, this.state, context))
      this.apply(this.recorded(event, context.now, metadata()));
    if (this.state !== null) checkRecord(this.resource, this.state);
  }

  private recorded(event: Event, now: string, metadata: EventMetadata): NewEvent {
    const { resource } = this;
    const schemaVersion = versionOf(resource, event.type);
    const lifecycle = lifecycleOf(resource);
    const at = { aggregate: resource.aggregate, streamId: this.id, version: this.version + 1 };
    return { ...at, schemaVersion, lifecycle, metadata, recordedAt: now, ...event };
  }

  /** Every event is folded the same way: its data are columns of the record. */
  protected override getEventHandler(): never {
    return ((event: NewEvent) => {
      this.state = evolve(this.resource, this.state, event);
      this.version = event.version;
    }) as never;
  }
}
