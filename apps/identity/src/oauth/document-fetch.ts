// Fetches the metadata documents of clients. Strangers choose the addresses of these documents.

import { Inject, Injectable } from '@nestjs/common';
import { dnsResolve, guardedRequests } from '@practice/outbound';
import { IDENTITY_CONFIG, type IdentityConfig } from '../identity.config.js';
import { describedText } from './described-client.js';

const TIMEOUT_MS = 3_000;
const MAX_BYTES = 64 * 1024;

@Injectable()
export class DocumentFetch {
  private readonly open;

  constructor(@Inject(IDENTITY_CONFIG) { outbound }: Pick<IdentityConfig, 'outbound'>) {
    this.open = guardedRequests(outbound, dnsResolve({ timeoutMs: 1_000 }));
  }

  /**
   * Fetches a document. Redirects are not followed.
   * @throws {Error} when the address is not public, the response is late or too large, or the document describes a client that is refused
   */
  async fetch(url: string): Promise<Response> {
    const { status, headers, body } = await this.get(url);
    return new Response(describedText(body.toString()), { status, headers });
  }

  private get(url: string): Promise<{ status: number; headers: Record<string, string>; body: Buffer }> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    return new Promise((resolve, reject) => {
      const sent = this.open(url, { signal, headers: { accept: 'application/json' } });
      if (typeof sent === 'string') return reject(new Error(`the document is not fetched: ${sent}`));
      sent.on('response', (response) => {
        const parts: Buffer[] = [];
        let bytes = 0;
        response.on('data', (part: Buffer) => {
          bytes += part.length;
          if (bytes > MAX_BYTES) response.destroy(new Error('the document is too large'));
          else parts.push(part);
        });
        response.on('error', reject);
        response.on('end', () => {
          const { 'cache-control': cache, 'content-type': type } = response.headers;
          const headers = { ...(cache && { 'cache-control': cache }), ...(type && { 'content-type': type }) };
          resolve({ status: response.statusCode ?? 0, headers, body: Buffer.concat(parts) });
        });
      });
      sent.on('error', reject);
      // A response that switches protocols (101) closes the request without an error.
      sent.on('close', () => reject(new Error('the document did not arrive')));
      sent.end();
    });
  }
}
