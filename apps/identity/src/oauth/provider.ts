// The OAuth server: the library with our tables, keys and clients. Its cookies and pages never leave this process. A person signs in
// and consents by the auth API, so a browser gets only the gateway's cookies.

import { Inject, Injectable } from '@nestjs/common';
import { allScopes, ASSISTANT_PATH } from '@practice/contracts';
import { isUuid } from '@practice/core';
import { LOGGER, type Logger } from '@practice/process';
import type { Adapter, Configuration, default as Provider, errors, KoaContextWithOIDC } from 'oidc-provider';
import { IDENTITY_CONFIG, type IdentityConfig } from '../identity.config.js';
import { SigningKeys } from '../keys/signing-keys.js';
import { RefreshTokenRotation } from '../sessions/refresh-token-rotation.js';
import { tokenHash } from '../store/secrets.js';
import { OauthClients } from './clients.js';
import { DocumentFetch } from './document-fetch.js';
import { Grants } from './grants.js';
import { oidcProvider } from './library.js';
import { OauthPayloads } from './payloads.js';

/** The paths below the issuer. */
export const paths = {
  authorization: '/oauth/authorize',
  code_verification: '/oauth/device',
  device_authorization: '/oauth/device_authorization',
  introspection: '/oauth/introspect',
  jwks: '/.well-known/jwks.json',
  registration: '/oauth/clients/register',
  revocation: '/oauth/revoke',
  token: '/oauth/token',
} as const;

/** Scopes about the person; all others are about records. */
export const PERSONAL_SCOPES: readonly string[] = ['openid', 'email', 'profile', 'offline_access'];

const MINUTES_10 = 600;
const ALG = 'ES256';

/** The parts of the configuration that depend on no setting. */
const fixed = {
  scopes: PERSONAL_SCOPES,
  claims: { openid: ['sub'], email: ['email'], profile: ['name'] },
  responseTypes: ['code'],
  subjectTypes: ['public'],
  clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
  clientDefaults: {
    id_token_signed_response_alg: ALG,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_modes: ['query'],
  },
  enabledJWA: { idTokenSigningAlgValues: [ALG] },
  pkce: { required: () => true },
  cookies: { keys: [], long: { signed: false }, short: { signed: false } },
} satisfies Configuration;

@Injectable()
export class OauthProvider {
  private built: { readonly kid: string; readonly provider: Promise<Provider> } | undefined;

  constructor(
    private readonly keys: SigningKeys,
    private readonly payloads: OauthPayloads,
    private readonly clients: OauthClients,
    private readonly documents: DocumentFetch,
    private readonly grants: Grants,
    private readonly rotation: RefreshTokenRotation,
    @Inject(IDENTITY_CONFIG) private readonly config: IdentityConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The server that signs with the active key. */
  async current(): Promise<Provider> {
    const { kid, privateKey } = await this.keys.active();
    if (this.built?.kid !== kid) {
      const jwk = { ...privateKey.export({ format: 'jwk' }), kid, alg: ALG, use: 'sig' };
      this.built = { kid, provider: this.build(jwk) };
    }
    return this.built.provider;
  }

  /** The audience of a token: the API, or the assistant's endpoint. Undefined for any other resource. */
  audienceOf(resource: string): string | undefined {
    const { baseUrl } = this.config;
    const plain = resource.replace(/\/$/, '');
    return [baseUrl, `${baseUrl}${ASSISTANT_PATH}`].find((one) => one === plain);
  }

  /** The page that a browser opens after a person has answered a device. */
  get devicePage(): string {
    return `${this.config.baseUrl}/oauth/device?done`;
  }

  private async build(jwk: object): Promise<Provider> {
    const { baseUrl } = this.config;
    const { default: Server, errors: problems } = await oidcProvider();
    const provider = new Server(`${baseUrl}/auth/v1`, this.configuration(jwk, problems));
    provider.proxy = true;
    provider.on('server_error', (_ctx, err) => this.logger.error({ err }, 'the OAuth server failed'));
    provider.Client.prototype.compareClientSecret = this.comparesSecret();
    const { rotation } = this;
    // Two processes of a client that use the same refresh token at the same time get the same next token.
    const tokens = provider.RefreshToken.prototype as unknown as { generateTokenId: () => string };
    const random = tokens.generateTokenId;
    tokens.generateTokenId = function generate(): string {
      const used = Server.ctx?.oidc.entities.RotatedRefreshToken;
      return used === undefined ? random.call(this) : rotation.after(used.jti);
    };
    return provider;
  }

  /** Compares a secret with the stored secret of a self-registered client, or with the hashes of a client of a practice. */
  private comparesSecret() {
    const { clients } = this;
    return async function compare(
      this: { readonly clientId: string; readonly clientSecret?: string },
      actual: string,
    ): Promise<boolean> {
      const { clientId, clientSecret = '' } = this;
      return isUuid(clientId)
        ? clients.isSecret(clientId, actual)
        : tokenHash(clientSecret) === tokenHash(actual);
    };
  }

  private configuration(jwk: object, problems: typeof errors): Configuration {
    const { baseUrl } = this.config;
    return {
      adapter: (model: string) => this.adapterOf(model),
      jwks: { keys: [jwk] },
      routes: paths,
      ...fixed,
      discovery: { userinfo_endpoint: `${baseUrl}/auth/v1/oauth/userinfo` },
      interactions: {
        url: (_ctx, { uid }) => `${baseUrl}/oauth/consent?authorization_id=${uid}`,
      },
      findAccount: async ({ oidc }, accountId) => ({
        accountId,
        claims: async () => ({ ...(await this.grants.claims(accountId, oidc.entities.Grant?.jti)) }),
      }),
      loadExistingGrant: async ({ oidc }) => {
        const grantId = oidc.result?.consent?.grantId;
        return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId);
      },
      extraTokenClaims: (_ctx, token) => ({ grant_id: (token as { grantId?: string }).grantId }),
      issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
      expiresWithSession: () => false,
      rotateRefreshToken: true,
      fetch: (url) => this.documents.fetch(String(url)),
      renderError: (ctx, out) => {
        ctx.type = 'json';
        ctx.body = out;
      },
      features: this.features(problems),
      ttl: this.lifetimes(),
    };
  }

  private features({ InvalidTarget }: typeof errors): Configuration['features'] {
    const { baseUrl, dynamicRegistration } = this.config;
    return {
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
      deviceFlow: {
        enabled: true,
        successSource: (ctx) => void (ctx.body = {}),
        userCodeInputSource: (ctx) => void (ctx.body = {}),
        userCodeConfirmSource: (ctx) => void (ctx.body = {}),
      },
      devInteractions: { enabled: false },
      // On by default. The metadata must list only features that the server answers.
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      introspection: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      registration: { enabled: dynamicRegistration, issueRegistrationAccessToken: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => baseUrl,
        useGrantedResource: () => true,
        getResourceServerInfo: ({ oidc }, resource) => {
          const audience = this.audienceOf(resource);
          // A grant is for one resource. A token request may name it several times.
          const isOfSeveral = oidc.route !== 'token' && Array.isArray(oidc.params?.['resource']);
          if (audience === undefined || isOfSeveral) throw new InvalidTarget();
          const jwt = { sign: { alg: ALG } } as const;
          return { audience, scope: allScopes.join(' '), accessTokenFormat: 'jwt', jwt };
        },
      },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    };
  }

  /** Lifetimes in seconds. No access or refresh token outlives its grant. */
  private lifetimes(): Configuration['ttl'] {
    const { accessTokenTtlSeconds } = this.config;
    return {
      AccessToken: (ctx) => Math.min(accessTokenTtlSeconds, leftOf(ctx)),
      AuthorizationCode: 60,
      DeviceCode: MINUTES_10,
      IdToken: MINUTES_10,
      Interaction: MINUTES_10,
      RefreshToken: (ctx) => leftOf(ctx),
      Session: MINUTES_10,
    };
  }

  private adapterOf(model: string): Adapter {
    const { payloads } = this;
    return {
      upsert: (id, payload, seconds) => payloads.upsert(model, { id, payload, seconds }),
      find: async (id) => {
        if (model === 'Grant' && !(await this.grants.isOpen(id))) return undefined;
        const known = model === 'Client' ? await this.clients.metadataOf(id) : undefined;
        return known ?? payloads.find(model, id);
      },
      findByUserCode: (userCode) => payloads.findByUserCode(userCode),
      findByUid: async () => undefined,
      consume: (id) => payloads.consume(model, id),
      destroy: async (id) => {
        await payloads.destroy(model, id);
        if (model === 'Grant') await this.grants.end(id);
      },
      revokeByGrantId: (grantId) => payloads.revokeByGrantId(grantId),
    };
  }
}

/** Seconds until the grant of a request ends. */
const leftOf = ({ oidc }: KoaContextWithOIDC): number =>
  Math.max(1, (oidc.entities.Grant?.exp ?? 0) - Math.floor(Date.now() / 1000));
