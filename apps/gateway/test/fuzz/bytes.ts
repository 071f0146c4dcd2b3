// Requests as bytes, such as no client would send and any stranger may.

import fc from 'fast-check';
import { bodies, contentTypes, headers } from './contents.js';
import { methods, targets } from './targets.js';

export interface Credentials {
  readonly apikey: string;
  readonly token: string;
}

const framings = fc.constantFrom(
  'length',
  'length',
  'length',
  'chunked',
  'none',
  'short',
  'both',
  'broken chunks',
);

/** One request's bytes; each closes its connection. */
export const requestBytes = ({ apikey, token }: Credentials): fc.Arbitrary<Buffer> => {
  const auths = fc.constantFrom(
    ...Array<string>(6).fill(`apikey: ${apikey}\r\nAuthorization: Bearer ${token}`),
    ...['', `apikey: ${apikey}`, 'apikey: x', `Authorization: Bearer ${token}`],
    ...[`apikey: ${apikey}\r\nAuthorization: Bearer x.y.z`, `apikey: ${apikey}\r\nAuthorization: Basic eA==`],
  );
  return fc
    .record({
      method: methods,
      target: targets,
      auth: auths,
      type: contentTypes,
      more: headers,
      body: bodies,
      framing: framings,
    })
    .map(({ method, target: path, auth, type, more, body, framing }) => {
      const content = Buffer.from(body, 'utf8');
      const lines = [`${method} ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...auth.split('\r\n')];
      const type_ = type === '' ? [] : [`Content-Type: ${type}`];
      const { head, sent } = framed(framing, content);
      const all = [...lines, ...type_, ...more, ...head].filter((line) => line !== '');
      return Buffer.concat([Buffer.from(`${all.join('\r\n')}\r\n\r\n`, 'latin1'), sent]);
    });
};

function framed(framing: string, content: Buffer): { head: readonly string[]; sent: Buffer } {
  const length = `Content-Length: ${content.length}`;
  const size = content.length.toString(16);
  const chunks = Buffer.concat([Buffer.from(`${size}\r\n`), content, Buffer.from('\r\n0\r\n\r\n')]);
  switch (framing) {
    case 'chunked':
      return {
        head: ['Transfer-Encoding: chunked'],
        sent: content.length === 0 ? Buffer.from('0\r\n\r\n') : chunks,
      };
    case 'none':
      return { head: [], sent: Buffer.alloc(0) };
    case 'short':
      return { head: [`Content-Length: ${Math.max(0, content.length - 2)}`], sent: content };
    case 'both':
      return { head: [length, 'Transfer-Encoding: chunked'], sent: chunks };
    case 'broken chunks':
      return { head: ['Transfer-Encoding: chunked'], sent: Buffer.from('zz\r\n') };
    default:
      return { head: [length], sent: content };
  }
}
