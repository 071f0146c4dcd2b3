import { createRequire } from 'node:module';
import { catalog, functions } from '@practice/contracts';
import { compact, openApi, swagger } from '@practice/describe';
import { besideRecords } from './calls.js';
import type { Route } from './routes.js';

const { version } = createRequire(import.meta.url)('@practice/gateway/package.json') as { version: string };

/** The descriptions of the API as bytes: made once at start, sent as they are. */
export class Documents {
  /** The records in Swagger 2.0. */
  readonly swagger: Buffer;
  /** Everything in OpenAPI 3.1. */
  readonly openApi: Buffer;
  /** Records and functions in OpenAPI 3.1, for readers of little context. */
  readonly compact: Buffer;

  constructor(baseUrl: string, routes: readonly Route[]) {
    const subject = { catalog, functions: [...functions.values()], version, baseUrl };
    this.swagger = Buffer.from(JSON.stringify(swagger(subject)));
    const whole = openApi(subject, besideRecords(routes));
    this.openApi = Buffer.from(JSON.stringify(whole));
    this.compact = Buffer.from(JSON.stringify(compact(whole, catalog.readable.values())));
  }
}
