// Erases a client as an owner: follows the erasure, checks its certificate with the published keys, and shows the remaining data.
// Needs a running system (npm start) and only Node.
//   node examples/erase-client.mjs
import { createPublicKey, verify } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { call, rest, signUp } from './api.mjs';

const part = (jws, index) => Buffer.from(jws.split('.')[index], 'base64url');

/** The claims of a certificate. Throws unless a published key has signed it. */
async function verified(certificate) {
  const { kid, typ } = JSON.parse(part(certificate, 0));
  const { json: published } = await call('GET', '/auth/v1/.well-known/jwks.json');
  const jwk = published.keys.find((key) => key.kid === kid);
  const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' };
  const signed = certificate.slice(0, certificate.lastIndexOf('.'));
  const isRight = verify('sha256', Buffer.from(signed), key, part(certificate, 2));
  if (typ !== 'erasure+jwt' || !isRight) throw new Error('the certificate is not genuine');
  return JSON.parse(part(certificate, 1));
}

await signUp('erase');
const [ada] = await rest('POST', 'clients', { name: 'Ada Lovelace', phone: '0123' });
const slot = { date: '2030-01-07', start_time: '09:00', end_time: '09:50' };
await rest('POST', 'appointments', { ...slot, client_id: ada.id, notes: 'first visit' });
await rest('POST', 'sessions', { client_id: ada.id, plan: 'rest' });

const begun = await rest('POST', 'rpc/erase_client', { client_id: ada.id, reason: 'asked by letter' });
let erasure = begun;
while (erasure.status !== 'done') {
  await pause(200);
  [erasure] = await rest('GET', `erasures?id=eq.${begun.id}`);
}
const claims = await verified(erasure.certificate);
for (const [service, { events }] of Object.entries(claims.services))
  console.log(`${service}: the values of ${events} events are erased`);

const [left] = await rest('GET', `clients?id=eq.${ada.id}&select=name,phone,status`);
const [visit] = await rest('GET', `appointments?client_id=eq.${ada.id}&select=date,client_name,notes`);
const history = await rest('GET', `clients_history?id=eq.${ada.id}&select=event,erased`);
console.log(`client: ${JSON.stringify(left)}`);
console.log(`appointment: ${JSON.stringify(visit)}`);
console.log(`history: ${JSON.stringify(history)}`);
const log = await rest('GET', 'rpc/verify_log?select=service,intact');
console.log(`log intact: ${log.every(({ intact }) => intact)}`);
const refused = await rest('POST', 'sessions', { client_id: ada.id, plan: 'walk' }).catch(
  (error) => error.message,
);
console.log(`a new note: ${refused}`);
