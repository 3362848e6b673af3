import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { FlowOptions } from '../../../src/flows/options.js'
import { objectMoves } from '../../../src/judge/tamper/moves/objects.js'
import { moves, whyNotHere, whyNotWith } from '../../../src/judge/tamper/moves.js'
import type { Situation } from '../../../src/judge/tamper/situation.js'
import type { Client } from '../../../src/protocol/oauth/client.js'
import { loadClientKey } from '../../../src/protocol/tokens/client-assertion.js'
import { decodeJwt } from '../../../src/protocol/tokens/decode.js'
import { demo, outcomeIn, stepOf, stepsOf, type Tamper, world } from '../../flows/support/world.js'
import { move } from './named-move.js'
import { runTampered, situationOf } from './support.js'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const key = loadClientKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
const secret = 'x'.repeat(32)
const client: Client = {
  ...demo,
  client_secret: secret,
  strict_request_objects: true,
  require_signed_request_object: true,
  jwks: { keys: [publicKey.export({ format: 'jwk' }) as Record<string, unknown>] },
}
const { client_secret: _, ...spa } = { ...demo, client_id: 'spa', require_pkce: true }
const other: NonNullable<Situation['other']> = { clientId: 'spa', auth: 'none' }

interface Run {
  readonly wanted?: Partial<FlowOptions>
  readonly client?: Partial<Client>
  readonly scope?: string
  readonly tamper?: Tamper
}

async function run(name: string, { wanted, client: more, scope = 'openid records:read', tamper }: Run = {}) {
  const requestObject = { kind: 'signed', key, secret } as const
  const here = await world({
    client: { ...client, ...more },
    otherClients: [spa],
    scope,
    wanted: { clientSecret: secret, requestObject, ...wanted },
    ...(tamper && { tamper }),
  })
  const { push, requestObject: object = requestObject } = here.wanted
  const situation: Partial<Situation> = {
    other,
    requestObject: object.kind,
    signedObjects: (more?.require_signed_request_object ?? true) === true,
    ...(push === true && { pushed: true }),
  }
  return { here, records: await runTampered(here, name, situation) }
}

type Answer = readonly [error: string, rule: string, by: 'page' | 'redirect' | 'ignored']

/** The error of each move at a strict server, its rule, and where it appears. */
const answers: Readonly<Record<string, Answer>> = {
  'altered-request-object': ['invalid_request_object', 'RFC 9101 §6.2', 'page'],
  'foreign-request-object': ['invalid_request_object', 'RFC 9101 §10.2', 'page'],
  'unsigned-request-object': ['invalid_request_object', 'RFC 9101 §10.5', 'page'],
  'expired-request-object': ['invalid_request_object', 'RFC 7519 §4.1.4', 'redirect'],
  'misdirected-request-object': ['invalid_request_object', 'RFC 7519 §4.1.3', 'redirect'],
  'other-issuer-request-object': ['invalid_request_object', 'RFC 9101 §10.2', 'redirect'],
  'other-client-request-object': ['invalid_request_object', 'RFC 9101 §6.3', 'redirect'],
  'nested-request-object': ['invalid_request_object', 'RFC 9101 §4', 'page'],
  'replayed-request-object': ['invalid_request_object', 'RFC 7519 §4.1.7', 'redirect'],
  'contradicted-request-object': ['ignored', 'RFC 9101 §6.3', 'ignored'],
  'unregistered-request-uri': ['request_uri_not_supported', 'RFC 9101 §10.4.1', 'page'],
  'request-and-request-uri': ['invalid_request', 'RFC 9101 §5', 'page'],
}

describe('a wrong request object', () => {
  it('of every kind is in this table', () => {
    expect(Object.keys(answers)).toEqual(objectMoves.map(({ name }) => name))
  })

  it.each(Object.entries(answers))('%s is refused in the right channel', async (name, [error, rule, by]) => {
    const { records } = await run(name)
    const outcome = outcomeIn(records)
    expect(outcome).toMatchObject({ outcome: 'refused', expected: true, error: { error, rule } })
    const last = stepsOf(records).at(-1)
    expect(last?.name).toBe(by === 'page' ? 'login_form' : 'authorization_response')
    expect(last?.checks?.at(-1)).toMatchObject({ name: 'tamper', ok: true, rule })
  })

  it.each(Object.entries(answers))('%s is refused without openid, and by HS256', async (name, [error]) => {
    const { records } = await run(name, {
      scope: 'records:read',
      wanted: { requestObject: { kind: 'signed', secret } },
    })
    expect(outcomeIn(records)).toMatchObject({ expected: true, error: { error } })
  })

  it.each(Object.keys(answers))('%s is refused at once where it is pushed', async name => {
    const { records } = await run(name, { wanted: { push: true } })
    expect(outcomeIn(records)).toMatchObject({ outcome: 'refused', expected: true })
    const last = stepsOf(records).at(-1)?.name
    expect(last).toBe(
      name === 'contradicted-request-object' ? 'authorization_response' : 'pushed_authorization_request',
    )
  })

  it.each(['altered-request-object', 'expired-request-object'])(
    '%s is refused where it is encrypted',
    async name => {
      const requestObject = { kind: 'encrypted', key, secret } as const
      const { records } = await run(name, { wanted: { requestObject } })
      expect(outcomeIn(records)).toMatchObject({ expected: true, error: { error: 'invalid_request_object' } })
    },
  )

  it('is shown as it was sent', async () => {
    const { records, here } = await run('expired-request-object')
    const { token } = stepOf(records, 'request_object')
    const { exp } = decodeJwt(token?.value ?? '').claims
    expect(Number(exp) * 1000).toBeLessThan(here.ports.now())
    expect(new URL(stepOf(records, 'authorization_request').url ?? '').searchParams.get('request')).toBe(
      token?.value,
    )
  })
})

describe('a server that accepts a wrong request object', () => {
  const lax = { client: { require_signed_request_object: false, strict_request_objects: false } }

  it.each([
    ['unsigned-request-object', 'OpenID Connect Core §6.1'],
    ['replayed-request-object', 'RFC 9101'],
  ])('breaks no rule by %s where no strict server is asked for', async (name, why) => {
    const { records } = await run(name, lax)
    const outcome = outcomeIn(records)
    expect(outcome).toMatchObject({ outcome: 'granted', expected: false })
    expect(outcome.tamper?.harmless).toContain(why)
  })

  it('breaks the rule where a signature is required', async () => {
    const { harmless } = move('unsigned-request-object')
    const situation = situationOf((await world()).wanted, { signedObjects: true })
    expect(harmless?.(situation)).toBeUndefined()
  })

  it('is found by the redirect to the address beside the object', async () => {
    const tamper: Tamper = ({ url, method }) => {
      const at = new URL(url)
      const lure = at.searchParams.get('redirect_uri')
      if (method !== 'GET' || at.pathname !== '/authorization' || lure === null) return undefined
      return { status: 302, headers: [['location', `${lure}?code=x`]], body: new Uint8Array() }
    }
    const { records } = await run('contradicted-request-object', { tamper })
    expect(outcomeIn(records)).toMatchObject({ outcome: 'granted', expected: false })
    expect(outcomeIn(records).tamper?.found).toContain('attacker.example')
  })
})

describe('other wrong requests in a request object', () => {
  it.each([
    ['unknown-client', 'page'],
    ['unregistered-redirect-uri', 'page'],
    ['repeated-parameter', 'page'],
    ['unknown-response-type', 'page'],
    ['scope-escalation', 'redirect'],
    ['downgrade-pkce', 'token'],
  ])('%s is refused: %s', async name => {
    const { records } = await run(name)
    expect(outcomeIn(records)).toMatchObject({ outcome: 'refused', expected: true })
  })

  it('change the claims, and the same parameters beside them', async () => {
    const { records } = await run('scope-escalation', { client: { require_signed_request_object: false } })
    const { claims } = decodeJwt(stepOf(records, 'request_object').token?.value ?? '')
    expect(claims.scope).toContain('no-such-scope')
    const sent = new URL(stepOf(records, 'authorization_request').url ?? '').searchParams
    expect(sent.get('scope')).toBe(claims.scope)
    expect([...sent.keys()]).toEqual(['response_type', 'client_id', 'scope', 'request'])
  })

  it('leave the object of the flow as it is where they change another message', async () => {
    const { records } = await run('reuse-code')
    expect(outcomeIn(records)).toMatchObject({ expected: true, error: { error: 'invalid_grant' } })
  })
})

it('moves with request objects need one, and most a signed one', async () => {
  const { wanted } = await world()
  for (const each of objectMoves) {
    expect(whyNotHere(each, situationOf(wanted))).toContain('--request-object')
    const why = whyNotWith(each, { requestObject: 'unsigned' })
    expect(why === undefined).toBe(each.needsObject === 'any')
    expect(whyNotWith(each, { requestObject: 'encrypted' })).toBeUndefined()
  }
  expect(moves).toEqual(expect.arrayContaining([...objectMoves]))
})
