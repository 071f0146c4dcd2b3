// Checks the API key. The key is public and protects nothing; calls without it do not come from our clients.

import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { reject } from '@practice/core';
import type { Problem } from '@practice/core';
import { missingKey, severalKeys, wrongKey } from './key-problems.js';

export class ApiKey {
  private readonly key: Buffer;

  constructor(key: string) {
    this.key = Buffer.from(key);
  }

  /**
   * @param url with the query, which may have the key instead of the headers
   * @throws {Rejection} PM401 when the key is missing, wrong or sent several times
   */
  require(headers: IncomingHttpHeaders, url: string): void {
    const given = headers['apikey'] ?? keyInQuery(url);
    if (!this.isKey(given)) reject(refusalOf(given));
  }

  /** Compares in constant time. */
  private isKey(given: string | string[] | undefined): boolean {
    if (typeof given !== 'string') return false;
    const bytes = Buffer.from(given);
    return bytes.length === this.key.length && timingSafeEqual(bytes, this.key);
  }
}

function keyInQuery(url: string): string | string[] | undefined {
  const start = url.indexOf('?');
  const keys = new URLSearchParams(start === -1 ? '' : url.slice(start + 1)).getAll('apikey');
  return keys.length > 1 ? keys : keys[0];
}

/** Node joins a repeated header with commas, which no key contains. */
function refusalOf(given: string | string[] | undefined): Problem {
  if (given === undefined || given === '') return missingKey;
  return Array.isArray(given) || given.includes(',') ? severalKeys : wrongKey;
}
