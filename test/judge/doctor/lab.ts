import type { Finding } from '../../../src/judge/doctor/finding.js'
import type { ServerUnderTest } from '../../../src/judge/doctor/server-under-test.js'
import type { HttpResponse } from '../../../src/protocol/http/message.js'
import { bytes } from '../../../src/protocol/http/message.js'
import { DEVICE_GRANT_TYPE } from '../../../src/protocol/oauth/answers.js'
import { assertionIssuers, sources } from '../../flows/support/everything.js'
import { demo, ISSUER, NOW, REDIRECT_URI, type Tamper, world } from '../../flows/support/world.js'
import { tamperPorts } from '../tamper/support.js'
import { problems, report } from './support.js'

/** A secret that signs request objects (RFC 7518 §3.2). */
const clientSecret = 'demo-secret-0123456789abcdef0123456789'

/** A client with every grant that the doctor tries. */
const full = {
  ...demo,
  client_secret: clientSecret,
  grant_types: [
    ...demo.grant_types,
    'client_credentials',
    DEVICE_GRANT_TYPE,
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
  ],
  post_logout_redirect_uris: ['http://127.0.0.1/logged-out'],
}
const { client_secret: _, ...spa } = { ...full, client_id: 'spa', require_pkce: true }

/** The findings about the authorization server of this project, its answers changed. */
export async function lab(
  tamper?: Tamper,
  enough = new AbortController().signal,
  more: Partial<ServerUnderTest> = {},
): Promise<Finding[]> {
  let now = NOW
  const here = await world({
    client: full,
    otherClients: [spa],
    registration: true,
    assertionIssuers,
    now: () => now,
    ...(tamper && { tamper }),
  })
  const server: ServerUnderTest = {
    issuer: ISSUER,
    client: { clientId: 'demo', clientSecret, auth: 'client_secret_basic' },
    publicClient: { clientId: 'spa', auth: 'none' },
    redirectUri: REDIRECT_URI,
    postLogoutRedirectUri: new URL('/logged-out', REDIRECT_URI).href,
    credentials: { username: 'alice', password: 'wonderland' },
    secondUser: 'bob',
    assertion: sources.jwt,
    responseTypes: ['code'],
    lifetimes: { code: 600_000, accessToken: 3_600_000, refreshToken: 86_400_000 },
    advance: ms => {
      now += ms
    },
    ...more,
  }
  const wait = async (ms: number) => {
    now += ms
  }
  return report({ ...tamperPorts(here), wait }, server, enough)
}

/** The remarks on what the server announces on purpose: grants for lessons, algorithms whose keys it makes at first use, and a cookie for check_session_iframe. */
export const ANNOUNCED = [
  'password-not-announced',
  'implicit-not-announced',
  'jwks-announced',
  'login-cookies',
]

/** The broken rules, without what is announced on purpose. */
export function broken(found: readonly Finding[]): string[] {
  return problems(found.filter(({ name, result }) => result !== 'remark' || !ANNOUNCED.includes(name)))
}

/** Changes the answers at a path. */
export const at =
  (path: string, change: Tamper): Tamper =>
  (request, answer) =>
    request.url.split('?')[0] === `${ISSUER}${path}` ? change(request, answer) : undefined

/** Removes a header. */
export const without =
  (name: string): Tamper =>
  (_request, answer) => ({ ...answer, headers: answer.headers.filter(([each]) => each !== name) })

/** Changes the JSON object of an answer. */
export const withMember =
  (change: (members: Record<string, unknown>) => object): Tamper =>
  (_request, answer: HttpResponse) => ({
    ...answer,
    body: bytes(JSON.stringify(change(JSON.parse(Buffer.from(answer.body).toString() || '{}')))),
  })

/** Announces this in place of what the metadata has; a member that is undefined is left out. */
export const announcing = (more: object): Tamper =>
  at(
    '/.well-known/openid-configuration',
    withMember(all => ({ ...all, ...more })),
  )
