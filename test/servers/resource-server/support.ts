import { createPrivateKey, type JsonWebKey } from 'node:crypto'
import type { NewEvent } from '../../../src/protocol/events.js'
import {
  bytes,
  type HttpRequest,
  type HttpResponse,
  header,
  headerValues,
  text,
} from '../../../src/protocol/http/message.js'
import { loadSigningKey, type SigningKey, signJwt } from '../../../src/protocol/tokens/keys.js'
import type { DefendedSettings } from '../../../src/servers/resource-server/defences.js'
import { createResourceServer } from '../../../src/servers/resource-server/server.js'
import {
  DEFAULT_ROUTES,
  type FetchJson,
  type ResourceServerPorts,
} from '../../../src/servers/resource-server/settings.js'
import { exampleRsaPair, rsaPair } from '../../protocol/tokens/rfc.js'
import { recordingSite } from '../../support/ask.js'

export const issuer = 'https://as.example'
export const baseUrl = 'https://localhost:8444'
export const start = Date.UTC(2026, 0, 2, 12)

const signingKey = (pair: JsonWebKey): Promise<SigningKey> =>
  loadSigningKey(
    createPrivateKey({ key: pair, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' }).toString(),
  )

// Keys that RFCs print, because making one takes longer than a test.

/** The signing key of the issuer. */
export const key = await signingKey(rsaPair)

/** A signing key of somebody else. */
export const otherKey = await signingKey(exampleRsaPair)

/** Claims of an access token that is valid at `start`. */
export const goodClaims = {
  sub: 'alice',
  nbf: start / 1000 - 30,
  iat: start / 1000,
  exp: start / 1000 + 3600,
  iss: issuer,
  aud: 'demo',
  jti: 'id-1',
  client_id: 'demo',
  scope: 'records:read',
}

/** An access token with `goodClaims`, changed as given. */
export const tokenOf = (
  changed: Readonly<Record<string, unknown>> = {},
  by = key,
  typ?: string,
): Promise<string> => signJwt({ ...goodClaims, ...changed }, by, typ)

/** The published documents of the issuer, by URL. A test may change the map. */
export const documents = (keys: readonly unknown[] = [key.publicJwk]): Map<string, unknown> =>
  new Map<string, unknown>([
    [`${issuer}/.well-known/openid-configuration`, { issuer, jwks_uri: `${issuer}/jwks` }],
    [`${issuer}/jwks`, { keys }],
  ])

interface Options {
  readonly published?: ReadonlyMap<string, unknown>
  readonly settings?: Partial<DefendedSettings>
  readonly ports?: Partial<ResourceServerPorts>
}

/** A resource server with its clock, the paths it fetched and the events it published. */
export function server({ published = documents(), settings = {}, ports = {} }: Options = {}) {
  const clock = { now: start }
  const fetched: string[] = []
  const events: NewEvent[] = []
  const fetchJson: FetchJson = async url => {
    fetched.push(url.slice(issuer.length))
    return published.has(url) ? { status: 200, body: published.get(url) } : { status: 404, body: undefined }
  }
  const resource = createResourceServer(
    {
      baseUrl,
      issuer,
      audiences: ['demo', 'api'],
      routes: DEFAULT_ROUTES,
      keys: { kind: 'discovery' },
      ...settings,
    },
    {
      now: () => clock.now,
      random: length => new Uint8Array(length),
      fetchJson,
      ...ports,
    },
  )
  const site = recordingSite(resource, events)
  const send = async (target: string, more: Partial<HttpRequest> = {}): Promise<Answer> => {
    const request = { method: 'GET', url: baseUrl + target, headers: [], body: bytes(''), ...more }
    return readable(await site.handle(request))
  }
  const withToken = (token: string, target = '/resource', method = 'GET') =>
    send(target, { method, headers: [['authorization', `Bearer ${token}`]] })
  return { site, clock, fetched, events, send, withToken }
}

/** The parts of a response that tests compare. */
export interface Answer {
  readonly status: number
  readonly challenges: readonly string[]
  readonly type: string | undefined
  readonly text: string
  readonly json: Record<string, unknown>
  readonly headers: HttpResponse['headers']
}

function readable(response: HttpResponse): Answer {
  const body = text(response.body)
  return {
    status: response.status,
    challenges: headerValues(response, 'www-authenticate'),
    type: header(response, 'content-type'),
    text: body,
    json: body.startsWith('{') ? (JSON.parse(body) as Record<string, unknown>) : {},
    headers: response.headers,
  }
}
