/** The stages of building an authorization server, in their order. */
export const STAGE_NAMES = ['login-only', 'shared-secret', 'key-pair', 'published-keys'] as const

export type StageName = (typeof STAGE_NAMES)[number]

/** A difference between the server at a stage and the complete, standard server. */
export interface Difference {
  readonly point: string
  readonly here: string
  readonly otherwise: string
  readonly why: string
}

/** The features of the server at a stage. */
export interface Stage {
  /** The signature algorithm of tokens; `nothing` when no tokens are issued. */
  readonly signing: 'nothing' | 'HS256' | 'RS256'
  /** True when discovery and keys are published. */
  readonly published: boolean
  readonly differences: readonly Difference[]
}

const unpublished = {
  point: '/.well-known/openid-configuration, /.well-known/oauth-authorization-server, /.well-known/jwks.json',
  here: '404',
  otherwise: 'metadata and public keys',
}

export const STAGES: Readonly<Record<StageName, Stage>> = {
  'login-only': {
    signing: 'nothing',
    published: false,
    differences: [
      {
        point: '/token',
        here: '500 text/plain: not implemented',
        otherwise: 'tokens for every grant',
        why: 'the login is built first; it hands out codes that nothing redeems yet',
      },
      {
        point: 'response_type token and id_token',
        here: 'no client may use them: unauthorized_client',
        otherwise: 'issued from /authorization',
        why: 'nothing signs tokens yet',
      },
      {
        point:
          '/userinfo, /revocation, /introspection, /par, /device_authorization, /device, /bc-authorize, /ciba',
        here: '404',
        otherwise: 'what the RFCs say',
        why: 'all of them work with tokens or lead to them',
      },
      { ...unpublished, why: 'there is no key and no token endpoint to publish' },
    ],
  },
  'shared-secret': {
    signing: 'HS256',
    published: false,
    differences: [
      {
        point: 'signature of access tokens',
        here: 'HS256 with one secret: signing_secret of the lab file, else the one of "oauth-lab keys export --secret"',
        otherwise: 'RS256',
        why: 'the simplest signature; but anyone who can verify a token can also make one',
      },
      {
        point: 'signature of id_tokens',
        here: 'HS256 with the secret of the client (OpenID Connect Core §10.1); a client with no secret of 32 bytes gets no openid',
        otherwise: 'RS256 for every client',
        why: 'a client must be able to verify its id_token, and must not be able to make access tokens',
      },
      { ...unpublished, why: 'a secret cannot be published; every resource server is configured with it' },
    ],
  },
  'key-pair': {
    signing: 'RS256',
    published: false,
    differences: [
      {
        point: 'the public key',
        here: 'a PEM file: signing-public.pem in the state folder, or "oauth-lab keys export --pem"',
        otherwise: 'published, and named by kid',
        why: 'a verifier can no longer sign; but every new key has to be carried to every resource server',
      },
      { ...unpublished, why: 'every resource server is configured with the public key' },
    ],
  },
  'published-keys': { signing: 'RS256', published: true, differences: [] },
}
