import { describe, expect, it } from 'vitest'
import { answerMembers } from '../../src/flows/answers/answer-members.js'
import { grantedScope, scopeCheck } from '../../src/flows/answers/granted-scope.js'
import {
  CLOCK_LEEWAY,
  readKeys,
  sameSubject,
  stepToken,
  stepTokens,
} from '../../src/flows/answers/verify-tokens.js'
import { endpoint } from '../../src/flows/metadata/endpoint.js'
import { asksForOpenId } from '../../src/flows/options.js'
import { failedCheck } from '../../src/flows/outcome.js'
import type { PlannedStep, Step } from '../../src/flows/step.js'
import { newRequest, unguessable } from '../../src/flows/steps/front-channel.js'
import { resourceRequest } from '../../src/flows/steps/resource-step.js'
import { tradeRequest } from '../../src/flows/steps/token-step.js'
import { createWalk, get, type Steps } from '../../src/flows/walk.js'
import type { Exchange } from '../../src/protocol/http/exchange.js'
import { type HttpResponse, jsonResponse, text, textResponse } from '../../src/protocol/http/message.js'
import { readUserinfo } from '../../src/protocol/oauth/answers.js'
import { requestParameters } from '../../src/protocol/oauth/authorization-request.js'
import { check } from '../../src/protocol/oauth/check.js'
import type { AuthorizationServerMetadata } from '../../src/protocol/oauth/metadata.js'
import { OAuthError } from '../../src/protocol/oauth/oauth-error.js'
import type { TokenResponse } from '../../src/protocol/oauth/token.js'
import { decodeIfJwt } from '../../src/protocol/tokens/decode.js'
import { answered, refusal } from './support/answered.js'
import { countedRandom } from './support/network.js'
import { scriptedOptions, token } from './support/scripted.js'

const { response: _response, ...unanswered } = answered(textResponse(200, ''))

describe('the members of an answer', () => {
  it.each<[exchange: Exchange, members: object]>([
    [answered(jsonResponse(400, { a: 1 })), { a: 1 }],
    [answered(textResponse(200, '{"a":1}')), { a: 1 }],
    [answered(jsonResponse(200, [1])), {}],
    [answered(jsonResponse(200, null)), {}],
    [answered(jsonResponse(200, 'x')), {}],
    [answered(textResponse(200, '{')), {}],
    [unanswered, {}],
  ])('%#', (exchange, members) => expect(answerMembers(exchange)).toEqual(members))
})

describe('scopes', () => {
  it.each([
    [undefined, false],
    ['', false],
    ['openid', true],
    ['profile openid', true],
    ['openidx', false],
    ['openid "', false],
  ])('%j asks for OpenID Connect: %s', (scope, asks) => expect(asksForOpenId(scope)).toBe(asks))

  it.each([
    ['a', 'b', 'b'],
    ['a', undefined, 'a'],
    [undefined, 'b', 'b'],
    ['a', '', ''],
    [undefined, undefined, undefined],
  ])('asked %j, answered %j: granted %j', (asked, answer, granted) => {
    expect(grantedScope(asked, answer)).toBe(granted)
  })

  it.each([
    [undefined, undefined, /none/],
    ['a b', undefined, /^as asked: a b$/],
    [undefined, 'a', /default: a$/],
    ['a b', 'b a', /^as asked: b a$/],
    ['a b', 'a', /^narrower than asked: a, without b$/],
    ['a', 'a b', /^wider than asked: a b$/],
    ['a b', 'b c', /^not as asked: b c, without a$/],
    ['"', 'a', /^wider than asked: a$/],
    ['"', '', /^as asked: $/],
  ])('asked %j, answered %j: %s', (asked, answer, detail) => {
    expect(scopeCheck(asked, answer)).toEqual({
      name: 'scope',
      ok: true,
      rule: 'RFC 6749 §3.3',
      detail: expect.stringMatching(detail),
    })
  })

  it.each([
    ['repo gist', 'repo,gist', false, 'as asked, with commas where spaces belong: repo,gist'],
    ['repo gist', 'repo', true, 'narrower than asked: repo, without gist'],
    ['repo gist', 'gist, repo,user', true, 'wider than asked: gist, repo,user'],
    ['a,b', 'a,b', true, 'as asked: a,b'],
  ])('asked %j, answered %j as GitHub does: %j', (asked, answer, ok, detail) => {
    expect(scopeCheck(asked, answer)).toMatchObject({ ok, detail })
  })

  it('refuse a malformed answer', () => {
    expect(refusal(() => scopeCheck('a', '"'))).toMatchObject({
      code: 'invalid_response',
      rule: 'RFC 6749 §3.3',
    })
  })
})

describe('an endpoint that a flow requires', () => {
  const { metadata } = scriptedOptions
  it('is that of the metadata', () => expect(endpoint(metadata, 'token_endpoint')).toBe('https://as.test/t'))
  it('ends the flow where it is missing', () => {
    expect(refusal(() => endpoint({ issuer: 'x' }, 'token_endpoint'))).toMatchObject({
      code: 'invalid_metadata',
      rule: 'RFC 8414 §2',
    })
  })
})

describe('an authorization request', () => {
  const asked = (more: Partial<typeof scriptedOptions> = {}, type = 'code') =>
    newRequest({ random: countedRandom() }, { ...scriptedOptions, ...more }, type)

  it('has fresh values of 256 bits', () => {
    expect(unguessable(length => new Uint8Array(length).fill(255))).toBe(`${'_'.repeat(42)}8`)
    const { state, nonce, codeVerifier } = asked({ scope: 'openid' })
    expect(new Set([state, nonce, codeVerifier]).size).toBe(3)
    for (const value of [state, nonce, codeVerifier]) expect(value).toMatch(/^[\w-]{43}$/)
  })

  it('has a nonce with openid alone, and a verifier with a code alone', () => {
    expect(asked()).not.toHaveProperty('nonce')
    expect(asked()).not.toHaveProperty('scope')
    expect(asked({ scope: 'openid' }, 'id_token token')).not.toHaveProperty('codeVerifier')
    expect(asked({ pkce: false })).not.toHaveProperty('codeVerifier')
  })

  it('names its parties, and has the parameters that were asked for', () => {
    const request = asked({ scope: 'a', authorizationParameters: [['prompt', 'login']] })
    expect(request).toMatchObject({
      issuer: 'https://as.test',
      endpoint: 'https://as.test/a',
      issPromised: false,
    })
    expect(requestParameters(request)).toEqual(
      expect.arrayContaining([
        ['response_type', 'code'],
        ['client_id', 'demo'],
        ['redirect_uri', 'http://127.0.0.1:7000/cb'],
        ['scope', 'a'],
        ['prompt', 'login'],
      ]),
    )
  })

  it.each([
    [true, true],
    [false, false],
    ['true', false],
  ])('expects iss where the metadata say %j: %s', (promised, expected) => {
    const metadata = { ...scriptedOptions.metadata, authorization_response_iss_parameter_supported: promised }
    expect(asked({ metadata: metadata as AuthorizationServerMetadata }).issPromised).toBe(expected)
  })
})

describe('a request for a resource', () => {
  it('presents the token, where there is one', () => {
    const bare = { method: 'GET', url: 'https://api.test/a', headers: [['accept', 'application/json']] }
    const body = new Uint8Array()
    expect(resourceRequest('https://api.test/a')).toEqual({ ...bare, body })
    expect(get('https://api.test/a')).toEqual({ ...bare, body })
    expect(resourceRequest('https://api.test/a', 't')).toEqual({
      ...bare,
      headers: [...bare.headers, ['authorization', 'Bearer t']],
      body,
    })
  })
})

describe('a token request', () => {
  it('goes to the token endpoint, with the credentials of the client', () => {
    const { method, url, body } = tradeRequest(
      {
        grantType: 'x',
        parameters: [
          ['a', '1'],
          ['b', undefined],
        ],
      },
      scriptedOptions,
    )
    expect([method, url, text(body)]).toEqual([
      'POST',
      'https://as.test/t',
      'grant_type=x&a=1&client_id=demo&client_secret=secret',
    ])
    const { clientSecret: _, ...keyless } = scriptedOptions
    const bare = tradeRequest({ grantType: 'x', parameters: [] }, { ...keyless, auth: 'none' })
    expect(text(bare.body)).toBe('grant_type=x&client_id=demo')
  })
})

describe('the subject of new tokens', () => {
  const bearer = (access_token: string, id_token?: string): TokenResponse => ({
    access_token,
    token_type: 'Bearer',
    ...(id_token !== undefined && { id_token }),
  })
  const of = (sub: unknown) => token({ sub })
  const compare = (before: TokenResponse, after: TokenResponse) => sameSubject(before, after, 'RFC 6749 §5.2')

  it.each<[before: TokenResponse, after: TokenResponse, same: boolean | undefined]>([
    [bearer(of('a')), bearer(of('a')), true],
    [bearer(of('a')), bearer(of('b')), false],
    [bearer('opaque'), bearer(of('b')), undefined],
    [bearer(of('a')), bearer('opaque'), undefined],
    [bearer(of(7)), bearer(of(7)), undefined],
    [bearer('opaque', of('a')), bearer(of('a')), true],
    [bearer(of('a'), of('b')), bearer(of('a')), false],
    [bearer(of('a'), 'opaque'), bearer(of('a')), true],
  ])('%#: the same: %s', (before, after, same) => {
    if (same === false) {
      expect(refusal(() => compare(before, after))).toMatchObject({
        code: 'subject_mismatch',
        rule: 'RFC 6749 §5.2',
      })
      return
    }
    expect(compare(before, after)).toEqual(
      same ? [{ name: 'sub', ok: true, rule: 'RFC 6749 §5.2', detail: expect.stringContaining('a') }] : [],
    )
  })
})

describe('userinfo', () => {
  const read = (response: HttpResponse, subject: string | undefined = 'alice') =>
    readUserinfo(answered(response), subject)

  it('is about the one who logged in', () => {
    const rule = 'OpenID Connect Core §5.3.2'
    expect(read(jsonResponse(200, { sub: 'alice', name: 'x' }))).toEqual({
      sub: 'alice',
      claims: { sub: 'alice', name: 'x' },
      checks: [{ name: 'sub', ok: true, rule, detail: 'alice' }],
    })
    for (const sub of ['bob', undefined, 7]) {
      expect(refusal(() => read(jsonResponse(200, { sub })))).toMatchObject({
        code: 'subject_mismatch',
        rule,
      })
    }
    const unknown = () => readUserinfo(answered(jsonResponse(200, {})), undefined)
    expect(refusal(unknown)).toMatchObject({ code: 'subject_mismatch' })
  })

  it('may be refused, with a challenge or without', () => {
    const rule = 'OpenID Connect Core §5.3.3'
    const plain = () => read(textResponse(403, ''))
    const challenged = () => read(textResponse(401, '', [['www-authenticate', 'Bearer x']]))
    expect(refusal(plain)).toMatchObject({ code: 'invalid_response', rule })
    expect(plain).toThrow(/403$/)
    expect(challenged).toThrow(/401: Bearer x$/)
    expect(() => readUserinfo(unanswered, 'alice')).toThrow(/undefined$/)
  })
})

describe('published keys', () => {
  const rule = 'RFC 7517 §5'
  it('are those of a set of keys', () => {
    expect(readKeys(undefined)).toBeUndefined()
    expect(readKeys(answered(jsonResponse(200, { keys: [{ kty: 'RSA' }], x: 1 })))).toEqual({
      keys: [{ kty: 'RSA' }],
    })
    expect(readKeys(answered(jsonResponse(200, { keys: [] })))).toEqual({ keys: [] })
  })

  it.each([
    [textResponse(404, ''), false],
    [jsonResponse(201, { keys: [] }), false],
    [textResponse(200, '{"keys":[]}'), false],
    [jsonResponse(200, { keys: 'x' }), true],
    [jsonResponse(200, { keys: [{}, null] }), true],
    [jsonResponse(200, { keys: [7] }), true],
    [jsonResponse(200, {}), true],
  ])('are refused: %# (cannot be read: %s)', (response, unreadable) => {
    expect(refusal(() => readKeys(answered(response)))).toEqual({
      code: 'invalid_response',
      rule,
      unreadable,
    })
  })
})

describe('a token at a step', () => {
  it('is explained where it is a JWT', () => {
    const checks = [check('a', true, 'RFC 6749 §5.1')]
    expect(stepToken('assertion', 'opaque')).toEqual({ kind: 'assertion', value: 'opaque', checks: [] })
    const jwt = token()
    expect(stepToken('id_token', jwt, checks)).toMatchObject({ kind: 'id_token', value: jwt, checks })
    expect(stepToken('id_token', jwt).explained?.claims.map(({ name }) => name)).toContain('sub')
    expect(decodeIfJwt(jwt)?.claims.sub).toBe('alice')
    expect(decodeIfJwt('a.b.c')).toBeUndefined()
  })

  it('is the access token, and then the others', () => {
    const tokens = { access_token: 'a', token_type: 'Bearer' }
    expect(stepTokens(tokens)).toEqual({ token: { kind: 'access_token', value: 'a', checks: [] } })
    const all = stepTokens({ ...tokens, refresh_token: 'r', id_token: 'i' })
    expect(all.tokens?.map(({ kind, value }) => [kind, value])).toEqual([
      ['id_token', 'i'],
      ['refresh_token', 'r'],
    ])
    expect(stepTokens({ ...tokens, refresh_token: 'r' }).tokens).toHaveLength(1)
  })

  it('may be five seconds off', () => expect(CLOCK_LEEWAY).toBe(5))
})

describe('a failed check', () => {
  it.each([
    ['state_mismatch', 'state'],
    ['issuer_mismatch', 'iss'],
    ['subject_mismatch', 'sub'],
    ['invalid_grant', 'invalid_grant'],
  ] as const)('of %s has the name %s', (code, name) => {
    const error = new OAuthError(code, { description: 'why', rule: 'RFC 6749 §5.2' })
    expect(failedCheck(error)).toEqual({ name, ok: false, rule: 'RFC 6749 §5.2', detail: 'why' })
    expect(failedCheck(error, 'other').name).toBe('other')
  })

  it('shows the evidence', () => {
    const error = new OAuthError('invalid_grant', {
      description: 'why',
      rule: 'RFC 6749 §5.2',
      evidence: 'x',
    })
    expect(failedCheck(error).detail).toBe('why: x')
  })
})

describe('a walk through a plan', () => {
  const planned = (name: PlannedStep['name']): PlannedStep => ({
    name,
    from: 'client',
    to: 'client',
    title: 't',
    rfc: '6749 §4.1.3',
    why: 'w',
  })
  const plan = [planned('login'), planned('token_request')]
  const exchange = answered(textResponse(200, ''))
  const { signal } = new AbortController()
  const walk = createWalk({ send: async () => exchange, signal }, plan)
  const drain = async <Result>(steps: Steps<Result>) => {
    const seen: Step[] = []
    for (;;) {
      const next = await steps.next()
      if (next.done) return { seen, result: next.value }
      seen.push(next.value)
    }
  }
  const error = new OAuthError('invalid_grant', { description: 'why', rule: 'RFC 6749 §5.2' })
  const refused = { name: 'invalid_grant', ok: false, rule: 'RFC 6749 §5.2', detail: 'why' }

  it('numbers the steps that happen, and a repeated one as before', () => {
    const whole = createWalk({ send: async () => exchange, signal }, plan)
    const login = { ...plan[0], type: 'step', n: 1, of: 2 }
    expect(whole.step('login', {})).toEqual(login)
    expect(whole.step('login', {})).toEqual(login)
    expect(whole.step('token_request', { note: 'x' })).toEqual({
      ...plan[1],
      type: 'step',
      n: 2,
      of: 2,
      note: 'x',
    })
    const short = createWalk({ send: async () => exchange, signal }, plan)
    expect(short.step('token_request', {})).toMatchObject({ n: 1, of: 1 })
  })

  it('sends with the signal of the flow, and nothing once that is aborted', async () => {
    const signals: unknown[] = []
    const send = async (_request: unknown, options?: { signal?: AbortSignal }) => {
      signals.push(options?.signal)
      return exchange
    }
    expect(await createWalk({ send, signal }, plan).send(get('https://as.test'))).toBe(exchange)
    const ended = createWalk({ send, signal: AbortSignal.abort() }, plan)
    await expect(ended.send(get('https://as.test'))).rejects.toThrow(/abort/i)
    expect(signals).toEqual([signal])
  })

  it('returns what was read, and shows what was refused before it ends', async () => {
    expect(await drain(walk.orRefused('login', exchange, () => 7))).toEqual({ seen: [], result: 7 })
    const seen: Step[] = []
    const ending = walk.orRefused('login', exchange, () => {
      throw error
    })
    const first = await ending.next()
    if (!first.done) seen.push(first.value)
    await expect(ending.next()).rejects.toBe(error)
    expect(seen).toEqual([{ ...plan[0], type: 'step', n: 1, of: 2, exchange, checks: [refused] }])

    const without = walk.orRefused('login', undefined, () => {
      throw error
    })
    expect((await without.next()).value).not.toHaveProperty('exchange')
    const bug = walk.orRefused('login', exchange, () => {
      throw new TypeError('a bug')
    })
    await expect(bug.next()).rejects.toThrow('a bug')
  })
})
