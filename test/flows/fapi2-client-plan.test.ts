import { describe, expect, it } from 'vitest'
import { codeFlow } from '../../src/flows/code.js'
import type { Flow } from '../../src/flows/flows.js'
import { discoverIssuer } from '../../src/flows/metadata/discovery.js'
import { refreshFlow } from '../../src/flows/refresh.js'
import { dpopBinding } from '../../src/flows/requests/dpop-binding.js'
import type { FlowRecord } from '../../src/flows/step.js'
import type { Send } from '../../src/protocol/http/exchange.js'
import {
  bytes,
  type HttpRequest,
  type HttpResponse,
  headerValues,
  jsonResponse,
  splitUrl,
  text,
} from '../../src/protocol/http/message.js'
import { decodeJwt } from '../../src/protocol/tokens/decode.js'
import { generateDpopKey } from '../../src/protocol/tokens/dpop.js'
import { signJwt } from '../../src/protocol/tokens/keys.js'
import { defined } from '../../src/protocol/values.js'
import { ecKey, makeHmacJwt, makeJwt, part } from '../protocol/tokens/jwt-maker.js'
import { reparametered } from './support/tampers.js'
import {
  collect,
  demo,
  expectRefused,
  ISSUER,
  outcomeIn,
  RESOURCE,
  signingKey,
  type Tamper,
  world,
} from './support/world.js'

/*
 * The modules of the OpenID Foundation's plan fapi2-security-profile-final-client-test-plan, by their names without the
 * beginning `fapi2-security-profile-final-client-test-`. The lab is the server, and one answer of it is wrong.
 */

const other = ecKey('alternate')
const dpop = await generateDpopKey()
type Claims = Record<string, unknown>

/** Changes the id_token of the token endpoint, and publishes the key `alternate` beside the server's own. */
function idToken(change: (claims: Claims) => Claims | string): Tamper {
  return async (request, answer) => {
    const { path } = splitUrl(request.url)
    const body = () => JSON.parse(text(answer.body))
    if (path.endsWith('/jwks.json')) {
      return jsonResponse(200, { keys: [...body().keys, { ...other.publicJwk, alg: other.alg }] })
    }
    if (path !== '/token' || body().id_token === undefined) return undefined
    const changed = change(decodeJwt(body().id_token).claims)
    const id_token = typeof changed === 'string' ? changed : await signJwt(changed as never, signingKey)
    return jsonResponse(200, { ...body(), id_token }, [['cache-control', 'no-store']])
  }
}

const members =
  (change: (body: Claims) => Claims): Tamper =>
  (request, answer) =>
    splitUrl(request.url).path === '/token' && answer.status === 200
      ? jsonResponse(200, change(JSON.parse(text(answer.body))), [['cache-control', 'no-store']])
      : undefined

/** Changes the parameters of the redirect to the client. */
const redirect = (change: (parameters: URLSearchParams) => void) => reparametered(change, /code=/)

const invertedCase = (value: string) =>
  [...value].map(each => (each === each.toUpperCase() ? each.toLowerCase() : each.toUpperCase())).join('')

/** Runs the code flow, bound to a DPoP key where asked. Reports the paths that the client called. */
async function run(
  tamper: Tamper | undefined,
  { bound = false, flow = codeFlow }: { bound?: boolean; flow?: Flow['run'] } = {},
) {
  const called: string[] = []
  const made = await world(
    defined({
      scope: 'openid profile',
      client: { ...demo, id_token_signed_response_alg: 'RS256' as const },
      dpopNonceRequired: bound,
      tamper: async (request: HttpRequest, answer: HttpResponse) => {
        called.push(splitUrl(request.url).path)
        return tamper?.(request, answer)
      },
      wanted: { resource: `${RESOURCE}/resource`, audience: undefined as never },
    }),
  )
  called.length = 0
  const metadata = { ...made.wanted.metadata, id_token_signing_alg_values_supported: ['RS256'] }
  const binding = bound ? dpopBinding(dpop, metadata, made.ports) : undefined
  const send: Send = binding ? binding.layer(made.ports.send) : made.ports.send
  const { audience: _audience, ...wanted } = { ...made.wanted, metadata }
  const records = await collect(flow({ ...made.ports, send }, wanted))
  return { called, records, outcome: outcomeIn(records), events: made.events }
}

const failedChecks = (records: readonly FlowRecord[]) =>
  records.flatMap(each =>
    each.type === 'step'
      ? [...(each.checks ?? []), ...(each.tokens ?? []).flatMap(({ checks }) => checks)].filter(
          check => !check.ok && !('advice' in check),
        )
      : [],
  )

const seconds = (claims: Claims) => Number(claims.iat)

describe('an id_token that the client must refuse', () => {
  it.each<[module: string, check: string, change: (claims: Claims) => Claims | string]>([
    ['invalid-iss', 'iss', claims => ({ ...claims, iss: `${ISSUER}/1` })],
    ['invalid-missing-iss', 'iss', claims => ({ ...claims, iss: undefined })],
    ['invalid-aud', 'aud', claims => ({ ...claims, aud: 'another' })],
    ['invalid-missing-aud', 'aud', claims => ({ ...claims, aud: undefined })],
    ['invalid-secondary-aud', 'azp', claims => ({ ...claims, aud: ['demo', 'demo1'] })],
    ['invalid-expired-exp', 'exp', claims => ({ ...claims, exp: seconds(claims) - 300 })],
    ['invalid-missing-exp', 'exp', claims => ({ ...claims, exp: undefined })],
    ['invalid-nonce', 'nonce', claims => ({ ...claims, nonce: `${String(claims.nonce)}1` })],
    ['invalid-missing-nonce', 'nonce', claims => ({ ...claims, nonce: undefined })],
    ['invalid-null-alg', 'alg', claims => `${part({ alg: 'none' })}.${part(claims)}.`],
    ['invalid-alternate-alg', 'alg', claims => makeJwt(other, { kid: 'alternate' }, claims)],
    ['invalid-alternate-alg by the secret', 'alg', claims => makeHmacJwt('demo-secret', {}, claims)],
    ['invalid-signature', 'signature', claims => makeJwt(other, { alg: 'RS256' }, claims)],
    ['invalid at_hash', 'at_hash', claims => ({ ...claims, at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' })],
    ['iat in the future', 'iat', claims => ({ ...claims, iat: seconds(claims) + 600 })],
    ['missing-iat', 'iat', claims => ({ ...claims, iat: undefined })],
    ['missing-sub', 'sub', claims => ({ ...claims, sub: undefined })],
    ['no JWT', 'id_token', () => 'x.y'],
  ])('%s', async (_module, name, change) => {
    const { outcome, called, records } = await run(idToken(change))
    expectRefused(outcome, 'invalid_token')
    expect(failedChecks(records).map(check => check.name)).toContain(name)
    // The client calls nothing with tokens of such a login.
    expect(called).not.toContain('/userinfo')
    expect(called).not.toContain('/resource')
  })

  it('missing id_token', async () => {
    const { outcome } = await run(members(({ id_token: _, ...body }) => body))
    expectRefused(outcome, 'invalid_token')
  })
})

describe('an id_token that the client accepts', () => {
  it.each<[module: string, change: (claims: Claims) => Claims]>([
    ['valid-aud-as-array', claims => ({ ...claims, aud: ['demo'] })],
    ['more claims', claims => ({ ...claims, more: { a: [1] } })],
  ])('%s', async (_module, change) => {
    expect((await run(idToken(change))).outcome.outcome).toBe('granted')
  })
})

describe('an authorization response that the client must refuse', () => {
  it.each<[module: string, change: (parameters: URLSearchParams) => void]>([
    ['invalid-authorization-response-iss', parameters => parameters.set('iss', `${ISSUER}/1`)],
    ['remove-authorization-response-iss', parameters => parameters.delete('iss')],
    ['ensure-authorization-response-with-invalid-state-fails', parameters => parameters.set('state', 'x')],
    [
      'ensure-authorization-response-with-invalid-missing-state-fails',
      parameters => parameters.delete('state'),
    ],
    ['a repeated iss', parameters => parameters.append('iss', 'https://evil.test')],
    ['a repeated code', parameters => parameters.append('code', 'x')],
  ])('%s', async (_module, change) => {
    const { outcome, called } = await run(redirect(change))
    expect(outcome.outcome).not.toBe('granted')
    expect(called).not.toContain('/token')
  })
})

describe('a token response', () => {
  it.each<[module: string, change: (body: Claims) => Claims]>([
    ['token-endpoint-response-without-expires_in', ({ expires_in: _, ...body }) => body],
    ['without scope', ({ scope: _, ...body }) => body],
    ['with unknown members', body => ({ ...body, more: true })],
    [
      'token-type-case-insensitivity',
      body => ({ ...body, token_type: invertedCase(String(body.token_type)) }),
    ],
  ])('%s is accepted, bearer and DPoP', async (_module, change) => {
    for (const bound of [false, true]) {
      const { outcome, events } = await run(members(change), { bound })
      expect(outcome).toMatchObject({ outcome: 'granted' })
      const scheme = bound ? 'DPoP' : 'Bearer'
      expect(events).toContainEqual(expect.objectContaining({ type: 'resource.accepted', scheme }))
    }
  })

  it.each<[name: string, change: (body: Claims) => Claims]>([
    ['without token_type', ({ token_type: _, ...body }) => body],
    ['without access_token', ({ access_token: _, ...body }) => body],
    ['with expires_in as no number', body => ({ ...body, expires_in: 'soon' })],
  ])('%s is refused or pointed out', async (_name, change) => {
    const { outcome, records } = await run(members(change))
    const pointedOut = records.some(
      each => each.type === 'step' && each.checks?.some(check => !check.ok) === true,
    )
    expect(outcome.outcome !== 'granted' || pointedOut).toBe(true)
  })
})

describe('a resource server', () => {
  it('rs-dpop-auth-scheme-case-insensitivity: asks for a nonce under the scheme dpOP', async () => {
    let asked = 0
    const { outcome } = await run(
      (request, answer) => {
        if (splitUrl(request.url).path !== '/resource' || asked > 0) return undefined
        asked += 1
        expect(headerValues(request, 'dpop')).toHaveLength(1)
        return {
          ...answer,
          status: 401,
          headers: [
            ['www-authenticate', 'dpOP error="use_dpop_nonce"'],
            ['dpop-nonce', 'a-nonce'],
          ],
          body: bytes(''),
        }
      },
      { bound: true },
    )
    expect([outcome.outcome, asked]).toEqual(['granted', 1])
  })

  it('refresh-token: refuses each token until the client has refreshed twice', async () => {
    let refreshed = 0
    const { outcome } = await run(
      (request, answer) => {
        const { path } = splitUrl(request.url)
        if (path === '/token' && text(request.body).includes('grant_type=refresh_token')) refreshed += 1
        if (path !== '/resource' || refreshed >= 2) return undefined
        const refused = 'Bearer realm="conformancesuite", error="invalid_token"'
        return { ...answer, status: 401, headers: [['www-authenticate', refused]], body: bytes('') }
      },
      { flow: refreshFlow },
    )
    expect(outcome.outcome).toBe('granted')
    expect(refreshed).toBeGreaterThanOrEqual(2)
  })
})

it('discovery-issuer-mismatch', async () => {
  const { send } = await world({
    tamper: (request, answer) => {
      if (!splitUrl(request.url).path.startsWith('/.well-known/')) return undefined
      return jsonResponse(200, { ...JSON.parse(text(answer.body)), issuer: `${ISSUER}/1` })
    },
  })
  const found = await discoverIssuer(ISSUER, send, new AbortController().signal)
  expect(found.metadata).toBeUndefined()
  expect(found.error).toMatchObject({ code: 'issuer_mismatch' })
})
