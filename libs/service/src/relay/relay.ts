import { EventsHandler, type IEventHandler } from '@nestjs/cqrs';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { startRelay, type Relay, type RelayOptions } from '@practice/log';
import { Committed } from '@practice/write';

export const RELAY_OPTIONS = Symbol('relay options');

/** The relay of this process. It runs from bootstrap to shutdown. */
@Injectable()
export class OutboxRelay implements OnApplicationBootstrap, OnApplicationShutdown {
  private relay: Relay | undefined;

  constructor(@Inject(RELAY_OPTIONS) private readonly options: RelayOptions) {}

  onApplicationBootstrap(): void {
    this.relay = startRelay(this.options);
  }

  wake(): void {
    this.relay?.wake();
  }

  /** Makes the relay of this process look for refills, if it is the relay that publishes. */
  compare(): void {
    this.relay?.compare();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.relay?.stop();
  }
}

@EventsHandler(Committed)
export class WakeRelay implements IEventHandler<Committed> {
  constructor(private readonly relay: OutboxRelay) {}

  handle(): void {
    this.relay.wake();
  }
}
