import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type Connection, subscribe, type Subscription } from '@practice/bus';
import { WEBHOOK_NEWS } from '@practice/contracts';
import { CrossTenantConnection } from '@practice/storage';
import { Bell } from '../webhook/webhook-effect.js';
import { forgetPractices, noteNews, noteNewsOfAll } from './claims.js';

export const CONNECTION = Symbol('connection');

/** Notes for which practices there is something to deliver: the durable subscription to everything that happens. */
@Injectable()
export class News implements OnApplicationBootstrap, OnApplicationShutdown {
  private subscription: Subscription | undefined;

  constructor(
    @Inject(CONNECTION) private readonly connection: Connection,
    private readonly crossTenant: CrossTenantConnection,
    private readonly bell: Bell,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.crossTenant.run(noteNewsOfAll);
    this.subscription = await subscribe({
      connection: this.connection,
      name: WEBHOOK_NEWS,
      start: 'new',
      batch: async (events) => {
        await this.note(events);
        return events.map(() => true);
      },
      handler: (event) => this.note([event]),
      maxAttempts: Infinity,
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.subscription?.stop();
  }

  private async note(
    events: readonly { readonly type: string; readonly therapistId: string }[],
  ): Promise<void> {
    const erased = practicesOf(events.filter(({ type }) => type === 'PracticeErased'));
    for (const statement of erased.length === 0 ? [] : forgetPractices(erased))
      await this.crossTenant.run(statement);
    const noted = await this.crossTenant.run(noteNews(practicesOf(events)));
    if (noted.length > 0) this.bell.ring();
  }
}

const PRACTICE = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The practices of events. An event with another id is of no practice: it must not stop the news of all others. */
const practicesOf = (events: readonly { readonly therapistId: string }[]): string[] => [
  ...new Set(events.map(({ therapistId }) => therapistId).filter((id) => PRACTICE.test(id))),
];
