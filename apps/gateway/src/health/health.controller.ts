import { Controller, Get, Inject } from '@nestjs/common';
import type { Operation } from '@practice/describe';
import { Endpoint, response } from '../http/endpoint.js';
import { type HttpResponse, JSON_TYPE } from '../http/responses.js';

const HEADERS = { 'Content-Type': JSON_TYPE };
const OK = '{"status":"ok"}';
const UNAVAILABLE = '{"status":"unavailable"}';

const state = {
  type: 'object',
  properties: { status: { enum: ['ok', 'unavailable'] } },
  required: ['status'],
};

const probe = (summary: string, ...statuses: readonly number[]): Operation => ({
  tags: ['descriptions'],
  summary,
  responses: {
    ...Object.fromEntries(
      statuses.map((code) => [code, response(code === 200 ? 'Yes.' : 'No.', { 'application/json': state })]),
    ),
    414: { description: 'The URL is longer than 16 KiB.' },
  },
});

/** Reports whether everything that the gateway needs is available. */
export type Readiness = () => Promise<boolean>;

export const READINESS = Symbol('readiness');

/** `/livez` reports whether the process runs, `/readyz` whether it can answer: it has the bus and the state of the identity service. */
@Controller()
export class HealthController {
  constructor(@Inject(READINESS) private readonly isReady: Readiness) {}

  @Get('livez')
  @Endpoint({ access: 'open', operation: probe('Whether the process runs', 200) })
  live(): HttpResponse {
    return { status: 200, headers: HEADERS, body: OK, isRoutine: true };
  }

  @Get('readyz')
  @Endpoint({ access: 'open', operation: probe('Whether it can answer', 200, 503) })
  async ready(): Promise<HttpResponse> {
    const isReady = await this.isReady().catch(() => false);
    const [status, body] = isReady ? [200, OK] : [503, UNAVAILABLE];
    return { status, headers: HEADERS, body, isRoutine: isReady };
  }
}
