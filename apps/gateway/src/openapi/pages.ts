// The pages of the gateway: files of `pages/`, whose links are relative, so that a path prefix does not matter.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import send from '@fastify/send';
import type { HttpRequest } from '../http/request.js';
import type { HttpResponse } from '../http/responses.js';

/** The folder of this package. */
export const ownFolder = dirname(createRequire(import.meta.url).resolve('@practice/gateway/package.json'));

const folder = join(ownFolder, 'pages');

export const pageFile = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** A file of a folder, streamed from disk, with HTTP ranges and conditional requests. */
export async function fileOf(root: string, file: string, { raw }: HttpRequest): Promise<HttpResponse> {
  const { statusCode, headers, stream } = await send(raw, file, { root });
  const named = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { status: statusCode, headers: Object.fromEntries(named) as Record<string, string>, body: stream };
}

interface PagePolicy {
  readonly directives?: readonly string[];
  /** Where its forms lead. */
  readonly formTargets?: string;
}

/** Escapes text for HTML. */
export const escaped = (text: string): string =>
  text.replaceAll(/[&"<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/**
 * A page that may use its own styles and scripts and the icon, and nothing else.
 * @param values HTML for the names in double braces
 * @param policy further permissions of its Content-Security-Policy
 */
export function pageOf(
  name: string,
  values: Readonly<Record<string, string>>,
  { directives = [], formTargets = "'none'" }: PagePolicy = {},
) {
  const body = pageFile(name).replace(/{{(\w+)}}/g, (_, key: string) => values[key] ?? '');
  const own = ['script', 'style'].flatMap((element) => ownDirective(body, element));
  const forbidden = ["base-uri 'none'", `form-action ${formTargets}`, "frame-ancestors 'none'"];
  const policy = ["default-src 'none'", ...own, ...directives, "img-src 'self'", ...forbidden].join('; ');
  return {
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy },
    body,
  };
}

function ownDirective(page: string, element: string): string[] {
  const text = new RegExp(`<${element}>([^]*?)</${element}>`).exec(page)?.[1];
  const hash = text && createHash('sha256').update(text).digest('base64');
  return hash === undefined ? [] : [`${element}-src 'sha256-${hash}'`];
}
