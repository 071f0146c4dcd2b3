import { Controller, Get, Inject, ServiceUnavailableException } from '@nestjs/common';

/** Tells whether what a process needs to do its work is there. */
export type Readiness = () => Promise<boolean>;

export const READINESS = Symbol('readiness');

/** `/livez`: the process runs. `/readyz`: so do the database and the bus, as seen from it. */
@Controller()
export class HealthController {
  constructor(@Inject(READINESS) private readonly isReady: Readiness) {}

  @Get('livez')
  live(): { status: string } {
    return { status: 'ok' };
  }

  @Get('readyz')
  async ready(): Promise<{ status: string }> {
    if (!(await this.isReady().catch(() => false)))
      throw new ServiceUnavailableException({ status: 'unavailable' });
    return { status: 'ok' };
  }
}
