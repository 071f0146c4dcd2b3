// A third-party web app: sends its user to the consent page, exchanges the code and reads a week of appointments. It needs Node and
// the library `openid-client`, and a `client_id` of `oauth_clients` with the redirect URI http://127.0.0.1/callback (`kind` public).
//   CLIENT_ID=… node examples/oauth-app.mjs
import { createServer } from 'node:http';
import * as client from 'openid-client';
import { baseUrl as base } from './api.mjs';

const { CLIENT_ID = '' } = process.env;
const isLocal = base.startsWith('http:');
const config = await client.discovery(new URL(`${base}/auth/v1`), CLIENT_ID, undefined, client.None(), {
  execute: isLocal ? [client.allowInsecureRequests] : [],
});

const verifier = client.randomPKCECodeVerifier();
const state = client.randomState();

/** The page that the browser returns to. */
const server = createServer(async (request, response) => {
  const url = new URL(request.url, `http://127.0.0.1:${server.address().port}`);
  if (url.pathname !== '/callback') return response.writeHead(404).end();
  try {
    const checks = { pkceCodeVerifier: verifier, expectedState: state };
    const tokens = await client.authorizationCodeGrant(config, url, checks);
    const [from, to] = [0, 7].map((days) =>
      new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
    );
    const path = `appointments?date=gte.${from}&date=lt.${to}&order=date,start_time&select=date,start_time,client_name`;
    const { access_token: token } = tokens;
    const week = await fetch(`${base}/rest/v1/${path}`, { headers: { authorization: `Bearer ${token}` } });
    response.writeHead(week.status, { 'content-type': 'application/json' }).end(await week.text());
    console.log('The week is in the browser.');
  } catch (error) {
    response.writeHead(400).end(String(error.message));
  }
  server.close();
});
server.listen(0, '127.0.0.1', async () => {
  const link = client.buildAuthorizationUrl(config, {
    redirect_uri: `http://127.0.0.1:${server.address().port}/callback`,
    ...{ scope: 'appointments:read', state, code_challenge_method: 'S256' },
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
  });
  console.log(`Open ${link.href}`);
});
