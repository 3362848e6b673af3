import { describe, expect, it } from 'vitest'
import type { DeviceTask } from '../../src/client/device-verifier.js'
import type { FlowOptions } from '../../src/flows/options.js'
import type { AllPorts } from '../../src/flows/ports.js'
import type { AssertionWords } from '../../src/flows/requests/assertion-source.js'
import type { StepName } from '../../src/flows/step.js'
import { parseForm } from '../../src/protocol/http/form.js'
import {
  bytes,
  type HttpRequest,
  type HttpResponse,
  header,
  jsonResponse,
  text,
  textResponse,
} from '../../src/protocol/http/message.js'
import { NOW } from './support/network.js'
import { expectRefused, stepOf, stepsOf } from './support/records.js'
import {
  checkOf,
  formOf,
  issued,
  jwks,
  refreshing,
  refused,
  scripted,
  scriptedOptions,
  token,
  type Walk,
  walk,
} from './support/scripted.js'

describe('the code flow', () => {
  it('sends the code with what belongs to it', async () => {
    const { sent, records } = await walk('code', { wanted: { scope: 'a' } })
    expect(formOf(sent[0]!)).toEqual({
      grant_type: 'authorization_code',
      code: 'c',
      redirect_uri: 'http://127.0.0.1:7000/cb',
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
      client_id: 'demo',
      client_secret: 'secret',
    })
    expect(stepOf(records, 'login_form').note).toBe('no form')
    expect(stepOf(records, 'token_request').note).toBe('Bearer, 3600 s')
    expect(checkOf(records, 'token_request', 'scope')?.detail).toBe('as asked: a')
  })

  it.each([
    [['S256'], /^S256$/],
    [['plain'], /not announce/],
    [undefined, /not announce/],
  ])('says whether PKCE is announced: %j', async (methods, detail) => {
    const metadata = {
      ...scriptedOptions.metadata,
      ...(methods && { code_challenge_methods_supported: methods }),
    }
    const { records } = await walk('code', { wanted: { metadata, scope: 'openid' } })
    expect(checkOf(records, 'authorization_request', 'pkce')?.detail).toMatch(detail)
    const names = stepOf(records, 'authorization_request').checks?.map(({ name }) => name)
    expect(names).toEqual(['state', 'nonce', 'pkce'])
  })

  it('says nothing of PKCE without it, nor of a lifetime that is not named', async () => {
    const { records } = await walk('code', {
      wanted: { pkce: false },
      script: { 'POST /t': jsonResponse(200, { access_token: token(), token_type: 'bearer' }) },
    })
    expect(stepOf(records, 'authorization_request').checks?.map(({ name }) => name)).toEqual(['state'])
    expect(checkOf(records, 'token_request', 'pkce')).toBeUndefined()
    expect(stepOf(records, 'token_request').note).toBe('bearer')
  })

  it('ends where the browser never comes back, and where it was interrupted on its way', async () => {
    const lost = await walk('code', { ports: { userAgent: { async *authorize() {} } } })
    expectRefused(lost.outcome, 'invalid_response')
    const controller = new AbortController()
    const userAgent: AllPorts['userAgent'] = {
      async *authorize() {
        yield { name: 'login_form' }
        controller.abort()
        yield { name: 'login' }
      },
    }
    const interrupted = await walk('code', { ports: { signal: controller.signal, userAgent } })
    const steps = stepsOf(interrupted.records).map(({ name }) => name)
    expect(steps).toEqual(['authorization_request', 'login_form'])
    expect(interrupted.outcome).toMatchObject({ outcome: 'failed', error: { error: 'interrupted' } })
  })

  it('asks who logged in with openid alone, and compares', async () => {
    const nonce = Buffer.alloc(32, 2).toString('base64url')
    const script = {
      'POST /t': issued({ id_token: token({ nonce }) }),
      'GET /u': jsonResponse(200, { sub: 'alice' }),
    }
    const { records, sent, outcome } = await walk('code', { wanted: { scope: 'openid' }, script })
    expect(outcome.outcome).toBe('granted')
    expect(header(sent.at(-1)!, 'authorization')).toMatch(/^Bearer /)
    const checks = [{ name: 'sub' }]
    expect(stepOf(records, 'userinfo_request')).toMatchObject({ note: 'sub=alice', checks })
    expect(stepOf(records, 'keys_request').note).toContain('access token and id token')
    const less = { ...script, 'POST /t': issued({ scope: 'a' }) }
    const narrower = await walk('code', { wanted: { scope: 'openid' }, script: less })
    expect(narrower.outcome.outcome).toBe('granted')
    expect(narrower.sent.map(({ url }) => url)).not.toContain('https://as.test/u')
  })

  it('verifies with keys that it carries, where none are published', async () => {
    const { jwks_uri: _, ...metadata } = scriptedOptions.metadata
    const carriedKeys = { title: 'read k', keys: { kind: 'jwks', jwks: { keys: [] } } } as const
    const carrying = await walk('code', { wanted: { metadata, carriedKeys } })
    expectRefused(carrying.outcome, 'invalid_token')
    expect((await walk('code', { wanted: { metadata } })).outcome.outcome).toBe('granted')
    const foreign = await walk('code', { wanted: { metadata, carriedKeys, foreignAccessTokens: true } })
    expect(foreign.outcome.outcome).toBe('granted')
  })

  it('holds the access token to the audience that it was asked for', async () => {
    for (const [audience, end] of [
      ['other', 'refused'],
      ['demo', 'granted'],
    ] as const) {
      expect((await walk('code', { wanted: { audience } })).outcome.outcome).toBe(end)
    }
  })
})

describe('a pushed request', () => {
  const pushing = (answer: HttpResponse, wanted: Partial<FlowOptions> = {}) =>
    walk('code', { wanted: { push: true, ...wanted }, script: { 'POST /p': answer } })
  const good = { request_uri: 'urn:x', expires_in: 60 }

  it.each<[answer: HttpResponse, advice: string[], note: RegExp]>([
    [jsonResponse(201, good), [], / 60 s$/],
    [jsonResponse(200, good), ['status'], / 60 s$/],
    [jsonResponse(299, good), ['status'], / 60 s$/],
    [jsonResponse(201, { request_uri: 'urn:x' }), ['expires_in'], /^pushed$/],
    [jsonResponse(201, { ...good, expires_in: 0 }), ['expires_in'], /^pushed$/],
    [jsonResponse(201, { ...good, expires_in: '60' }), ['expires_in'], /^pushed$/],
  ])('is named by the browser: %#', async (answer, advice, note) => {
    const { records, outcome } = await pushing(answer)
    expect(outcome.outcome).toBe('granted')
    const step = stepOf(records, 'pushed_authorization_request')
    expect(step.checks?.filter(({ ok }) => !ok)).toEqual(
      advice.map(name => expect.objectContaining({ name, advice: true, rule: 'RFC 9126 §2.2' })),
    )
    expect(step.note).toMatch(note)
    const { url } = stepOf(records, 'authorization_request')
    expect(url).toBe('https://as.test/a?client_id=demo&request_uri=urn%3Ax')
  })

  it.each<[answer: HttpResponse, code: string]>([
    [jsonResponse(300, good), 'invalid_response'],
    [jsonResponse(199, { ...good, error: 'invalid_request' }), 'invalid_request'],
    [jsonResponse(201, { request_uri: '' }), 'invalid_response'],
    [jsonResponse(201, { request_uri: 7 }), 'invalid_response'],
    [textResponse(404, ''), 'invalid_response'],
  ])('ends the flow where it is refused: %#', async (answer, code) => {
    const { outcome, records } = await pushing(answer)
    expectRefused(outcome, code)
    expect(stepOf(records, 'pushed_authorization_request').checks).toMatchObject([{ ok: false }])
  })

  it.each([
    ['client_secret_basic', ['demo'], []],
    ['client_secret_post', ['demo'], ['secret']],
    ['none', ['demo'], []],
  ] as const)('names the client once: %s', async (auth, ids, secrets) => {
    const { sent } = await pushing(jsonResponse(201, good), { auth })
    const valuesOf = (wanted: string) =>
      parseForm(text(sent[0]!.body)).flatMap(([name, value]) => (name === wanted ? [value] : []))
    expect(valuesOf('client_id')).toEqual(ids)
    expect(valuesOf('client_secret')).toEqual(secrets)
    expect(valuesOf('response_type')).toEqual(['code'])
    expect(header(sent[0]!, 'authorization') !== undefined).toBe(auth === 'client_secret_basic')
  })
})

describe('the password flow', () => {
  it('asks for the password in the name of the client', async () => {
    const prompts: unknown[] = []
    const askLogin: AllPorts['askLogin'] = async prompt => {
      prompts.push(prompt)
      return { kind: 'credentials', username: 'u', password: 'p' }
    }
    const { sent } = await walk('password', { ports: { askLogin }, wanted: { scope: 'a' } })
    await walk('password', { ports: { askLogin } })
    expect(prompts).toEqual([
      { clientId: 'demo', toClient: true, scope: 'a' },
      { clientId: 'demo', toClient: true },
    ])
    const fields = { grant_type: 'password', username: 'u', password: 'p', scope: 'a' }
    expect(formOf(sent[0]!)).toMatchObject(fields)
  })

  it.each(['browser', 'cancel'] as const)('is refused where the answer is %s', async kind => {
    const { outcome, sent } = await walk('password', { ports: { askLogin: async () => ({ kind }) } })
    expectRefused(outcome, 'login_cancelled', 'RFC 6749 §4.3.1')
    expect(sent).toEqual([])
  })

  it('sends nothing where it was interrupted meanwhile', async () => {
    const controller = new AbortController()
    const askLogin: AllPorts['askLogin'] = async () => {
      controller.abort()
      return { kind: 'credentials', username: 'u', password: 'p' }
    }
    const { outcome, sent } = await walk('password', { ports: { askLogin, signal: controller.signal } })
    expect(outcome.error?.error).toBe('interrupted')
    expect(sent).toEqual([])
  })

  it('needs no id_token with openid, and verifies one that comes', async () => {
    const wanted = { scope: 'openid' }
    expect((await walk('password', { wanted })).outcome.outcome).toBe('granted')
    const forged = await walk('password', { wanted, script: { 'POST /t': issued({ id_token: 'x' }) } })
    expectRefused(forged.outcome, 'invalid_token')
  })
})

it.each([
  [undefined, true],
  ['r', false],
])('the client credentials flow points out a refresh token: %j', async (refreshToken, ok) => {
  const { records, sent, outcome } = await walk('client-credentials', {
    wanted: { scope: 'openid' },
    script: { 'POST /t': issued({ refresh_token: refreshToken }) },
  })
  expect(outcome.outcome).toBe('granted')
  expect(checkOf(records, 'token_request', 'refresh_token')).toMatchObject({ ok, rule: 'RFC 6749 §4.4.3' })
  expect(formOf(sent[0]!)).toMatchObject({ grant_type: 'client_credentials', scope: 'openid' })
})

describe('the assertion flow', () => {
  it.each(['jwt', 'saml'] as const)('says of the user what the server has to know: %s', async format => {
    const said: AssertionWords[] = []
    const make = async (words: AssertionWords) => {
      said.push(words)
      return 'made'
    }
    const assertion = { format, issuer: 'https://idp.test', subject: 'alice', make }
    const { sent, records, outcome } = await walk('assertion', { wanted: { assertion, scope: 'openid' } })
    const about = { issuer: 'https://idp.test', subject: 'alice', audience: 'https://as.test' }
    const times = { issuedAt: NOW, expiresAt: NOW + 300_000 }
    const id = expect.stringMatching(/^[\w-]{43}$/)
    expect(said).toEqual([{ ...about, ...times, recipient: 'https://as.test/t', id }])
    expect(formOf(sent[0]!)).toMatchObject({
      grant_type: `urn:ietf:params:oauth:grant-type:${format === 'jwt' ? 'jwt' : 'saml2'}-bearer`,
      assertion: 'made',
      scope: 'openid',
    })
    expect(stepOf(records, 'assertion')).toMatchObject({
      token: { kind: 'assertion', value: 'made' },
      note: expect.stringMatching(/https:\/\/idp\.test.*alice/),
    })
    expect(outcome.outcome).toBe('granted')
  })

  it('needs somebody who makes assertions', async () => {
    const { outcome, records } = await walk('assertion')
    expectRefused(outcome, 'no_assertion_issuer', 'RFC 7521 §3')
    expect(records).toHaveLength(1)
  })
})

describe('the device flow', () => {
  const codes = { device_code: 'dc', user_code: 'UC', verification_uri: 'https://as.test/v' }
  const device = { ...codes, expires_in: 600, interval: 7 }
  const [pending, slow] = [refused('authorization_pending'), refused('slow_down')]
  const polling = (answers: readonly HttpResponse[], members: object = {}, more: Walk = {}) =>
    walk('device', {
      ...more,
      script: { 'POST /d': jsonResponse(200, { ...device, ...members }), 'POST /t': answers },
    })

  it('asks for a code, and shows where to type it', async () => {
    const { sent, records } = await polling([issued()], {}, { wanted: { scope: 'a' } })
    expect(formOf(sent[0]!)).toEqual({ scope: 'a', client_id: 'demo', client_secret: 'secret' })
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
    expect(formOf(sent[1]!)).toMatchObject({ grant_type, device_code: 'dc' })
    const step = stepOf(records, 'device_authorization_request')
    expect(step.note).toMatch(/UC.*https:\/\/as\.test\/v$/)
    expect(step.checks).toMatchObject([{ name: 'user_code', ok: true, rule: 'RFC 8628 §3.2' }])
    expect(step.checks?.[0]?.detail).toMatch(/600 s.* 7 s/)
  })

  it.each<[waits: number[], ...before: HttpResponse[]]>([
    [[]],
    [[], pending],
    [[7000], pending, pending],
    [[12_000], pending, slow],
    [[12_000, 17_000], pending, slow, slow],
    [[17_000, 17_000], slow, slow, pending],
  ])('waits as long as the server asks: %j', async (waits, ...before) => {
    const answers = [...before, issued()]
    const { records, waits: waited, outcome } = await polling(answers)
    expect(outcome.outcome).toBe('granted')
    expect(waited).toEqual(waits)
    const polls = stepsOf(records).filter(({ name }) => /^(early_)?poll_request$|^token_request$/.test(name))
    expect(polls.map(({ name }) => name).slice(0, 2)).toEqual(
      ['poll_request', 'early_poll_request'].slice(0, Math.min(answers.length, 2)),
    )
    expect(polls.map(({ repeats }) => repeats === true)).toEqual(
      answers.map((_, i) => i > 1 && i < answers.length - 1),
    )
  })

  it('says why it has to wait, and how long', async () => {
    const { records } = await polling([pending, slow, issued()])
    const { checks, note } = stepOf(records, 'poll_request')
    const detail = expect.stringMatching(/ 7 s$/)
    expect(checks).toMatchObject([{ name: 'authorization_pending', ok: true, rule: 'RFC 8628 §3.5', detail }])
    expect(note).toMatch(/^authorization_pending: .* 7 s$/)
    expect(stepOf(records, 'early_poll_request').note).toMatch(/^slow_down: .* 12 s$/)
  })

  it('waits only for what is left of the pause', async () => {
    let time = NOW
    const waits: number[] = []
    const ports: Partial<AllPorts> = {
      now: () => time,
      wait: async ms => {
        waits.push(ms)
      },
      deviceVerifier: {
        async *verify() {
          time += 5000
          yield { name: 'device_approval' }
          time += 5000
        },
      },
    }
    await polling([pending, pending, issued()], {}, { ports })
    await polling([pending, pending, issued()], { interval: 15 }, { ports })
    expect(waits).toEqual([0, 5000])
  })

  it.each<[answers: HttpResponse[], error: string, last: StepName]>([
    [[refused('access_denied')], 'access_denied', 'poll_request'],
    [[pending, refused('expired_token')], 'expired_token', 'early_poll_request'],
    [[pending, pending, refused('access_denied')], 'access_denied', 'token_request'],
    [[textResponse(500, 'oops')], 'invalid_response', 'poll_request'],
  ])('ends where the server refuses: %#', async (answers, error, last) => {
    const { records, outcome } = await polling(answers)
    expectRefused(outcome, error)
    expect(stepsOf(records).at(-1)).toMatchObject({ name: last, checks: [{ ok: false }] })
  })

  it('ends with the code, and not before', async () => {
    const { outcome, waits } = await polling([pending], { expires_in: 21 })
    expectRefused(outcome, 'expired_token', 'RFC 8628 §3.5')
    expect(waits).toEqual([7000, 7000, 7000])
  })

  it.each([
    [{}, {}, { url: 'https://as.test/v', userCode: 'UC', clientId: 'demo' }],
    [
      { verification_uri_complete: 'https://as.test/v?c=UC' },
      { scope: 'a' },
      { url: 'https://as.test/v?c=UC', userCode: 'UC', clientId: 'demo', scope: 'a' },
    ],
  ])('sends the person to the page: %j', async (members, wanted, task) => {
    const tasks: DeviceTask[] = []
    const deviceVerifier: AllPorts['deviceVerifier'] = {
      async *verify(asked) {
        tasks.push(asked)
        yield { name: 'device_verification', url: asked.url, note: 'here' }
      },
    }
    const { records } = await polling([pending, pending, issued()], members, {
      wanted,
      ports: { deviceVerifier },
    })
    expect(tasks).toEqual([{ ...task, signal: expect.any(AbortSignal) }])
    expect(stepOf(records, 'device_verification')).toMatchObject({ url: task.url, note: 'here' })
  })

  it('is interrupted between two pages', async () => {
    const controller = new AbortController()
    const deviceVerifier: AllPorts['deviceVerifier'] = {
      async *verify() {
        controller.abort()
        yield { name: 'device_verification' }
      },
    }
    const ports = { deviceVerifier, signal: controller.signal }
    const { outcome, records } = await polling([pending, pending, issued()], {}, { ports })
    expect(outcome.error?.error).toBe('interrupted')
    expect(stepsOf(records).at(-1)?.name).toBe('early_poll_request')
  })
})

describe('the refresh flow', () => {
  const rotated = issued({ refresh_token: 'r2' })
  const dead = refused('invalid_grant')

  it('sends each refresh token in its turn', async () => {
    const { sent, records, outcome } = await refreshing([rotated, dead, dead])
    const forms = sent.filter(({ url }) => url.endsWith('/t')).map(formOf)
    expect(forms.slice(1).map(({ grant_type, refresh_token }) => [grant_type, refresh_token])).toEqual([
      ['refresh_token', 'r1'],
      ['refresh_token', 'r1'],
      ['refresh_token', 'r2'],
    ])
    expect(outcome).toMatchObject({ outcome: 'granted', tokens: { refresh_token: 'r2' } })
    expect(checkOf(records, 'refresh_request', 'rotation')).toMatchObject({
      ok: true,
      rule: 'RFC 9700 §4.14.2',
    })
    expect(checkOf(records, 'refresh_request', 'scope')?.detail).toBe('as asked: a')
    for (const name of ['reuse_request', 'revoked_request'] as const) {
      expect(checkOf(records, name, 'refused')).toMatchObject({ ok: true, rule: 'RFC 9700 §4.14.2' })
    }
  })

  const ofBob = { access_token: token({ sub: 'bob' }) }
  const same = 'OpenID Connect Core §12.2'
  it.each<[error: string, rule: string, last: StepName, ...answers: HttpResponse[]]>([
    ['invalid_grant', 'RFC 6749 §5.2', 'refresh_request', dead],
    ['subject_mismatch', same, 'refresh_request', issued({ refresh_token: 'r2', ...ofBob })],
    ['subject_mismatch', same, 'reuse_request', issued(), issued(ofBob)],
  ])('is refused by %s: %s, %s', async (error, rule, last, ...answers) => {
    const { records, outcome } = await refreshing(answers)
    expect(outcome).toMatchObject({ outcome: 'refused', error: { error, rule } })
    const step = stepsOf(records).at(-1)
    expect(step?.name).toBe(last)
    expect(step?.checks?.some(({ ok }) => !ok)).toBe(true)
  })

  it.each<[name: string, answers: HttpResponse[]]>([
    ['the same again', [issued({ refresh_token: 'r1' }), issued({ refresh_token: 'r1' })]],
    ['none', [issued(), issued()]],
  ])('goes on without rotation: %s', async (_name, answers) => {
    const { records, outcome, sent } = await refreshing(answers)
    expect(outcome).toMatchObject({ outcome: 'granted', tokens: { refresh_token: 'r1' } })
    expect(checkOf(records, 'refresh_request', 'rotation')?.detail).toMatch(/stays/)
    expect(checkOf(records, 'reuse_request', 'sub')).toMatchObject({ ok: true })
    expect(stepOf(records, 'reuse_request').note).toBe('taken again: this server does not rotate')
    expect(stepOf(records, 'revoked_request').exchange).toBeUndefined()
    expect(sent.filter(({ url }) => url.endsWith('/t'))).toHaveLength(3)
  })

  it('points out that the old refresh token died without a new one', async () => {
    const { records, outcome } = await refreshing([issued(), dead])
    expect(outcome.outcome).toBe('granted')
    const rotation = { name: 'rotation', ok: false, advice: true, rule: 'RFC 6749 §6' }
    const { checks } = stepOf(records, 'reuse_request')
    expect(checks).toMatchObject([{ ...rotation, detail: expect.stringMatching(/^invalid_grant/) }])
  })

  const withHeader = (request: HttpRequest): HttpRequest => ({
    ...request,
    headers: [...request.headers, ['dpop', 'p']],
  })
  const withBody = (change: (form: string) => string) => (request: HttpRequest) => ({
    ...request,
    body: bytes(change(text(request.body))),
  })
  it.each<
    [what: string, ok: boolean, auth: FlowOptions['auth'], change: (request: HttpRequest) => HttpRequest]
  >([
    ['its secret', true, 'client_secret_basic', request => request],
    ['nothing', false, 'none', request => request],
    ['a proof', true, 'none', withHeader],
    ['an assertion', true, 'none', withBody(form => `${form}&client_assertion=x`)],
    ['an assertion alone', true, 'none', withBody(form => `client_assertion=x&${form}`)],
    ['something else', false, 'none', withBody(form => `${form}&my_client_assertion=x`)],
  ])('says what protects a refresh token that does not rotate: %s', async (_what, ok, auth, change) => {
    const { send } = scripted({
      'GET /k': jsonResponse(200, jwks),
      'POST /t': [issued({ refresh_token: 'r1', scope: 'a' }), issued(), issued()],
    })
    const ports: Partial<AllPorts> = { send: (request, options) => send(change(request), options) }
    const { records } = await refreshing([], { wanted: { auth }, ports })
    const found = checkOf(records, 'reuse_request', 'sender')
    expect(found).toMatchObject({ ok, rule: 'RFC 9700 §2.2.2' })
    expect(found).not.toHaveProperty('advice')
  })

  it('verifies an id_token that comes with the new tokens, and needs none', async () => {
    const wanted = { scope: 'openid' }
    const without = await refreshing([rotated, dead, dead], { wanted })
    expect(without.outcome.outcome).toBe('granted')
    const forged = await refreshing([issued({ refresh_token: 'r2', id_token: 'x' }), dead, dead], { wanted })
    expectRefused(forged.outcome, 'invalid_token')
  })

  it('needs a refresh token', async () => {
    const { outcome } = await walk('refresh', { wanted: { first: 'password' } })
    expectRefused(outcome, 'no_refresh_token', 'RFC 6749 §1.5')
  })
})
