// `npm run bench -- --apps`: compares requests with the token of an app's grant and the same requests with the token of a session.

import { createHash, randomBytes } from 'node:crypto';
import { demand, type Stack } from '@practice/start';
import { describeMachine, machine } from './machine.js';
import { productSide } from './product-side.js';
import { median, ratios as ratiosOf } from './report/statistics.js';
import { atRest } from './rest.js';
import { runRounds } from './rounds.js';
import { progress, startLoad, startOwnStack, writeJson, type Run } from './run.js';
import { seed, type Practice } from './seed/seed.js';
import { quickSizes, sizesWith, type Sizes } from './sizes.js';

const REDIRECT = 'http://127.0.0.1/callback';
const SCOPES = ['appointments:read', 'appointments:write'];
/** Many short rounds: both sides are measured close together, so that other work on the machine disturbs both. */
const full = { rounds: 20, seconds: 2, warmupSeconds: 1 };

export async function apps(run: Run): Promise<void> {
  const { flags, stages, signal, say } = run;
  const usual: Sizes = { ...quickSizes, scenarios: ['day'], pacedRounds: 0 };
  const sizes = sizesWith(flags, flags.quick ? usual : { ...usual, ...full });
  const bench = startLoad(run, sizes);
  const { stack, admin } = await startOwnStack(run);
  const practices = await stages.run('Seed', () => seed(stack, sizes, signal));
  const granted = await stages.run('Grants', () =>
    Promise.all(practices.map((one) => withGrant(stack, one))),
  );
  await atRest(stack.processes, signal);
  await admin.query('VACUUM ANALYZE');
  const sides = [
    productSide(stack, 'session', { practices, sizes, freeFrom: 0 }),
    productSide(stack, 'grant', { practices: granted, sizes, freeFrom: 0 }),
  ];
  const { day } = await runRounds(bench, { sidesFor: () => sides, attempts: 0, say: progress(run) });
  const ratesOf = (name: string): number[] => (day?.saturated[name] ?? []).map(({ perSecond }) => perSecond);
  const [grant, session] = [ratesOf('grant'), ratesOf('session')];
  const ratios = ratiosOf(grant, session);
  const where = await machine(admin);
  say(`\n${describeMachine(where)}\n`);
  for (const [name, rates] of Object.entries({ session, grant })) {
    const perSecond = median(rates);
    say(`  ${name.padEnd(8)} ${Math.round(perSecond).toString().padStart(6)} requests a second`);
  }
  say(`  grant / session, the median of ${ratios.length} rounds: ${median(ratios).toFixed(3)}`);
  writeJson(run, { machine: where, sizes, taken: day?.saturated ?? {}, ratios });
}

/** Returns the practice with the token of an app to which its owner has given access. */
async function withGrant(stack: Stack, practice: Practice): Promise<Practice> {
  const owner = { ...stack, token: practice.token };
  const own = { name: 'Bench', redirect_uris: [REDIRECT], kind: 'public' };
  const headers = { prefer: 'return=representation' };
  const call = { method: 'POST', path: '/rest/v1/oauth_clients', headers, body: own };
  const [made] = (await demand(owner, call)) as [{ id: string }];
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    ...{ client_id: made.id, redirect_uri: REDIRECT, response_type: 'code', scope: SCOPES.join(' ') },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const auth = `${stack.baseUrl}/auth/v1/oauth`;
  const begun = await fetch(`${auth}/authorize?${query.toString()}`, { redirect: 'manual' });
  const page = new URL(begun.headers.get('location') ?? '');
  const id = page.searchParams.get('authorization_id');
  const answer = { action: 'approve', scopes: SCOPES };
  const path = `/auth/v1/oauth/authorizations/${id}/consent`;
  const { redirect_url: redirect } = (await demand(owner, path, answer)) as { redirect_url: string };
  const body = new URLSearchParams({
    ...{ grant_type: 'authorization_code', client_id: made.id, redirect_uri: REDIRECT },
    code: new URL(redirect).searchParams.get('code') ?? '',
    code_verifier: verifier,
  });
  const exchanged = await fetch(`${auth}/token`, { method: 'POST', body });
  const { access_token: token } = (await exchanged.json()) as { access_token: string };
  return { ...practice, token };
}
