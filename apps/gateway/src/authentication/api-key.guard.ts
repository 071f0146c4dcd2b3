// Checks the API key. The key is public and protects nothing; calls without it do not come from our clients.

import { timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { reject } from '@practice/core';
import type { Problem } from '@practice/core';
import { accessOf } from '../http/access.js';
import { queryOf } from '../http/request.js';
import type { HttpRequest } from '../http/request.js';
import { GATEWAY_CONFIG } from '../gateway.config.js';
import type { GatewayConfig } from '../gateway.config.js';
import { missingKey, severalKeys, wrongKey } from './key-problems.js';

@Injectable()
export class ApiKeyGuard implements CanActivate {
  private readonly key: Buffer;

  constructor(@Inject(GATEWAY_CONFIG) config: GatewayConfig) {
    this.key = Buffer.from(config.anonKey);
  }

  canActivate(context: ExecutionContext): boolean {
    if (accessOf(context.getHandler()) === 'open') return true;
    const { headers, raw } = context.getArgByIndex<HttpRequest>(0);
    const given = headers['apikey'] ?? keyInQuery(raw.url ?? '');
    if (!this.isKey(given)) reject(refusalOf(given));
    return true;
  }

  /** Compares in constant time. */
  private isKey(given: string | string[] | undefined): boolean {
    if (typeof given !== 'string') return false;
    const bytes = Buffer.from(given);
    return bytes.length === this.key.length && timingSafeEqual(bytes, this.key);
  }
}

function keyInQuery(url: string): string | string[] | undefined {
  const keys = new URLSearchParams(queryOf(url)).getAll('apikey');
  return keys.length > 1 ? keys : keys[0];
}

/** Node joins a repeated header with commas, which no key contains. */
function refusalOf(given: string | string[] | undefined): Problem {
  if (given === undefined || given === '') return missingKey;
  return Array.isArray(given) || given.includes(',') ? severalKeys : wrongKey;
}
