import { describe, expect, it } from 'vitest'
import type { Outcome, Step } from '../../../src/flows/step.js'
import { answerChecks } from '../../../src/judge/doctor/answer-checks.js'
import { discoveryChecks } from '../../../src/judge/doctor/discovery-checks.js'
import { type DoctorCheck, type Facts, findings, type Publication } from '../../../src/judge/doctor/facts.js'
import type { Judgement } from '../../../src/judge/doctor/finding.js'
import { flowChecks } from '../../../src/judge/doctor/flow-checks.js'
import { keyChecks } from '../../../src/judge/doctor/key-checks.js'
import { AFTER_REPLAY } from '../../../src/judge/doctor/move-findings.js'
import { tlsChecks } from '../../../src/judge/doctor/tls-checks.js'
import type { Exchange } from '../../../src/protocol/http/exchange.js'
import type { HeaderList } from '../../../src/protocol/http/message.js'
import { madeStep } from '../../flows/support/made-step.js'

const issuer = 'https://as.test'
const json: HeaderList = [['content-type', 'application/json; charset=utf-8']]

function answered(
  status: number,
  headers: HeaderList = [],
  body: unknown = '',
  url = `${issuer}/x`,
): Exchange {
  return {
    request: { method: 'GET', url, headers: [], body: '' },
    response: { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) },
    wireBytes: { request: 0, response: 0 },
    bodyBytes: 0,
    ms: 1,
    at: '2026-01-02T12:00:00.000Z',
  }
}
const { response: _response, ...unanswered } = answered(200)

/** The judgement of one check of a table. */
function judged<Subject>(checks: readonly DoctorCheck<Subject>[], name: string, subject: Subject): Judgement {
  const found = checks.find(each => each.name === name)
  if (!found) throw new Error(`no check ${name}`)
  return found.judge(subject)
}

type Result = Judgement['result']
const [pass, fault, none, untried]: Result[] = ['pass', 'fault', 'not_applicable', 'not_tried']

const openid = `${issuer}/.well-known/openid-configuration`
const oauth = `${issuer}/.well-known/oauth-authorization-server`
const good = {
  issuer,
  authorization_endpoint: `${issuer}/a`,
  token_endpoint: `${issuer}/t`,
  jwks_uri: `${issuer}/k`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  code_challenge_methods_supported: ['S256'],
}
type Members = Readonly<Record<string, unknown>>
const changed = (change: Members): Members =>
  Object.fromEntries(Object.entries({ ...good, ...change }).filter(([, value]) => value !== undefined))

const document = (url: string, members?: Members, headers = json): Publication['documents'][number] => ({
  url,
  exchange: answered(200, headers),
  ...(members && { members }),
})
const published = (members: Members = good, more: Partial<Publication> = {}): Publication => ({
  issuer,
  documents: [document(openid, members)],
  members,
  metadata: { ...members, issuer },
  ...more,
})
/** The good document beside a second one, which OAuth asks for. */
const beside = (members?: Members, headers = json) =>
  published(good, { documents: [document(openid, good), document(oauth, members, headers)] })
const over = (protocol: string) => {
  const exchange = { ...answered(200), tls: { protocol, cipher: 'C' } }
  return published(good, { documents: [document(openid, good), { ...document(oauth, good), exchange }] })
}
const announced = (member: string, value: unknown) => published(changed({ [`${member}_supported`]: value }))

describe('published metadata', () => {
  it.each<[name: string, publication: Publication, result: Result | undefined, detail: string]>([
    ['metadata-content-type', published(), pass, 'application/json'],
    ['metadata-content-type', beside(good, [['content-type', 'text/html']]), fault, 'text/html'],
    ['metadata-content-type', published(good, { documents: [document(openid, good, [])] }), fault, ''],
    [
      'metadata-content-type',
      published(good, { documents: [document(openid, undefined, []), document(oauth, good)] }),
      pass,
      'application/json',
    ],
    ['issuer-exact', published(), pass, issuer],
    ['issuer-exact', published(changed({ issuer: `${issuer}/` })), fault, `${issuer}/`],
    ['issuer-exact', published(changed({ issuer: undefined })), fault, issuer],
    ['metadata-complete', published(), pass, ''],
    ...Object.keys(good)
      .filter(name => name !== 'code_challenge_methods_supported')
      .map((name): [string, Publication, Result | undefined, string] => [
        'metadata-complete',
        published(changed({ [name]: undefined })),
        fault,
        name,
      ]),
    [
      'metadata-complete',
      published(good, {
        documents: [
          document(
            oauth,
            changed({
              jwks_uri: undefined,
              subject_types_supported: undefined,
              id_token_signing_alg_values_supported: undefined,
            }),
          ),
        ],
      }),
      pass,
      '',
    ],
    ['metadata-complete', beside(), pass, ''],
    ['metadata-valid', published(), pass, ''],
    ['metadata-valid', published(changed({ token_endpoint: '/t' })), fault, 'token_endpoint'],
    ['metadata-valid', published(changed({ issuer: 7 })), fault, '7'],
    ['metadata-agree', published(), none, ''],
    ['metadata-agree', beside(), none, ''],
    ['metadata-agree', beside(good), pass, ''],
    ...['issuer', 'authorization_endpoint', 'token_endpoint', 'jwks_uri'].map(
      (name): [string, Publication, Result | undefined, string] => [
        'metadata-agree',
        beside(changed({ [name]: 'https://b.test' })),
        fault,
        name,
      ],
    ),
    ['metadata-agree', beside(changed({ scopes_supported: ['x'] })), pass, ''],
    ['https', published(), pass, ''],
    ['https', published(changed({ issuer: 'http://as.test' })), fault, 'issuer'],
    ['https', published(changed({ issuer: undefined }), { issuer: 'http://as.test' }), fault, 'issuer'],
    ['https', published(changed({ jwks_uri: 'http://as.test/k' })), fault, 'jwks_uri'],
    ['https', published(changed({ some_endpoint: ' https://as.test' })), fault, 'some_endpoint'],
    ['https', published(changed({ some_endpoint: 'HTTPS://as.test' })), pass, ''],
    [
      'https',
      published(changed({ some_endpoint: 7, some_endpoints: 'x', op_policy_uri: 'http://x' })),
      pass,
      '',
    ],
    ['https', published(changed({ my_jwks_uri: 'http://x', issuer_name: 'x' })), pass, ''],
    ['tls-version', published(), none, ''],
    ['tls-version', over('TLSv1.3'), pass, 'TLSv1.3'],
    ['tls-version', over('TLSv1.2'), pass, 'TLSv1.2'],
    ['tls-version', over('TLSv1.1'), fault, 'TLSv1.1'],
    ['tls-version', over('TLSv1'), fault, 'TLSv1'],
    ['tls-version', over('SSLv3 TLSv1.2'), fault, 'SSLv3 TLSv1.2'],
    ['tls-version', over('TLSv1.2x'), fault, 'TLSv1.2x'],
    ['pkce-announced', published(), pass, 'S256'],
    ['pkce-announced', announced('code_challenge_methods', undefined), fault, ''],
    ['pkce-announced', announced('code_challenge_methods', 'S256'), fault, ''],
    ['pkce-announced', announced('code_challenge_methods', [{}, 'plain']), fault, 'an object, plain'],
    ['rs256-offered', published(), pass, 'RS256'],
    ['rs256-offered', announced('id_token_signing_alg_values', ['ES256', []]), fault, 'ES256, an array'],
    ['rs256-offered', announced('id_token_signing_alg_values', undefined), none, ''],
    ['alg-none-not-offered', published(), pass, 'RS256'],
    [
      'alg-none-not-offered',
      announced('id_token_signing_alg_values', ['RS256', 'none']),
      fault,
      'RS256, none',
    ],
    ['alg-none-not-offered', announced('id_token_signing_alg_values', undefined), none, ''],
  ])('%s (%#)', (name, publication, result, detail) => {
    const found = judged([...discoveryChecks, ...tlsChecks], name, publication)
    expect(found.result).toBe(result)
    expect(found.detail).toContain(detail)
    expect(found.detail).not.toBe('')
  })

  it('names every plain address, each once', () => {
    const plain = { issuer: 'http://a', token_endpoint: 'http://a/t', jwks_uri: 'ftp://a' }
    const { detail } = judged([...discoveryChecks, ...tlsChecks], 'https', published(changed(plain)))
    expect(detail.match(/\w+(_endpoint|_uri)|issuer/g)).toEqual(['issuer', 'token_endpoint', 'jwks_uri'])
  })

  it('names only what is missing', () => {
    const { detail } = judged([...discoveryChecks, ...tlsChecks], 'metadata-complete', published({ issuer }))
    expect(detail.match(/\w+_\w+/g)).toEqual([
      'authorization_endpoint',
      'token_endpoint',
      'response_types_supported',
      'jwks_uri',
      'subject_types_supported',
      'id_token_signing_alg_values_supported',
    ])
  })
})

const modulus = (...head: number[]) =>
  Buffer.concat([Buffer.from(head), Buffer.alloc(255)]).toString('base64url')
const rsa = (n: unknown, kid?: string) => ({ kty: 'RSA', n, e: 'AQAB', ...(kid !== undefined && { kid }) })
const strong = rsa(modulus(0x80), 'a')
const withKeys = (keys: unknown, status = 200) => published(good, { keys: answered(status, json, { keys }) })

describe('published keys', () => {
  const { jwks_uri: _jwks, ...keyless } = good
  it.each<[name: string, publication: Publication, result: Result | undefined, detail: string]>([
    ['jwks', published(keyless), none, ''],
    ['jwks', published(), fault, ''],
    ['jwks', withKeys([strong], 404), fault, '404'],
    ['jwks', withKeys('x'), fault, '200'],
    ['jwks', withKeys([]), fault, '0'],
    ['jwks', withKeys([strong]), pass, '1 key'],
    ['jwks', withKeys([strong, rsa(modulus(0x80), 'b')]), pass, '2 keys'],
    ...['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].map(
      (name): [string, Publication, Result | undefined, string] => [
        'jwks-public',
        withKeys([strong, { ...strong, [name]: 'x' }]),
        fault,
        `: ${name}`,
      ],
    ),
    ['jwks-public', withKeys([strong]), pass, ''],
    ['jwks-public', withKeys([]), pass, ''],
    ['jwks-public', withKeys([{ ...strong, d: 'x', k: 'y' }]), fault, 'd, k'],
    ['jwks-public', withKeys([null]), none, ''],
    ['jwks-public', withKeys([7]), none, ''],
    ['jwks-public', published(), none, ''],
    ['jwks-kid', withKeys([rsa(modulus(1))]), pass, ''],
    ['jwks-kid', withKeys([rsa('', 'a'), rsa('', 'b')]), pass, '2'],
    ['jwks-kid', withKeys([rsa('', 'a'), rsa('', 'a')]), fault, '1'],
    ['jwks-kid', withKeys([rsa('', 'a'), rsa('')]), fault, '2'],
    ['jwks-kid', withKeys({}), none, ''],
    ['jwks-strength', withKeys([strong]), pass, '2048'],
    ['jwks-strength', withKeys([rsa(modulus(0xff))]), pass, '2048'],
    ['jwks-strength', withKeys([rsa(modulus(0, 0, 0x80))]), pass, '2048'],
    ['jwks-strength', withKeys([rsa(modulus(1, 0))]), pass, '2049'],
    ['jwks-strength', withKeys([strong, rsa(modulus(0x7f))]), fault, '2048, 2047'],
    ['jwks-strength', withKeys([rsa(modulus(1))]), fault, '2041'],
    ['jwks-strength', withKeys([rsa('AAAA')]), fault, '0 '],
    ['jwks-strength', withKeys([rsa('')]), fault, '0 '],
    ['jwks-strength', withKeys([{ kty: 'EC', n: modulus(1) }, rsa(7)]), none, ''],
    ['jwks-strength', withKeys([]), none, ''],
  ])('%s (%#)', (name, publication, result, detail) => {
    const found = judged(keyChecks, name, publication)
    expect(found.result).toBe(result)
    expect(found.detail).toContain(detail)
  })
})

const client = { clientId: 'demo', clientSecret: 's', auth: 'client_secret_basic' } as const
const granted: Outcome = { type: 'outcome', outcome: 'granted' }

interface Learned extends Partial<Omit<Facts, 'flow' | 'answers' | 'taken' | 'reflections'>> {
  readonly steps?: readonly Step[]
  readonly outcome?: Outcome
  readonly auth?: 'client_secret_post'
  readonly answers?: Readonly<Record<string, Exchange>>
  readonly taken?: Exchange
}
const facts = ({
  steps = [],
  outcome = granted,
  auth,
  answers = {},
  taken,
  ...more
}: Learned = {}): Facts => ({
  publication: published(),
  flow: { client: { ...client, ...(auth && { auth }) }, steps, outcome },
  reflections: [],
  taken: new Map(taken ? [['userinfo', taken]] : []),
  answers: new Map(Object.entries(answers)),
  ...more,
})

const form = (...exchanges: (Exchange | undefined)[]) =>
  facts({ steps: exchanges.map(exchange => madeStep('login_form', exchange && { exchange })) })
const loggedIn = (exchange: Exchange) => facts({ steps: [madeStep('login', { exchange })] })
const page = (body: string) =>
  form(answered(200, [['content-type', 'text/html']], body, 'https://as.test/login'))
const landed = (query: string, more: Learned = {}) =>
  facts({ steps: [madeStep('authorization_response', { url: `http://127.0.0.1/cb?${query}` })], ...more })
const promising = {
  publication: published(changed({ authorization_response_iss_parameter_supported: true })),
}
const allowing = (origin: string) => answered(204, [['Access-Control-Allow-Origin', origin]])
const browsers = {
  publication: published(changed({ token_endpoint_auth_methods_supported: ['client_secret_basic', 'none'] })),
}
const odd = (query: string) => ({ sent: 'a b&c', landed: `http://127.0.0.1/cb?${query}` })
const cookies = (...values: string[]): Exchange =>
  answered(
    200,
    values.map(value => ['set-cookie', value] as const),
  )

describe('a flow without any wrong move', () => {
  it.each<[name: string, facts: Facts, result: Result | undefined, detail?: string]>([
    ['login-asked', facts({ steps: [madeStep('login'), madeStep('authorization_response')] }), pass],
    ['login-asked', facts({ steps: [madeStep('login_form'), madeStep('authorization_response')] }), fault],
    ['login-asked', facts({ steps: [madeStep('login_form')] }), untried],
    ['frame-protection', form(answered(200, [['X-Frame-Options', 'DENY']])), pass, 'DENY'],
    ['frame-protection', form(answered(200, [['X-Frame-Options', ' SameOrigin ']])), pass],
    ['frame-protection', form(answered(299, [['X-Frame-Options', 'DENY']])), pass],
    ['frame-protection', form(answered(200, [['X-Frame-Options', 'ALLOW-FROM x']])), fault],
    ['frame-protection', form(answered(200, [['X-Frame-Options', 'DENY, no']])), fault],
    ['frame-protection', form(answered(200, [['X-Frame-Options', 'not DENY']])), fault],
    [
      'frame-protection',
      form(
        answered(200, [
          ['X-Frame-Options', 'ALLOWALL'],
          ['content-security-policy', "default-src 'self'"],
          ['content-security-policy', "Frame-Ancestors 'none'"],
        ]),
      ),
      pass,
      'frame-ancestors',
    ],
    ['frame-protection', form(answered(200, [['content-security-policy', "default-src 'self'"]])), fault],
    ['frame-protection', form(answered(300, [['X-Frame-Options', 'DENY']])), none],
    ['frame-protection', form(unanswered), none],
    ['frame-protection', facts(), none],
    ['frame-protection', form(answered(200), answered(200, [['x-frame-options', 'deny']]), undefined), pass],
    ['login-resources', facts(), none],
    ['login-resources', page('<script src="https://cdn.test/a.js">'), fault, 'https://cdn.test'],
    ['login-resources', page("<IMG alt=x SRC = '//cdn.test/a'>"), fault, 'https://cdn.test'],
    ['login-resources', page('<iframe src=http://cdn.test/a></iframe>'), fault, 'http://cdn.test'],
    ['login-resources', page('<link rel=icon href="https://cdn.test">'), fault],
    ['login-resources', page('<embed src="https://cdn.test">'), fault],
    ['login-resources', page('<object data="https://cdn.test">'), fault],
    ['login-resources', page(`<img ${'x'.repeat(498)} src="https://cdn.test">`), fault],
    ['login-resources', page(`<img ${'x'.repeat(500)} src="https://cdn.test">`), pass],
    ['login-resources', page('<script src="https://as.test/a.js"><img src="//as.test/b">'), pass],
    [
      'login-resources',
      page('<script src="/a.js"><a href="https://cdn.test"><imgx src="https://cdn.test">'),
      pass,
    ],
    ['login-resources', page('<script>x</script> src="https://cdn.test"'), pass],
    ['login-resources', page('<script src="https://[">'), pass],
    ['login-resources', page(`${' '.repeat(200_000)}<script src="https://cdn.test">`), pass],
    ['login-cookies', facts(), none],
    ['login-cookies', form(cookies('a=1; Secure; HttpOnly')), pass, '1'],
    ['login-cookies', form(cookies('a=1;httponly;SECURE;path=/', 'b=2; Secure; HttpOnly')), pass, '2'],
    ['login-cookies', form(cookies('a=1; Secure', 'b=2; Secure; HttpOnly')), fault, ': a'],
    ['login-cookies', form(cookies('a=secure; HttpOnly')), fault, ': a'],
    ['login-cookies', form(cookies('a=1; secured; httponly')), fault],
    ['login-cookies', form(cookies('a=1; secure; httponlyx')), fault],
    ['login-cookies', form(cookies('a=1', 'b=2; x=y')), fault, ': a, b'],
    ['login-cookies', loggedIn(cookies('a=1')), fault],
    ['login-cookies', facts({ steps: [madeStep('token_request', { exchange: cookies('a=1') })] }), none],
    [
      'login-cookies',
      facts({ steps: [madeStep('login', { exchange: unanswered }), madeStep('login')] }),
      none,
    ],
    ['login-redirect', loggedIn(answered(302)), pass, '302'],
    ['login-redirect', loggedIn(answered(303)), pass, '303'],
    ['login-redirect', loggedIn(answered(307)), fault, '307'],
    ['login-redirect', loggedIn(answered(308)), fault, '308'],
    ['login-redirect', facts(), none],
    ['honest-flow', facts(), pass],
    [
      'honest-flow',
      facts({
        outcome: { type: 'outcome', outcome: 'refused', error: { error: 'e', error_description: 'd' } },
      }),
      fault,
      'e: d',
    ],
    ['honest-flow', facts({ outcome: { type: 'outcome', outcome: 'failed' } }), fault, ': '],
    ['state-intact', facts(), untried],
    ['state-intact', facts({ oddState: odd('state=a%20b%26c') }), pass],
    ['state-intact', facts({ oddState: odd('state=a%20b') }), fault, 'a b'],
    ['state-intact', facts({ oddState: odd('code=1') }), fault, 'none'],
    ['state-intact', facts({ oddState: odd('state=%zz') }), fault],
    ['code-unguessable', facts(), untried],
    ['code-unguessable', landed('state=1'), untried],
    ['code-unguessable', landed(`code=${'x'.repeat(22)}`), pass, '22'],
    ['code-unguessable', landed(`code=${'x'.repeat(21)}`), fault, '21'],
    ['code-unguessable', landed(`code=${'x'.repeat(22)}`, { oddState: odd('state=x') }), pass],
    ['code-unguessable', landed(`code=${'x'.repeat(22)}`, { oddState: odd(`code=${'y'.repeat(22)}`) }), pass],
    [
      'code-unguessable',
      landed(`code=${'x'.repeat(22)}`, { oddState: odd(`code=${'x'.repeat(22)}`) }),
      fault,
    ],
    ['iss-sent', landed(`iss=${issuer}`), none],
    ['iss-sent', facts(promising), untried],
    ['iss-sent', facts({ ...promising, steps: [madeStep('authorization_response')] }), untried],
    ['iss-sent', landed(`iss=${issuer}`, promising), pass, issuer],
    ['iss-sent', landed(`iss=${issuer}/`, promising), fault, `${issuer}/`],
    ['iss-sent', landed('code=1', promising), fault, 'none'],
    ['authorization-no-cors', facts(), untried],
    ['authorization-no-cors', facts({ foreignOrigin: unanswered }), untried],
    ['authorization-no-cors', facts({ foreignOrigin: answered(200) }), pass],
    ['authorization-no-cors', facts({ foreignOrigin: allowing('https://a') }), fault, 'https://a'],
  ])('%s (%#)', (name, subject, result, detail = '') => {
    const found = judged(flowChecks, name, subject)
    expect(found.result).toBe(result)
    expect(found.detail).toContain(detail)
  })

  it.each([
    ['http://127.0.0.1:7000/cb', fault],
    ['https://web.example/cb', 'remark'],
  ])('judges a session that answers a client at %s', (redirectUri, result) => {
    const at = (url: string, exchange: Exchange) => ({ ...exchange, request: { ...exchange.request, url } })
    const login = madeStep('login', { exchange: at(`${issuer}/a`, answered(302, [['set-cookie', 'sid=1']])) })
    const query = `?redirect_uri=${encodeURIComponent(redirectUri)}`
    const stranger = at(`${issuer}/a${query}`, answered(302, [['location', `${redirectUri}?code=1`]]))
    const found = judged(flowChecks, 'session-asks', facts({ steps: [login], strangerInSession: stranger }))
    expect(found.result).toBe(result)
  })

  it('names each foreign origin of the login page once', () => {
    const body = '<img src="//b.test/1"><img src="https://c.test/"><img src="https://b.test/2">'
    const { detail } = judged(flowChecks, 'login-resources', page(body))
    expect(detail.match(/https:\S+?(?=,|$)/g)).toEqual(['https://b.test', 'https://c.test'])
  })
})

const tokens = (headers: HeaderList) =>
  facts({ steps: [madeStep('token_request', { exchange: answered(200, headers) })] })
const to = (name: string, exchange: Exchange, more: Learned = {}) =>
  facts({ answers: { [name]: exchange }, ...more })
const challenge = (status: number, ...values: string[]) =>
  answered(
    status,
    values.map(value => ['WWW-Authenticate', value] as const),
  )

describe('the form of answers', () => {
  it.each<[name: string, facts: Facts, result: Result | undefined, detail?: string]>([
    ['token-content-type', facts(), untried],
    ['token-content-type', tokens(json), pass, 'application/json'],
    ['token-content-type', tokens([['content-type', 'text/html']]), fault, 'text/html'],
    ['token-content-type', tokens([]), fault, 'no content type'],
    ['token-no-store', facts(), untried],
    ['token-no-store', tokens([['cache-control', 'private, No-Store']]), pass, 'No-Store'],
    ['token-no-store', tokens([['cache-control', 'no-storex, xno-store']]), fault],
    ['token-no-store', tokens([]), fault, 'no Cache-Control'],
    ['token-error-form', facts(), untried],
    ['token-error-form', to('guessed-code', answered(200, json, { error: 'x' })), none],
    ['token-error-form', to('guessed-code', answered(399, json, { error: 'x' })), none],
    [
      'token-error-form',
      to('guessed-code', answered(400, json, { error: 'x' })),
      pass,
      '400 application/json',
    ],
    ['token-error-form', to('guessed-code', answered(400, json, { error: 7 })), fault],
    ['token-error-form', to('guessed-code', answered(400, json, 'oops')), fault],
    [
      'token-error-form',
      to('guessed-code', answered(400, [['content-type', 'text/html']], { error: 'x' })),
      fault,
      'text/html',
    ],
    ['basic-challenge', facts(), untried],
    ['basic-challenge', to('wrong-secret', challenge(401, 'Basic'), { auth: 'client_secret_post' }), none],
    [
      'basic-challenge',
      to('wrong-secret', challenge(401, 'Bearer', 'basic realm="x"')),
      pass,
      'Bearer, basic realm="x"',
    ],
    ['basic-challenge', to('wrong-secret', challenge(400, 'Basic')), fault, '400'],
    ['basic-challenge', to('wrong-secret', challenge(401, 'Basically')), fault],
    ['basic-challenge', to('wrong-secret', challenge(401)), fault, 'none'],
    ['unauthorized-challenge', facts(), untried],
    ['unauthorized-challenge', to('no-token', challenge(403)), untried],
    ['unauthorized-challenge', to('no-token', challenge(401, 'Bearer')), pass, '1 answer'],
    ['unauthorized-challenge', to('guessed-code', challenge(401)), fault, 'guessed-code'],
    ['token-cors', facts(), none],
    ['token-cors', facts(browsers), untried],
    ['token-cors', facts({ ...browsers, tokenPreflight: challenge(200) }), fault, 'may not'],
    ['token-cors', facts({ ...browsers, tokenPreflight: allowing('*') }), pass, '*'],
    ['replay-revokes', facts(), untried],
    ['replay-revokes', to(AFTER_REPLAY, answered(401)), pass, '401'],
    ['replay-revokes', to(AFTER_REPLAY, answered(403)), pass, '403'],
    ['replay-revokes', to(AFTER_REPLAY, answered(200)), fault, '200'],
    ['userinfo-takes-token', facts(), none],
    ['userinfo-takes-token', facts({ taken: answered(403) }), none],
    ['userinfo-takes-token', facts({ taken: answered(200) }), pass, '200'],
    ['userinfo-takes-token', facts({ taken: answered(401) }), fault, '401'],
    ['bearer-challenge', facts(), untried],
    ['bearer-challenge', to('no-token', challenge(401, 'bearer realm="x"')), pass, 'bearer'],
    ['bearer-challenge', to('resource-no-token', challenge(401, 'Bearer')), pass],
    ['bearer-challenge', to('no-token', challenge(401, 'Bearer error="invalid_token"')), fault, 'error'],
    ['bearer-challenge', to('no-token', challenge(401, 'Bearer', 'Basic error="x"')), fault],
    ['bearer-challenge', to('no-token', challenge(401, 'Basic')), fault],
    ['bearer-challenge', to('no-token', challenge(401)), fault, 'none'],
    ['invalid-token-challenge', facts(), untried],
    ['invalid-token-challenge', to('altered-token', challenge(401, 'Bearer error="invalid_token"')), pass],
    ['invalid-token-challenge', to('altered-token', challenge(401, 'Bearer error=invalid_token')), pass],
    [
      'invalid-token-challenge',
      to('resource-altered-token', challenge(401, 'Bearer error="invalid_token"')),
      pass,
    ],
    ['invalid-token-challenge', to('altered-token', challenge(401, 'Bearer error="invalid_tokens"')), fault],
    ['invalid-token-challenge', to('altered-token', challenge(401, 'Bearer myerror="invalid_token"')), fault],
    ['invalid-token-challenge', to('altered-token', challenge(401)), fault, 'none'],
  ])('%s (%#)', (name, subject, result, detail = '') => {
    const found = judged(answerChecks, name, subject)
    expect(found.result).toBe(result)
    expect(found.detail).toContain(detail)
  })

  it('is first judged by the userinfo endpoint, then by the resource server', () => {
    const answers = { 'no-token': challenge(401, 'Bearer'), 'resource-no-token': challenge(401) }
    expect(judged(answerChecks, 'bearer-challenge', facts({ answers })).result).toBe('pass')
    const altered = {
      'altered-token': challenge(401),
      'resource-altered-token': challenge(401, 'Bearer error="invalid_token"'),
    }
    expect(judged(answerChecks, 'invalid-token-challenge', facts({ answers: altered })).result).toBe('fault')
  })
})

it('a finding has the group, the name, the title and the rule of its check', () => {
  const [finding] = findings(keyChecks, published())
  const [{ judge: _judge, ...stated } = {} as DoctorCheck<Publication>] = keyChecks
  expect(finding).toEqual({ ...stated, result: 'fault', detail: expect.any(String) })
})
