// Keeps a proof of a practice's log. Each run checks the log in every service, compares it with the hashes that the last run
// kept in a file, and keeps the new ones. A person who changes the log afterwards cannot change the file. Needs only Node.
//   node examples/log-proof.mjs
//   EMAIL=demo@example.com PASSWORD=… PROOF=proof.json node examples/log-proof.mjs     every day, from a machine of your own
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { enter, rest } from './api.mjs';

const { PROOF = join(tmpdir(), `log-proof-${randomUUID()}.json`) } = process.env;

/** Checks the log of a service after a position, in as many calls as needed. */
async function check(service, after = 0) {
  for (let from = after; ;) {
    const [found] = await rest('GET', `rpc/verify_log?service=${service}&after=${from}`);
    if (found.intact === false) throw new Error(`${service}: broken at position ${found.first_broken}`);
    if (found.intact) return found;
    from = found.positions;
  }
}

/** The hash that the log has now at the position of the proof. */
async function hashAt(service, position) {
  if (position === 0) return '';
  const path = `rpc/verify_log?service=${service}&after=${position - 1}&upto=${position}`;
  const [found] = await rest('GET', path);
  return found.head_hash;
}

await enter('proof');
const kept = existsSync(PROOF) ? JSON.parse(readFileSync(PROOF, 'utf8')) : [];
for (const { service, positions, head_hash: hash } of kept)
  if ((await hashAt(service, positions)) !== hash)
    throw new Error(`${service}: the log up to position ${positions} is not the one of the proof`);
const services = await rest('GET', 'rpc/verify_log?select=service&order=service');
const proof = [];
for (const { service } of services) proof.push(await check(service));
writeFileSync(PROOF, JSON.stringify(proof, null, 2));
for (const { service, positions, head_hash: hash } of proof)
  console.log(`${service}: ${positions} events, intact, ${hash.slice(0, 16)}`);
console.log(`${kept.length} earlier hashes compared; kept in ${PROOF}`);
