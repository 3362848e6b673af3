import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { type HttpResponse, text } from '../../../../src/protocol/http/message.js'
import { CIBA_GRANT_TYPE } from '../../../../src/protocol/oauth/answers.js'
import type { Client } from '../../../../src/protocol/oauth/client.js'
import { fixedKeyring } from '../../../../src/protocol/tokens/keys.js'
import type { ClientCalls } from '../../../../src/servers/authorization-server/settings.js'
import { browser } from '../browser.js'
import { basic, client, field, ISSUER, json, lab, type Parameters, settings, signingKey } from '../support.js'

export const TOKEN = 'n0tification-Token-with-160-bits'
export const NOTIFIED = 'https://client.example/ciba'
export const TOTP = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

const key = await generateKeyPair('ES256', { extractable: true })
const jwks = { keys: [{ ...(await exportJWK(key.publicKey)), kid: 'one' }] }

const asking = (id: string, more: Partial<Client> = {}) =>
  client(id, {
    client_name: `The <${id}>`,
    client_secret: `${id}-secret-0123456789abcdef0123456789`,
    grant_types: [CIBA_GRANT_TYPE, 'refresh_token', 'authorization_code'],
    backchannel_token_delivery_mode: 'poll',
    ...more,
  })

const clients = [
  asking('poller'),
  asking('pinged', {
    backchannel_token_delivery_mode: 'ping',
    backchannel_client_notification_endpoint: NOTIFIED,
  }),
  asking('narrow', { allowed_scopes: ['records:read'] }),
  asking('signer', { jwks, backchannel_authentication_request_signing_alg: 'ES256' }),
  asking('may-sign', { jwks }),
  asking('strict', { jwks, strict_request_objects: true }),
  asking('other', { grant_types: ['authorization_code'] }),
  client('public', { grant_types: [CIBA_GRANT_TYPE] }),
]

const users = [
  ...settings.users,
  { username: 'carol', password: 'looking-glass', claims: {}, totp_secret: TOTP },
  { username: 'twin', password: 'x', claims: { email: 'twins@example.com' } },
  { username: 'twin-2', password: 'x', claims: { email: 'twins@example.com' } },
]

type Answer = { readonly status: number } | Error

/** A server whose clients ask for people, with one browser of a person. `calls`: the messages to clients, answered in turn. */
export function world(answers: readonly Answer[] = []) {
  const left = [...answers]
  const calls: { url: string; message: unknown; bearerToken: string }[] = []
  const clientCalls: ClientCalls = {
    post: async () => ({ status: 200, body: '' }),
    async postJson(url, message, bearerToken) {
      calls.push({ url, message, bearerToken })
      const answer = left.shift() ?? { status: 204 }
      if (answer instanceof Error) throw answer
      return answer
    },
    pause: () => new Promise(() => {}),
  }
  const server = lab({ clients, users }, fixedKeyring(signingKey), { clientCalls })
  const agent = browser(server)
  const credentials = (id: string) => [basic(id, `${id}-secret-0123456789abcdef0123456789`)]

  const askAs = (id: string, form: Parameters | string) => server.post('/bc-authorize', form, credentials(id))
  /** Sends a good request with changes. An undefined value leaves a parameter out. */
  const ask = (more: Parameters = {}, id = 'poller') =>
    askAs(id, defined({ scope: 'openid profile', login_hint: 'alice', ...more }))
  const idOf = async (more?: Parameters, id?: string) => String(json(await ask(more, id)).auth_req_id)
  const poll = (auth_req_id: string, id = 'poller') =>
    server.token({ grant_type: CIBA_GRANT_TYPE, auth_req_id }, credentials(id))

  /** Logs a person in at the page. Returns the page with the requests. */
  async function login(username = 'alice', password = 'wonderland', more: Parameters = {}) {
    const csrf = field(await agent.get('/ciba?login=other'), 'csrf')
    return agent.post('/ciba', { username, password, csrf, ...more })
  }
  /** Sends the first form of the page. */
  const decide = (page: HttpResponse, decision: string, more: Parameters = {}) =>
    agent.post(
      '/ciba',
      defined({ request: field(page, 'request'), csrf: field(page, 'csrf'), decision, ...more }),
    )

  const now = Math.floor(server.clock.now / 1000)
  const claims: JWTPayload = {
    scope: 'openid',
    login_hint: 'alice',
    iat: now,
    nbf: now,
    exp: now + 60,
    aud: ISSUER,
  }
  let made = 0
  /** Signs a request. An undefined claim is left out. */
  const sign = (id: string, more: JWTPayload = {}, alg = 'ES256') =>
    new SignJWT(defined({ ...claims, iss: id, jti: `jti-${made++}`, ...more }))
      .setProtectedHeader({ alg, kid: 'one' })
      .sign(
        alg === 'HS256'
          ? new TextEncoder().encode(`${id}-secret-0123456789abcdef0123456789`)
          : key.privateKey,
      )
  const last = (type: string) => server.events.findLast(each => each.type === type)
  return { ...server, agent, calls, ask, askAs, idOf, poll, login, decide, sign, last, credentials }
}

/** Returns an object without its undefined members. */
function defined<T extends object>(object: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as never
}

export const errorOf = (response: HttpResponse) =>
  [response.status, json(response).error, json(response).error_description] as const

export const shows = (page: HttpResponse) => text(page.body)
