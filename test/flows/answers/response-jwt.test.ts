import { generateKeyPairSync } from 'node:crypto'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { codeFlow } from '../../../src/flows/code.js'
import { hybridFlow } from '../../../src/flows/hybrid.js'
import { implicitFlow } from '../../../src/flows/implicit.js'
import type { FlowOptions } from '../../../src/flows/options.js'
import type { Client } from '../../../src/protocol/oauth/client.js'
import {
  generateSigningKeyPem,
  loadSharedSecret,
  loadSigningKey,
  signJwt,
} from '../../../src/protocol/tokens/keys.js'
import { part } from '../../protocol/tokens/jwt-maker.js'
import { everything } from '../support/everything.js'
import { reparametered } from '../support/tampers.js'
import {
  collect,
  expectRefused,
  ISSUER,
  NOW,
  outcomeIn,
  signingKey,
  stepOf,
  stepsOf,
  type Tamper,
  world,
} from '../support/world.js'

const foreignKey = await loadSigningKey(await generateSigningKeyPem())
const client: Client = { ...everything, response_types: ['code', 'token', 'id_token token', 'code id_token'] }
const enc = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const sealed: Client = {
  ...client,
  jwks: { keys: [{ ...enc.publicKey.export({ format: 'jwk' }), use: 'enc' } as Record<string, unknown>] },
  token_endpoint_auth_method: 'client_secret_basic',
  authorization_encrypted_response_alg: 'ECDH-ES',
}

type Flow = typeof codeFlow
const walk = async (
  flow: Flow,
  wanted: Partial<FlowOptions>,
  tamper?: Tamper,
  more: { readonly client?: Client } = {},
) => {
  const at = await world({ client, scope: 'openid', ...more, wanted, ...(tamper && { tamper }) })
  return collect(flow(at.ports, at.wanted))
}

const inResponse = (change: (pairs: URLSearchParams) => void | Promise<void>): Tamper =>
  reparametered(change, /response=/)

/** Changes the response JWT on its way to the client. */
const rewrapped = (change: (jwt: string) => string | Promise<string>): Tamper =>
  inResponse(async pairs => pairs.set('response', await change(pairs.get('response') ?? '')))

/** Signs changed claims, by default with the server's own key. */
const reclaimed = (change: object, key = signingKey): Tamper =>
  rewrapped(jwt => signJwt(JSON.parse(JSON.stringify({ ...decodeJwt(jwt), ...change })), key))

const names = (checks: readonly { readonly name: string; readonly ok: boolean }[] = []) =>
  checks.map(({ name, ok }) => `${name}${ok ? '' : ' (no)'}`)

describe('a response in a JWT', () => {
  it.each<[string, Flow, Partial<FlowOptions>]>([
    ['jwt', codeFlow, { responseMode: 'jwt' }],
    ['query.jwt', codeFlow, { responseMode: 'query.jwt' }],
    ['fragment.jwt', codeFlow, { responseMode: 'fragment.jwt' }],
    ['form_post.jwt', codeFlow, { responseMode: 'form_post.jwt' }],
    ['jwt of a hybrid flow', hybridFlow, { responseMode: 'jwt' }],
    ['form_post.jwt of a hybrid flow', hybridFlow, { responseMode: 'form_post.jwt' }],
    ['jwt of the implicit grant', implicitFlow, { responseMode: 'jwt' }],
    ['form_post.jwt of the implicit grant', implicitFlow, { responseMode: 'form_post.jwt' }],
    ['jwt of a pushed request', codeFlow, { responseMode: 'jwt', push: true }],
  ])('%s: shown as it came, then verified in the order of JARM §2.4', async (_mode, flow, wanted) => {
    const records = await walk(flow, wanted)
    expect(outcomeIn(records).outcome).toBe('granted')
    const arrived = stepOf(records, 'authorization_response')
    expect(arrived.token).toMatchObject({ kind: 'authorization_response' })
    expect(arrived.token?.explained).toBeDefined()
    const verified = stepOf(records, 'response_verification')
    expect(names(verified.token?.checks)).toEqual(['iss', 'aud', 'exp', 'alg', 'signature'])
    expect(verified.token?.checks.map(({ rule }) => rule)).toEqual([
      ...['JARM §2.4', 'JARM §2.4', 'JARM §2.4', 'JARM §3', 'JARM §2.4'],
    ])
    expect(names(verified.checks)).toEqual(expect.arrayContaining(['state', 'iss']))
    const all = stepsOf(records)
    expect(all.map(each => each.n)).toEqual(all.map((_, at) => at + 1))
    expect(all.every(each => each.of === all.length)).toBe(true)
  })

  it('shows the tokens of the browser beside it', async () => {
    const records = await walk(implicitFlow, { responseMode: 'jwt' })
    const { token, tokens } = stepOf(records, 'response_verification')
    expect([token?.kind, ...(tokens ?? []).map(each => each.kind)]).toEqual([
      ...['authorization_response', 'access_token', 'id_token'],
    ])
  })

  it('is decrypted with the key of the client', async () => {
    const wanted = { responseMode: 'query.jwt', decryptionKey: enc.privateKey } as const
    const records = await walk(codeFlow, wanted, undefined, { client: sealed })
    expect(outcomeIn(records).outcome).toBe('granted')
    const checks = stepOf(records, 'response_verification').token?.checks
    expect(names(checks)).toEqual(['decryption', 'iss', 'aud', 'exp', 'alg', 'signature'])
  })

  it.each([
    ['without a key', undefined, 'name the private key'],
    [
      'with another key',
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
      'cannot be decrypted',
    ],
  ])('is refused %s', async (_what, decryptionKey, message) => {
    const wanted = { responseMode: 'jwt', ...(decryptionKey && { decryptionKey }) } as const
    const records = await walk(codeFlow, wanted, undefined, { client: sealed })
    expectRefused(records, 'invalid_response', 'JARM §2.4')
    expect(outcomeIn(records).error?.error_description).toContain(message)
  })

  it('is signed by the algorithm that the client is registered for', async () => {
    const registered = { ...client, authorization_signed_response_alg: 'ES256' } as const
    const wanted = { responseMode: 'jwt', registeredAlgorithms: { authorization: 'ES256' } } as const
    expect(outcomeIn(await walk(codeFlow, wanted, undefined, { client: registered })).outcome).toBe('granted')
    const other = await walk(codeFlow, wanted)
    expect(outcomeIn(other)).toMatchObject({ outcome: 'refused', error: { rule: 'JARM §3' } })
  })

  it('is expected by RS256 from a server that announces no algorithm', async () => {
    const at = await world({ client: { ...client, authorization_signed_response_alg: 'ES256' } })
    const { authorization_signing_alg_values_supported: _, ...metadata } = at.wanted.metadata
    const records = await collect(codeFlow(at.ports, { ...at.wanted, metadata, responseMode: 'jwt' }))
    expect(outcomeIn(records)).toMatchObject({ outcome: 'refused', error: { rule: 'JARM §3' } })
  })

  it('may hold the error of the server', async () => {
    const wanted = { responseMode: 'jwt', authorizationParameters: [['prompt', 'none']] } as const
    const records = await walk(codeFlow, wanted)
    expectRefused(records, 'login_required')
    expect(stepOf(records, 'response_verification').token).toBeDefined()
  })
})

describe('the client refuses', () => {
  const otherSecret = loadSharedSecret('demo-secret-0123456789-0123456789-01')
  it.each<[what: string, tamper: Tamper, failed: string, error?: object]>([
    ['another issuer', reclaimed({ iss: 'https://evil.test' }), 'iss', { error: 'issuer_mismatch' }],
    ['no issuer', reclaimed({ iss: undefined }), 'iss', { error: 'issuer_mismatch' }],
    ['another audience', reclaimed({ aud: 'other' }), 'aud'],
    ['no audience', reclaimed({ aud: undefined }), 'aud'],
    ['an expired JWT', reclaimed({ exp: NOW / 1000 - 60 }), 'exp'],
    ['a JWT without end', reclaimed({ exp: undefined }), 'exp'],
    ['the key of somebody else', reclaimed({}, foreignKey), 'signature'],
    [
      'alg none',
      rewrapped(jwt => `${part({ alg: 'none' })}.${jwt.split('.')[1]}.`),
      'alg',
      { error_description: expect.stringContaining('none: nobody signed') },
    ],
    ['another secret', rewrapped(jwt => signJwt(decodeJwt(jwt), otherSecret)), 'signature'],
    ['a changed code', rewrapped(jwt => changedClaim(jwt)), 'signature'],
  ])('%s', async (_what, tamper, failed, error) => {
    const records = await walk(codeFlow, { responseMode: 'jwt' }, tamper)
    const refusal = { outcome: 'refused', error: { ...error, rule: 'JARM §2.4' } }
    expect(outcomeIn(records)).toMatchObject(refusal)
    const checks = stepOf(records, 'response_verification').token?.checks ?? []
    expect(checks.filter(each => !each.ok).map(each => each.name)).toContain(failed)
    expect(stepsOf(records).map(each => each.name)).not.toContain('token_request')
  })

  it('another state in a good JWT', async () => {
    const at = await world({ client, wanted: { responseMode: 'jwt' }, tamper: reclaimed({ state: 'other' }) })
    const records = await collect(codeFlow(at.ports, at.wanted))
    expectRefused(records, 'state_mismatch')
    expect(stepOf(records, 'response_verification').token?.checks.every(each => each.ok)).toBe(true)
  })

  it.each<[string, (pairs: URLSearchParams) => void, object]>([
    [
      'a plain answer',
      pairs => {
        const claims = decodeJwt(pairs.get('response')!)
        pairs.delete('response')
        for (const name of ['code', 'state', 'iss']) pairs.set(name, String(claims[name]))
        pairs.set('x', 'response=')
      },
      { rule: 'JARM §2.3', error_description: expect.stringContaining('the answer is no JWT') },
    ],
    [
      'a plain error, which it repeats',
      pairs => {
        pairs.delete('response')
        pairs.set('error', 'invalid_request')
        pairs.set('error_description', 'unknown mode')
      },
      {
        rule: 'JARM §2.3',
        error_description: expect.stringContaining('it reports invalid_request (unknown mode)'),
      },
    ],
    [
      'two JWTs',
      pairs => pairs.append('response', 'x'),
      { error_description: 'the parameter response is repeated' },
    ],
    ['a text that is no JWT', pairs => pairs.set('response', 'x'), { rule: 'JARM §2.4' }],
  ])('%s', async (_what, change, error) => {
    const records = await walk(codeFlow, { responseMode: 'jwt' }, inResponse(change))
    expect(outcomeIn(records)).toMatchObject({ outcome: 'refused', error })
    expect(stepsOf(records).at(-1)?.name).toBe('authorization_response')
  })

  it('nothing for parameters beside the JWT, which nobody signed', async () => {
    const beside = inResponse(pairs => {
      pairs.set('code', 'injected')
      pairs.set('state', 'injected')
      pairs.set('iss', `${ISSUER}.evil`)
    })
    const records = await walk(codeFlow, { responseMode: 'jwt' }, beside)
    expect(outcomeIn(records).outcome).toBe('granted')
  })
})

/** Puts another code into a JWT and keeps its signature. */
function changedClaim(jwt: string): string {
  const [head, , signature] = jwt.split('.')
  return `${head}.${part({ ...decodeJwt(jwt), code: 'injected' })}.${signature}`
}
