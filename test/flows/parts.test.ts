import { describe, expect, it } from 'vitest'
import { answerMembers } from '../../src/flows/answers/answer-members.js'
import { grantedScope, scopeCheck } from '../../src/flows/answers/granted-scope.js'
import { readKeys, sameSubject, stepTokens } from '../../src/flows/answers/verify-tokens.js'
import { asksForOpenId } from '../../src/flows/options.js'
import { failedCheck } from '../../src/flows/outcome.js'
import type { PlannedStep, Step } from '../../src/flows/step.js'
import { newRequest } from '../../src/flows/steps/front-channel.js'
import { createWalk, get, type Steps } from '../../src/flows/walk.js'
import type { Exchange } from '../../src/protocol/http/exchange.js'
import { type HttpResponse, jsonResponse, textResponse } from '../../src/protocol/http/message.js'
import { readUserinfo } from '../../src/protocol/oauth/answers.js'
import type { AuthorizationServerMetadata } from '../../src/protocol/oauth/metadata.js'
import { OAuthError } from '../../src/protocol/oauth/oauth-error.js'
import type { TokenResponse } from '../../src/protocol/oauth/token.js'
import { answered, refusal } from './support/answered.js'
import { countedRandom } from './support/network.js'
import { scriptedOptions, token } from './support/scripted.js'

const { response: _response, ...unanswered } = answered(textResponse(200, ''))

it.each<[exchange: Exchange, members: object]>([
  [answered(jsonResponse(400, { a: 1 })), { a: 1 }],
  [answered(textResponse(200, '{"a":1}')), { a: 1 }],
  [answered(jsonResponse(200, [1])), {}],
  [answered(jsonResponse(200, null)), {}],
  [answered(jsonResponse(200, 'x')), {}],
  [answered(textResponse(200, '{')), {}],
  [unanswered, {}],
])('the members of an answer: %#', (exchange, members) => expect(answerMembers(exchange)).toEqual(members))

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

describe('an authorization request', () => {
  const asked = (more: Partial<typeof scriptedOptions> = {}, type = 'code') =>
    newRequest({ random: countedRandom() }, { ...scriptedOptions, ...more }, type)

  it('has a nonce with openid alone, and a verifier with a code alone', () => {
    expect(asked()).not.toHaveProperty('nonce')
    expect(asked()).not.toHaveProperty('scope')
    expect(asked({ scope: 'openid' }, 'id_token token')).not.toHaveProperty('codeVerifier')
    expect(asked({ pkce: false })).not.toHaveProperty('codeVerifier')
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

it('a token at a step is the access token, and then the others', () => {
  const tokens = { access_token: 'a', token_type: 'Bearer' }
  expect(stepTokens(tokens)).toEqual({ token: { kind: 'access_token', value: 'a', checks: [] } })
  const all = stepTokens({ ...tokens, refresh_token: 'r', id_token: 'i' })
  expect(all.tokens?.map(({ kind, value }) => [kind, value])).toEqual([
    ['id_token', 'i'],
    ['refresh_token', 'r'],
  ])
  expect(stepTokens({ ...tokens, refresh_token: 'r' }).tokens).toHaveLength(1)
})

it.each([
  ['state_mismatch', 'state'],
  ['issuer_mismatch', 'iss'],
  ['subject_mismatch', 'sub'],
  ['invalid_grant', 'invalid_grant'],
] as const)('a failed check of %s has the name %s', (code, name) => {
  const error = new OAuthError(code, { description: 'why', rule: 'RFC 6749 §5.2' })
  expect(failedCheck(error)).toEqual({ name, ok: false, rule: 'RFC 6749 §5.2', detail: 'why' })
  expect(failedCheck(error, 'other').name).toBe('other')
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
