import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { codeFlow } from '../../../src/flows/code.js'
import { type ClientExtras, clientMiddleware } from '../../../src/flows/middleware/client-middleware.js'
import { outgoing } from '../../../src/flows/middleware/middleware.js'
import type { FlowRecord } from '../../../src/flows/step.js'
import { UsageError } from '../../../src/protocol/errors.js'
import { parseForm } from '../../../src/protocol/http/form.js'
import { header, jsonResponse, splitUrl, text } from '../../../src/protocol/http/message.js'
import { loadClientKey } from '../../../src/protocol/tokens/client-assertion.js'
import { decodeJwt } from '../../../src/protocol/tokens/decode.js'
import { generateDpopKey } from '../../../src/protocol/tokens/dpop.js'
import {
  collect,
  demo,
  expectRefused,
  outcomeIn,
  stepOf,
  stepsOf,
  type World,
  world,
} from '../support/world.js'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const key = loadClientKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
const dpop = await generateDpopKey()
const { client_secret: _secret, ...keyless } = demo
const signer = { ...keyless, jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }) }] } }

/** Walks the code flow with what a client adds. */
async function walk(
  { ports, wanted }: World,
  extras: Omit<ClientExtras, 'clientId'>,
  more: object = {},
): Promise<FlowRecord[]> {
  const client = clientMiddleware(wanted.metadata, { clientId: wanted.clientId, ...extras }, ports)
  const { client: send } = outgoing(ports.send, { client: client.layers })
  return collect(client.annotate(codeFlow({ ...ports, send }, { ...wanted, ...more })))
}

const bodyOf = (records: readonly FlowRecord[], name: 'token_request' | 'pushed_authorization_request') =>
  Object.fromEntries(parseForm(stepOf(records, name).exchange?.request.body ?? ''))

describe('what a client adds to its requests', () => {
  it('authenticates by an assertion that it signs for each request', async () => {
    const records = await walk(await world({ client: signer }), { key }, { auth: 'none', push: true })
    expect(outcomeIn(records).outcome).toBe('granted')
    const assertions = (['pushed_authorization_request', 'token_request'] as const).map(name => {
      const body = bodyOf(records, name)
      expect(body).not.toHaveProperty('client_secret')
      return decodeJwt(body.client_assertion ?? '').claims
    })
    expect(assertions[0]).toMatchObject({ iss: 'demo', sub: 'demo', aud: 'https://lab.test' })
    expect(assertions[0]?.jti).not.toBe(assertions[1]?.jti)
  })

  it('binds its tokens to a key, and shows that they are', async () => {
    const records = await walk(await world({ scope: 'openid' }), { dpop })
    expect(outcomeIn(records)).toMatchObject({ outcome: 'granted', tokens: { token_type: 'DPoP' } })
    expect(stepOf(records, 'token_request').checks).toContainEqual({
      name: 'cnf',
      ok: true,
      rule: 'RFC 9449 §6.1',
      detail: 'the token names our key',
    })
    const { exchange } = stepOf(records, 'userinfo_request')
    const proof = decodeJwt(header(exchange!.request, 'dpop') ?? '')
    expect(proof.claims).toMatchObject({ htm: 'GET', htu: exchange?.request.url, ath: expect.any(String) })
    expect(header(exchange!.request, 'authorization')).toMatch(/^DPoP /)
    expect(header(stepOf(records, 'keys_request').exchange!.request, 'dpop')).toBeUndefined()
  })

  it('tries again with the nonce it is asked for, as a step of its own', async () => {
    const nonces: unknown[] = []
    const records = await walk(
      await world({
        tamper: async ({ url, method, headers }) => {
          if (method !== 'POST' || splitUrl(url).path !== '/token') return undefined
          const { nonce } = decodeJwt(header({ headers }, 'dpop') ?? '').claims
          nonces.push(nonce)
          if (nonce === 'n1') return undefined
          return jsonResponse(400, { error: 'use_dpop_nonce' }, [['dpop-nonce', 'n1']])
        },
      }),
      { dpop },
    )
    expect(nonces).toEqual([undefined, 'n1'])
    const steps = stepsOf(records).filter(({ name }) => name === 'token_request')
    expect(steps.map(({ n, repeats }) => [n, repeats])).toEqual([
      [5, true],
      [5, undefined],
    ])
    expect(steps[0]).toMatchObject({
      exchange: { response: { status: 400 } },
      checks: [{ name: 'dpop_nonce' }],
    })
    expect(steps[0]).not.toHaveProperty('token')
  })

  it('does not try for ever', async () => {
    let asked = 0
    const records = await walk(
      await world({
        tamper: async ({ url, method }) => {
          if (method !== 'POST' || splitUrl(url).path !== '/token') return undefined
          asked += 1
          return jsonResponse(400, { error: 'use_dpop_nonce' }, [['dpop-nonce', `n${asked}`]])
        },
      }),
      { dpop },
    )
    expect(asked).toBe(2)
    expectRefused(records, 'use_dpop_nonce')
  })

  it('says when a server gives an unbound token for a proof', async () => {
    const records = await walk(
      await world({
        tamper: async ({ url, method }, answer) => {
          if (method !== 'POST' || splitUrl(url).path !== '/token') return undefined
          const body = JSON.parse(text(answer.body)) as object
          return jsonResponse(200, { ...body, token_type: 'Bearer' })
        },
      }),
      { dpop },
    )
    expect(outcomeIn(records).outcome).toBe('granted')
    expect(stepOf(records, 'token_request').checks).toContainEqual(
      expect.objectContaining({ name: 'token_type', ok: false, advice: true }),
    )
  })

  it('adds parameters to token requests, and replaces none', async () => {
    const tokenParameters = [['resource', 'https://api.test/']] as const
    const records = await walk(await world(), { tokenParameters }, { audience: undefined })
    expect(bodyOf(records, 'token_request')).toMatchObject({ resource: 'https://api.test/' })
    const taken = walk(await world(), { tokenParameters: [['code', 'x']] })
    await expect(taken).rejects.toThrow(UsageError)
  })

  it('leaves a flow without extras as it is', async () => {
    const [plain, wired] = [await world(), await world()]
    const records = await walk(wired, {})
    expect(records).toEqual(await collect(codeFlow(plain.ports, plain.wanted)))
  })
})
