import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { clientMiddleware } from '../../src/flows/middleware/client-middleware.js'
import { dpopBinding } from '../../src/flows/requests/dpop-binding.js'
import type { FlowRecord, Step } from '../../src/flows/step.js'
import type { Send } from '../../src/protocol/http/exchange.js'
import {
  bytes,
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  header,
  jsonResponse,
  text,
  textResponse,
} from '../../src/protocol/http/message.js'
import { check } from '../../src/protocol/oauth/check.js'
import { loadClientKey } from '../../src/protocol/tokens/client-assertion.js'
import { decodeJwt } from '../../src/protocol/tokens/decode.js'
import { generateDpopKey } from '../../src/protocol/tokens/dpop.js'
import { madeStep } from './support/made-step.js'
import { countedRandom, NOW, recorded } from './support/network.js'
import { collect } from './support/records.js'
import { scriptedOptions, token } from './support/scripted.js'

const origin = 'https://as.test'
const metadata = {
  ...scriptedOptions.metadata,
  revocation_endpoint: `${origin}/r`,
  introspection_endpoint: `${origin}/i`,
}
const ports = { now: () => NOW, random: countedRandom() }
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const key = loadClientKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
const dpop = await generateDpopKey()

const request = (method: string, url: string, headers: HeaderList = [], body = 'a=1'): HttpRequest => ({
  method,
  url,
  headers,
  body: bytes(body),
})

/** A network that notes what arrives, and answers each request in turn; the last answer stays. */
function network(...answers: HttpResponse[]): { send: Send; sent: HttpRequest[] } {
  const sent: HttpRequest[] = []
  const send: Send = async each => {
    sent.push(each)
    return recorded(each, answers[Math.min(sent.length, answers.length) - 1] ?? textResponse(200, ''))
  }
  return { send, sent }
}

describe('a client that signs', () => {
  const through = async (
    asked: HttpRequest,
    parameters?: readonly (readonly [string, string])[],
    signs = true,
  ) => {
    const { send, sent } = network()
    const extras = {
      clientId: 'demo',
      ...(signs && { key }),
      ...(parameters && { tokenParameters: parameters }),
    }
    const { layers } = clientMiddleware(metadata, extras, ports)
    expect(layers).toHaveLength(1)
    await layers[0]!(send)(asked)
    return sent[0]!
  }

  it.each(['t', 'p', 'd', 'r', 'i'])('shows an assertion at the endpoint /%s', async path => {
    const { body, ...rest } = await through(request('POST', `${origin}/${path}`))
    expect(rest).toEqual({ method: 'POST', url: `${origin}/${path}`, headers: [] })
    const [own, type, assertion = ''] = text(body).split('&')
    expect([own, type]).toEqual([
      'a=1',
      'client_assertion_type=urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer',
    ])
    const { claims } = decodeJwt(assertion.replace('client_assertion=', ''))
    expect(claims).toMatchObject({ iss: 'demo', sub: 'demo', aud: origin })
  })

  it.each([
    ['GET', `${origin}/t`],
    ['POST', `${origin}/u`],
    ['POST', `${origin}/t?x=1`],
  ])('shows none by %s %s', async (method, url) => {
    const asked = request(method, url)
    expect(await through(asked, [['x', 'y']])).toBe(asked)
  })

  it('sends its parameters to the token endpoint alone', async () => {
    expect(text((await through(request('POST', `${origin}/t`), [['x', '&']], false)).body)).toBe('a=1&x=%26')
    expect(text((await through(request('POST', `${origin}/t`, [], ''), [['x', 'y']], false)).body)).toBe(
      'x=y',
    )
    const pushed = request('POST', `${origin}/p`)
    expect(await through(pushed, [['x', 'y']], false)).toBe(pushed)
    const plain = request('POST', `${origin}/t`)
    expect(await through(plain, undefined, false)).toBe(plain)
    expect(text((await through(request('POST', `${origin}/t`), [['x', 'y']])).body)).toMatch(
      /^a=1&x=y&client_assertion_type=/,
    )
  })

  it('replaces no parameter of the flow', async () => {
    await expect(
      through(request('POST', `${origin}/t`), [
        ['x', 'y'],
        ['a', '2'],
      ]),
    ).rejects.toMatchObject({ kind: 'usage', message: expect.stringContaining('token:a ') })
  })
})

const bearer = (value: string): HeaderList => [['Authorization', `Bearer ${value}`]]
const issued = (value: string, type: unknown = 'DPoP', status = 200) =>
  jsonResponse(status, { access_token: value, token_type: type })
const proofOf = ({ headers }: HttpRequest) => {
  const proof = header({ headers }, 'dpop')
  return proof === undefined ? undefined : decodeJwt(proof).claims
}

describe('a client whose tokens are bound to a key', () => {
  const through = (...answers: HttpResponse[]) => {
    const { send, sent } = network(...answers)
    const binding = dpopBinding(dpop, metadata, ports)
    return { send: binding.layer(send), sent, binding }
  }

  it.each([
    ['POST', `${origin}/t`, true],
    ['POST', `${origin}/p`, true],
    ['POST', `${origin}/d`, false],
    ['GET', `${origin}/t`, false],
    ['GET', `${origin}/u`, false],
  ])('proves its key by %s %s: %s', async (method, url, proves) => {
    const { send, sent } = through()
    await send(request(method, url, [['x', 'y']]))
    expect(sent[0]?.headers[0]).toEqual(['x', 'y'])
    const proof = proofOf(sent[0]!)
    if (proves) expect(proof).toMatchObject({ htm: method, htu: url })
    else expect(sent[0]?.headers).toHaveLength(1)
    expect(proof ?? {}).not.toHaveProperty('ath')
    expect(proof ?? {}).not.toHaveProperty('nonce')
  })

  it.each<[type: unknown, bound: boolean]>([
    ['DPoP', true],
    ['dpop', true],
    ['Bearer', false],
    [7, false],
  ])('presents a token of type %j with a proof: %s', async (type, bound) => {
    const { send, sent } = through(issued('t1', type))
    await send(request('POST', `${origin}/t`))
    await send(request('GET', `${origin}/u`, [['accept', 'x'], ...bearer('t1')]))
    expect(sent[1]?.headers.slice(0, 2)).toEqual([
      ['accept', 'x'],
      ['Authorization', bound ? 'DPoP t1' : 'Bearer t1'],
    ])
    expect(typeof proofOf(sent[1]!)?.ath).toBe(bound ? 'string' : 'undefined')
  })

  it.each<[what: string, url: string, answer: HttpResponse]>([
    ['another endpoint', `${origin}/x`, issued('t1')],
    ['a refusal', `${origin}/t`, issued('t1', 'DPoP', 400)],
    ['an answer without a token', `${origin}/t`, jsonResponse(200, { token_type: 'DPoP' })],
  ])('learns of no bound token from %s', async (_what, url, answer) => {
    const { send, sent } = through(answer)
    await send(request('POST', url))
    await send(request('GET', `${origin}/u`, bearer('t1')))
    expect(header(sent[1]!, 'authorization')).toBe('Bearer t1')
  })

  it('proves its key for a forged token too, once a token is bound', async () => {
    const { send, sent } = through(issued('t1'), issued('t2', 'Bearer'))
    await send(request('POST', `${origin}/t`))
    await send(request('POST', `${origin}/t`))
    for (const value of ['t1', 't2', 'forged']) await send(request('GET', `${origin}/u`, bearer(value)))
    await send(request('GET', `${origin}/u`, [['authorization', 'Basic t1']]))
    await send(request('GET', `${origin}/u`, [['authorization', 'X Bearer t1']]))
    expect(sent.slice(2).map(each => header(each, 'authorization'))).toEqual([
      ...['DPoP t1', 'Bearer t2', 'DPoP forged'],
      ...['Basic t1', 'X Bearer t1'],
    ])
  })

  const nonce: HeaderList = [['dpop-nonce', 'n1']]
  const wanting = (value: string): HttpResponse =>
    textResponse(401, '', [['www-authenticate', value], ...nonce])

  it.each<[answer: HttpResponse, again: boolean]>([
    [jsonResponse(400, { error: 'use_dpop_nonce' }, nonce), true],
    [jsonResponse(400, { error: 'use_dpop_nonce' }), false],
    [jsonResponse(400, { error: 'invalid_grant' }, nonce), false],
    [jsonResponse(403, { error: 'use_dpop_nonce' }, nonce), false],
    [wanting('DPoP error="use_dpop_nonce"'), true],
    [wanting('DPoP error="no_use_dpop_nonce"'), false],
    [wanting('DPoP error="invalid_token"'), false],
    [textResponse(401, '', nonce), false],
    [textResponse(200, '', nonce), false],
  ])('asks again with the nonce where that is what was missing: %# (%s)', async (answer, again) => {
    const { send, sent } = through(answer, textResponse(200, ''))
    const { response } = await send(request('POST', `${origin}/t`))
    expect(sent).toHaveLength(again ? 2 : 1)
    expect(response?.status).toBe(again ? 200 : answer.status)
    if (again) expect(proofOf(sent[1]!)?.nonce).toBe('n1')
  })

  it('keeps the last nonce of each server', async () => {
    const { send, sent } = through(
      textResponse(200, '', nonce),
      textResponse(200, '', [['dpop-nonce', 'n2']]),
    )
    await send(request('POST', `${origin}/t`))
    await send(request('POST', `${origin}/p`))
    await send(request('POST', `${origin}/p`))
    expect(sent.map(each => proofOf(each)?.nonce)).toEqual([undefined, 'n1', 'n2'])
  })

  it('has no nonce for another server', async () => {
    const { send, sent } = through(jsonResponse(200, { access_token: 't1', token_type: 'DPoP' }, nonce))
    await send(request('POST', `${origin}/t`))
    await send(request('GET', 'https://api.test/', bearer('t1')))
    expect(proofOf(sent[1]!)?.nonce).toBeUndefined()
    expect(proofOf(sent[1]!)).toMatchObject({ htu: 'https://api.test/' })
  })

  it('passes on the options of its sender', async () => {
    const { signal } = new AbortController()
    const seen: unknown[] = []
    const { layer } = dpopBinding(dpop, metadata, ports)
    await layer(async (each, options) => {
      seen.push(options)
      return recorded(each, textResponse(200, ''))
    })(request('GET', origin), { signal })
    expect(seen).toEqual([{ signal }])
  })

  const step = (more: Partial<Step>) => madeStep('token_request', more)
  const shownBy = async (binding: ReturnType<typeof dpopBinding>, ...records: FlowRecord[]) => {
    async function* flow() {
      yield* records
    }
    return collect(binding.annotate(flow()))
  }

  it('shows the request without the nonce as a step of its own', async () => {
    const { send, binding } = through(jsonResponse(400, { error: 'use_dpop_nonce' }, nonce), issued('t'))
    const exchange = await send(request('POST', `${origin}/t`))
    const shown = step({
      exchange,
      note: 'x',
      tokens: [],
      token: { kind: 'assertion', value: 't', checks: [] },
    })
    const outcome: FlowRecord = { type: 'outcome', outcome: 'granted' }
    const [first, ...rest] = (await shownBy(binding, shown, outcome)) as [Step, Step, FlowRecord]
    expect(first.exchange?.response?.status).toBe(400)
    expect(first).toMatchObject({
      repeats: true,
      checks: [{ name: 'dpop_nonce', ok: true, rule: 'RFC 9449 §8' }],
    })
    expect(first.note).not.toBe('x')
    expect(first).not.toHaveProperty('token')
    expect(first).not.toHaveProperty('tokens')
    expect(rest).toEqual([shown, outcome])
  })

  const proved = recorded(request('POST', `${origin}/t`, [['DPoP', 'p']]), issued('t'))
  const bare = recorded(request('POST', `${origin}/t`), issued('t'))
  const access = (claims: object) => ({ kind: 'access_token' as const, value: token(claims), checks: [] })

  it.each<[cnf: unknown, ok: boolean]>([
    [{ jkt: dpop.jkt }, true],
    [{ jkt: 'other' }, false],
    [{ jkt: {} }, false],
  ])('shows whether a token names the key: %j %s', async (cnf, ok) => {
    const checks = [check('a', true, 'RFC 6749 §5.1')]
    const binding = dpopBinding(dpop, metadata, ports)
    const [shown] = (await shownBy(binding, step({ exchange: proved, token: access({ cnf }), checks }))) as [
      Step,
    ]
    expect(shown.checks).toEqual([
      ...checks,
      { name: 'cnf', ok, rule: 'RFC 9449 §6.1', detail: expect.any(String), ...(!ok && { advice: true }) },
    ])
    const [alone] = (await shownBy(binding, step({ exchange: proved, token: access({ cnf }) }))) as [Step]
    expect(alone.checks).toHaveLength(1)
  })

  it.each<[what: string, shown: Partial<Step>]>([
    ['no token', { exchange: proved }],
    ['another token', { exchange: proved, token: { ...access({ cnf: { jkt: 'x' } }), kind: 'id_token' } }],
    ['no exchange', { token: access({ cnf: { jkt: 'x' } }) }],
    ['no proof', { exchange: bare, token: access({ cnf: { jkt: 'x' } }) }],
    ['an opaque token', { exchange: proved, token: { ...access({}), value: 'opaque' } }],
    ['no cnf', { exchange: proved, token: access({}) }],
    ['a cnf that is text', { exchange: proved, token: access({ cnf: 'x' }) }],
    ['a cnf that is null', { exchange: proved, token: access({ cnf: null }) }],
    ['a cnf without jkt', { exchange: proved, token: access({ cnf: {} }) }],
  ])('says nothing about %s', async (_what, shown) => {
    expect(await shownBy(dpopBinding(dpop, metadata, ports), step(shown))).toEqual([step(shown)])
  })

  it('adds nothing without a key', async () => {
    const { annotate } = clientMiddleware(metadata, { clientId: 'demo' }, ports)
    async function* flow(): AsyncGenerator<FlowRecord> {
      yield step({})
    }
    const records = flow()
    expect(annotate(records)).toBe(records)
    expect(clientMiddleware(metadata, { clientId: 'demo', dpop }, ports).layers).toHaveLength(2)
  })
})
