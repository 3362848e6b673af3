import { describe, expect, it } from 'vitest'
import { type Header, type HttpResponse, header } from '../../../src/protocol/http/message.js'
import { fixedKeyring, loadSharedSecret } from '../../../src/protocol/tokens/keys.js'
import { readUserCode } from '../../../src/servers/authorization-server/stores/device-codes.js'
import {
  basic,
  CHALLENGE,
  client,
  codeRequest,
  expectError,
  json,
  lab,
  landed,
  type Parameters,
  query,
  SECRET,
  settings,
} from './support.js'

// Each limit accepts its own number and refuses the next one.

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const clients = [
  ...settings.clients,
  client('back', { client_secret: 'x', grant_types: [EXCHANGE, 'client_credentials'] }),
]
const DEMO = [basic('demo', SECRET)]
const BACK = [basic('back', 'x')]
const world = () => lab({ clients })

/** Pads a query with a state until it has this many characters. */
const padded = (parameters: Parameters, length: number) => {
  const start = `${query(parameters)}&state=`
  return start + 'x'.repeat(length - start.length)
}

describe('an authorization request of 12 KiB', () => {
  const LIMIT = 12 * 1024

  const own = { client_id: 'demo' }

  it.each<[string, (on: ReturnType<typeof lab>, length: number) => Promise<HttpResponse>, number]>([
    ['by GET', (on, length) => on.get(`/authorization?${padded(codeRequest(), length)}`), 200],
    ['by POST', (on, length) => on.post('/authorization', padded(codeRequest(), length)), 200],
    ['by /par', (on, length) => on.post('/par', padded(codeRequest(), length), DEMO), 201],
    ['at /end-session', (on, length) => on.get(`/end-session?${padded(own, length)}`), 200],
  ])('%s', async (_name, send, status) => {
    expect((await send(world(), LIMIT)).status).toBe(status)
    expect((await send(world(), LIMIT + 1)).status).toBe(400)
  })
})

describe('a form of 64 KiB', () => {
  it.each([
    [65_536, 400],
    [65_537, 413],
  ])('at /token: %i bytes are answered %i', async (length, status) => {
    const error = status === 413 ? 'invalid_request' : 'unsupported_grant_type'
    expectError(await world().token('grant_type=x'.padEnd(length, 'x')), status, error)
  })

  it.each([
    [65_536, 401],
    [65_537, 413],
  ])('at /userinfo: %i bytes are answered %i', async (length, status) => {
    expect((await world().post('/userinfo', 'x'.repeat(length))).status).toBe(status)
  })
})

it.each([
  ['a nonce of 512 characters', { nonce: 'n'.repeat(512) }, undefined],
  ['a nonce of 513 characters', { nonce: 'n'.repeat(513) }, 'invalid_request'],
  ['a dpop_jkt of 43 characters', { dpop_jkt: CHALLENGE }, undefined],
  ['a dpop_jkt of 42 characters', { dpop_jkt: CHALLENGE.slice(1) }, 'invalid_request'],
  ['a dpop_jkt of 44 characters', { dpop_jkt: `${CHALLENGE}A` }, 'invalid_request'],
  ['a dpop_jkt that is padded', { dpop_jkt: `${CHALLENGE.slice(1)}=` }, 'invalid_request'],
  ['prompt none with spaces around it', { prompt: ' none ' }, 'login_required'],
  ['prompt none beside another', { prompt: 'login none' }, 'invalid_request'],
  ['prompt none twice', { prompt: 'none none' }, 'invalid_request'],
  ['a prompt in capitals', { prompt: 'login Login' }, 'invalid_request'],
  ['an empty prompt', { prompt: '' }, undefined],
  ['a max_age of ten digits', { max_age: '9999999999' }, undefined],
  ['a max_age of eleven digits', { max_age: '10000000000' }, 'invalid_request'],
  ['a max_age below zero', { max_age: '-1' }, 'invalid_request'],
  ['a max_age with a fraction', { max_age: '1.5' }, 'invalid_request'],
  ['a max_age with a space', { max_age: '1 ' }, 'invalid_request'],
])('a parameter of an authorization request: %s', async (_name, parameters, error) => {
  const response = await world().authorize(codeRequest(parameters))
  const got = response.status === 302 ? landed(response).error : undefined
  expect([response.status, got]).toEqual([error === undefined ? 200 : 302, error])
})

describe('audiences of a token exchange', () => {
  async function exchange(audiences: readonly string[]) {
    const { token } = world()
    const { access_token: subject } = json(await token({ grant_type: 'client_credentials' }, BACK))
    const form = query({
      grant_type: EXCHANGE,
      subject_token: String(subject),
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    })
    return token(`${form}${audiences.map(each => `&audience=${each}`).join('')}`, BACK)
  }

  it.each([
    ['20 audiences', Array.from({ length: 20 }, (_, i) => `a${i}`), true],
    ['21 audiences', Array.from({ length: 21 }, (_, i) => `a${i}`), false],
    ['one of 2048 characters', ['a', 'x'.repeat(2048)], true],
    ['one of 2049 characters', ['a', 'x'.repeat(2049)], false],
  ])('%s', async (_name, audiences, accepted) => {
    const response = await exchange(audiences)
    if (accepted) expect(response.status).toBe(200)
    else expectError(response, 400, 'invalid_target')
  })
})

it.each([
  [`${' '.repeat(56)}bcdfghjk`, 'BCDF-GHJK'],
  [`${' '.repeat(57)}bcdfghjk`, undefined],
  ['BCDFGHJ', undefined],
  ['BCDFGHJKL', undefined],
  ['BCDFGHJA', undefined],
  ['ABCDFGHJ', undefined],
  ['BCDF+GHJK', undefined],
  ['', undefined],
])('a typed user code %j is read as %j', (typed, code) => {
  expect(readUserCode(typed)).toBe(code)
})

it.each([
  [31, undefined],
  [32, expect.any(String)],
])(
  'the secret of a client at the stage shared-secret of %i bytes signs an id_token: %j',
  async (length, idToken) => {
    const secret = `${'ü'.repeat(15)}${'x'.repeat(length - 30)}`
    const { newCode, redeem } = lab(
      { stage: 'shared-secret', clients: [client('demo', { client_secret: secret })] },
      fixedKeyring(loadSharedSecret('a secret of at least thirty-two bytes')),
    )
    const own: Header[] = [basic('demo', encodeURIComponent(secret))]
    const tokens = json(await redeem(await newCode({ scope: 'openid records:read' }), {}, own))
    expect(tokens.id_token).toEqual(idToken)
  },
)

describe('scripts of other origins', () => {
  const origin: Header = ['origin', 'https://app.example']
  const method: Header = ['access-control-request-method', 'POST']

  it('may ask first, and remember the answer for ten minutes', async () => {
    const response = await world().send('OPTIONS', '/token', [origin, method])
    expect(response.body).toHaveLength(0)
    expect(Object.fromEntries(response.headers)).toEqual({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'Authorization, Content-Type, DPoP, *',
      'access-control-max-age': '600',
      'x-content-type-options': 'nosniff',
    })
  })

  it('get no answer to such a question without an Origin or the method to ask for, or with another method', async () => {
    const { send } = world()
    expect((await send('OPTIONS', '/token', [origin])).status).toBe(405)
    expect((await send('OPTIONS', '/token', [method])).status).toBe(405)
    expect((await send('GET', '/token', [origin, method])).status).toBe(405)
    expect((await send('OPTIONS', '/authorization', [origin, method])).status).toBe(405)
  })

  it('may read the headers of a challenge', async () => {
    const response = await world().get('/userinfo', [origin])
    expect(header(response, 'access-control-expose-headers')).toBe(
      'WWW-Authenticate, DPoP-Nonce, Retry-After',
    )
  })

  it.each(['/authorization', '/device', '/end-session', '/introspection', '/device_authorization', '/'])(
    'may not read %s',
    async path => {
      const { send } = world()
      for (const each of ['GET', 'POST', 'OPTIONS']) {
        const response = await send(each, path, [origin, method])
        expect(header(response, 'access-control-allow-origin')).toBeUndefined()
      }
    },
  )
})
