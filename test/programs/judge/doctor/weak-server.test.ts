import { describe, expect, it } from 'vitest'
import type { Finding } from '../../../../src/judge/doctor/finding.js'
import {
  bytes,
  type HttpRequest,
  type HttpResponse,
  header,
  jsonResponse,
  redirectResponse,
  text,
} from '../../../../src/protocol/http/message.js'
import { ISSUER, REDIRECT_URI, type Tamper } from '../../../flows/support/world.js'
import { announcing, at, broken, lab, withMember } from '../../../judge/doctor/lab.js'

/** Answers with this where the strict server refuses with a status. */
const insteadOf =
  (
    status: number,
    answer: (request: HttpRequest, strict: HttpResponse) => HttpResponse | undefined,
  ): Tamper =>
  (request, strict) =>
    strict.status === status ? answer(request, strict) : undefined

const members = ({ body }: HttpResponse) => JSON.parse(text(body) || '{}') as Record<string, unknown>
const json = (more: object) => () => jsonResponse(200, more)
const tokens = { access_token: 'opaque', token_type: 'Bearer', expires_in: 300 }
const grants = (request: HttpRequest, grant: string) => text(request.body).includes(`grant_type=${grant}`)

/** Serves clients that do not authenticate, or wrongly. */
const forStrangers =
  (more: object): Tamper =>
  (_request, strict) =>
    strict.status >= 400 && members(strict).error === 'invalid_client' ? jsonResponse(200, more) : undefined

/** Gives tokens where the strict server answers with this error. */
const tokensFor = (error: string, grant: string): Tamper =>
  at(
    '/token',
    insteadOf(400, (request, strict) =>
      grants(request, grant) && members(strict).error === error ? jsonResponse(200, tokens) : undefined,
    ),
  )

const changed = (path: string, more: object): Tamper =>
  at(path, (_request, answer) =>
    answer.status < 300
      ? (withMember(all => ({ ...all, ...more }))(_request, answer) as HttpResponse)
      : undefined,
  )

/** A page that repeats a parameter as it was sent. */
const repeats =
  (write: (value: string) => string): Tamper =>
  ({ url }, answer) => {
    if (!url.startsWith(`${ISSUER}/authorization?`)) return undefined
    const marked = [...new URL(url).searchParams.values()].find(value => value.includes('oauth-lab-mark'))
    if (marked === undefined) return undefined
    return { ...answer, body: bytes(`${text(answer.body)}${write(marked)}`) }
  }

const code = `${REDIRECT_URI}?code=oauth-lab-made-this-one-up&state=oauth-lab&iss=${ISSUER}`

/** Answers with a code where the strict server answers a request with this text by this error. */
const codeDespite = (asked: string, error: string): Tamper =>
  at(
    '/authorization',
    insteadOf(302, ({ url }, strict) => {
      const location = header(strict, 'location') ?? ''
      return url.includes(asked) && location.includes(`error=${error}`) ? redirectResponse(code) : undefined
    }),
  )

/** Answers introspection of a client that authenticated with this. */
const introspected = (active: boolean): Tamper => at('/introspection', insteadOf(200, json({ active })))

/** Pushes every request but those of clients that do not authenticate. */
const unchecked: Tamper = insteadOf(400, (_request, strict) =>
  members(strict).error === 'invalid_client'
    ? undefined
    : jsonResponse(200, { request_uri: 'urn:x:1', expires_in: 60 }),
)

const forAnotherUser: Tamper = insteadOf(302, ({ url }, strict) => {
  const back = new URL(header(strict, 'location') ?? '')
  if (url.includes('prompt=none')) return undefined
  if (!url.includes('id_token_hint=') || back.searchParams.get('error') !== 'login_required') return undefined
  back.searchParams.delete('error')
  back.searchParams.set('code', 'oauth-lab-made-this-one-up')
  return { ...strict, headers: [['location', back.href]] }
})

const anyObject: Tamper = ({ url }, answer) => {
  const refused = answer.status === 400 || header(answer, 'location')?.includes('invalid_request_object')
  return refused && /[?&]request=/.test(url) ? redirectResponse(code) : undefined
}

const lured: Tamper = ({ url }) => {
  const lure = new URL(url).searchParams.get('redirect_uri')
  return url.includes('&request=') && lure !== null ? redirectResponse(`${lure}?code=x`) : undefined
}

/** Weaknesses with the names of what is found, and nothing else. */
const exactly: Readonly<Record<string, readonly [tamper: Tamper, found: string]>> = {
  'raw parameters in a text': [repeats(value => `<p>${value}</p>`), 'reflected-parameters form-post-escapes'],
  'raw parameters in an attribute': [
    repeats(value => `<input value="${value.replaceAll('<', '&lt;')}">`),
    'reflected-parameters form-post-escapes',
  ],
  'escaped parameters': [repeats(value => `<p>${value.replaceAll('<', '&lt;')}</p>`), ''],
  'introspection for everybody': [
    at('/introspection', insteadOf(401, json({ active: true }))),
    'introspection-no-credentials introspection-wrong-secret introspection-public-client',
  ],
  'introspection that believes every token': [
    introspected(true),
    'introspection-unknown-token introspection-altered-token',
  ],
  'introspection that believes none': [introspected(false), 'introspection-active'],
  'revocation for everybody': [
    at('/revocation', forStrangers({})),
    'revocation-no-credentials revocation-wrong-secret',
  ],
  'an error for unknown tokens': [
    at('/revocation', ({ body }, { status }) =>
      status === 200 && text(body).includes('nobody-issued')
        ? jsonResponse(400, { error: 'invalid_token' })
        : undefined,
    ),
    'revocation-unknown-token',
  ],
  'pushed requests of everybody': [
    at('/par', forStrangers({ request_uri: 'urn:x:1', expires_in: 60 })),
    'par-no-credentials par-wrong-secret',
  ],
  'a code for another user than id_token_hint names': [
    at('/authorization', forAnotherUser),
    'other-user-hint',
  ],
  'a session of any age': [codeDespite('max_age=0', 'login_required'), 'max-age-honoured'],
  'an essential acr that is only a wish': [
    codeDespite('no-such-acr', 'unmet_authentication_requirements'),
    'essential-acr',
  ],
  'refresh tokens of public clients that are bound to no key': [
    at(
      '/token',
      insteadOf(400, (request, strict) =>
        grants(request, 'refresh_token') && text(strict.body).includes('proof is by another key')
          ? jsonResponse(200, tokens)
          : undefined,
      ),
    ),
    'refresh-with-other-key',
  ],
  'pushed requests for a day': [changed('/par', { expires_in: 86_400 }), 'par-lifetime'],
  'pushed requests that are not checked': [
    at('/par', unchecked),
    'par-request-uri par-unregistered-redirect-uri',
  ],
  'request_uris that nobody checks': [
    at('/authorization', ({ url }, { status }) =>
      status === 400 && url.includes('request_uri=') ? redirectResponse(code) : undefined,
    ),
    'par-reuse guessed-request-uri other-client-request-uri expired-request-uri unregistered-request-uri ' +
      'request-and-request-uri',
  ],
  'request objects that nobody checks': [
    at('/authorization', anyObject),
    'altered-request-object foreign-request-object expired-request-object misdirected-request-object ' +
      'other-issuer-request-object other-client-request-object nested-request-object request-and-request-uri',
  ],
  'addresses beside a request object that count': [
    at('/authorization', lured),
    'contradicted-request-object',
  ],
  'unsigned request objects where signed ones are required': [
    announcing({ require_signed_request_object: true }),
    'unsigned-request-object',
  ],
  'devices of everybody': [
    at('/device_authorization', forStrangers({ device_code: 'x' })),
    'device-no-credentials device-wrong-secret',
  ],
  'user codes for a day': [changed('/device_authorization', { expires_in: 86_400 }), 'device-lifetime'],
  'verification in the clear': [
    changed('/device_authorization', { verification_uri: 'http://lab.test/device' }),
    'device-answer',
  ],
  'no binding of tokens to keys': [changed('/token', { token_type: 'Bearer' }), 'dpop-bound'],
  'any proof': [
    at(
      '/token',
      insteadOf(400, (_request, strict) =>
        members(strict).error === 'invalid_dpop_proof' ? jsonResponse(200, tokens) : undefined,
      ),
    ),
    'misdirected-proof other-method-proof stale-proof replayed-token-proof',
  ],
}

/** Weaknesses that bring other findings too. */
const among: typeof exactly = {
  'access tokens for ten days': [changed('/token', { expires_in: 864_000 }), 'access-token-lifetime'],
  'short user codes': [changed('/device_authorization', { user_code: '1234' }), 'device-user-code'],
  'short request_uris': [
    changed('/par', { request_uri: 'urn:ietf:params:oauth:request_uri:1' }),
    'par-unguessable',
  ],
  'tokens for devices at once': [
    tokensFor('authorization_pending', 'urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code'),
    'device-waits',
  ],
  'refresh tokens for ever': [
    tokensFor('invalid_grant', 'refresh_token'),
    'reuse-refresh-token guessed-refresh-token other-client-refresh-token expired-refresh-token ' +
      'revocation-refresh-token',
  ],
  'wider scopes for refresh tokens': [tokensFor('invalid_scope', 'refresh_token'), 'widened-scope'],
  'revoked and bound tokens at userinfo': [
    at('/userinfo', insteadOf(401, json({ sub: 'alice' }))),
    'bound-token-as-bearer replayed-proof proof-of-another-key revocation-works',
  ],
  'proofs by shared secrets': [
    announcing({ dpop_signing_alg_values_supported: ['ES256', 'HS256'] }),
    'dpop-algorithms',
  ],
}

const namesIn = (found: string) => found.split(' ').filter(name => name !== '')

describe('a weak server', () => {
  it.each(Object.entries(exactly))('%s: exactly that is found', async (_weakness, [tamper, found]) => {
    expect(broken(await lab(tamper))).toEqual(namesIn(found))
  })

  it.each(Object.entries(among))(
    '%s: that is found among other faults',
    async (_weakness, [tamper, found]) => {
      expect(broken(await lab(tamper))).toEqual(expect.arrayContaining(namesIn(found)))
    },
  )

  it('that takes used refresh tokens is a remark for a client that authenticates, and a fault for a public one', async () => {
    const used = tokensFor('invalid_grant', 'refresh_token')
    expect(result(await lab(used), 'reuse-refresh-token')).toMatchObject({
      result: 'remark',
      detail: expect.stringContaining('a thief is stopped all the same'),
    })
    const open = await lab(used, undefined, { client: { clientId: 'spa', auth: 'none' } })
    expect(result(open, 'reuse-refresh-token')?.result).toBe('fault')
  })

  it('lets a foreign client revoke tokens', async () => {
    // The strict server refuses the foreign client; afterwards userinfo refuses the token, as if it had not.
    let revoked = false
    const found = await lab(({ url, body, headers }, answer) => {
      const foreign =
        header({ headers }, 'authorization') === undefined && text(body).includes('client_id=spa')
      if (url === `${ISSUER}/revocation` && foreign && answer.status === 400) {
        revoked = true
        return jsonResponse(200, {})
      }
      if (url !== `${ISSUER}/userinfo` || !revoked) return undefined
      revoked = false
      return jsonResponse(401, { error: 'invalid_token' })
    })
    expect(broken(found)).toEqual(['revocation-other-client'])
  })
})

const result = (found: readonly Finding[], name: string) => found.find(each => each.name === name)

describe('without a login', () => {
  it('the moves of the token endpoint that need no code are made', async () => {
    const found = await lab(undefined, undefined, {
      credentials: undefined as never,
      redirectUri: 'https://x/cb',
    })
    expect(result(found, 'honest-flow')?.result).toBe('fault')
    const made = [
      'guessed-code',
      'both-credentials',
      'no-credentials',
      'wrong-secret',
      'credentials-in-query',
    ]
    for (const name of [...made, 'get-token-request', 'unknown-grant-type', 'basic-challenge']) {
      expect([name, result(found, name)?.result]).toEqual([name, 'pass'])
    }
    for (const name of ['reuse-code', 'wrong-verifier']) expect(result(found, name)?.result).toBe('not_tried')
    expect(result(found, 'introspection-no-credentials')?.result).toBe('pass')
  })

  it('nothing is known where a made-up code is answered alike', async () => {
    const alike = at('/token', () => jsonResponse(400, { error: 'invalid_grant' }))
    const found = await lab(alike, undefined, { redirectUri: 'https://x/cb' })
    expect(result(found, 'guessed-code')?.result).toBe('pass')
    expect(result(found, 'wrong-secret')).toMatchObject({
      result: 'not_tried',
      detail: 'unknown without a login: a made-up code alone is answered with 400 invalid_grant',
    })
  })
})
