import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Header,
  type HttpResponse,
  header,
  headerValues,
  text,
} from '../../../../src/protocol/http/message.js'
import { DEVICE_GRANT } from '../../../../src/servers/authorization-server/grants/polled-grant.js'
import {
  makeUserCode,
  readUserCode,
} from '../../../../src/servers/authorization-server/stores/device-codes.js'
import { forAll } from '../../../support/for-all.js'
import {
  basic,
  claimsOf,
  client,
  countedRandom,
  expectError,
  field,
  ISSUER,
  json,
  lab,
  type Parameters,
  SECRET,
  settings,
} from '../support.js'

const TELEVISION = 'tv-secret'
const clients = [
  client('tv', { client_secret: TELEVISION, grant_types: [DEVICE_GRANT, 'refresh_token'] }),
  client('tv-public', { grant_types: [DEVICE_GRANT], client_name: 'TV <app>' }),
  ...settings.clients,
]

interface Started {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri_complete: string
}

/** A server, and a television that wants tokens from it. */
function television() {
  const server = lab({ clients })
  const credentials = [basic('tv', TELEVISION)]
  const begin = async (form: Parameters = {}) =>
    json(await server.post('/device_authorization', form, credentials)) as unknown as Started
  const poll = ({ device_code }: Started, headers: readonly Header[] = credentials) =>
    server.token({ grant_type: DEVICE_GRANT, device_code }, headers)
  const open = async ({ user_code }: Started) => {
    const page = await server.get(`/device?user_code=${user_code}`)
    const cookies: Header[] = headerValues(page, 'set-cookie').map(each => ['cookie', each.split(';')[0]!])
    return { page, cookies, csrf: field(page, 'csrf'), user_code }
  }
  const decide = async (started: Started, fields: Parameters = {}) => {
    const { cookies, csrf, user_code } = await open(started)
    const form = { user_code, csrf, username: 'alice', password: 'wonderland', ...fields }
    return server.post('/device', form, cookies)
  }
  return { ...server, begin, poll, open, decide }
}

const heading = (page: HttpResponse) => /<h1>(.*?)<\/h1>/.exec(text(page.body))?.[1]

it('a request without content has no parameters, and needs no content type (RFC 9110 §8.3)', async () => {
  const { send } = lab({ clients })
  const started = await send('POST', '/device_authorization', [basic('tv', TELEVISION)])
  expect(started.status).toBe(200)
  const refused = await send('POST', '/token', [basic('tv', TELEVISION)])
  expectError(refused, 400, 'invalid_request')
  expect(json(refused).error_description).toBe('grant_type is missing')
})

describe('/device_authorization', () => {
  it('returns the codes, the verification address and the lifetime', async () => {
    const { post } = lab({ clients })
    const answer = await post('/device_authorization', { scope: 'openid' }, [basic('tv', TELEVISION)])
    expect(answer.status).toBe(200)
    expect(header(answer, 'cache-control')).toBe('no-store')
    const { user_code: userCode, ...body } = json(answer)
    expect(userCode).toMatch(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/)
    expect(body).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      verification_uri: `${ISSUER}/device`,
      verification_uri_complete: `${ISSUER}/device?user_code=${userCode}`,
      expires_in: 600,
      interval: 5,
    })
  })

  it.each([
    ['no credentials', { client_id: 'tv' }, [], 400, 'invalid_client'],
    ['wrong credentials', {}, [basic('tv', 'wrong')], 401, 'invalid_client'],
    ['a client without the grant', {}, [basic('demo', SECRET)], 400, 'unauthorized_client'],
    ['an unknown scope', { scope: 'nonsense' }, [basic('tv', TELEVISION)], 400, 'invalid_scope'],
    ['a repeated scope', 'scope=openid&scope=email', [basic('tv', TELEVISION)], 400, 'invalid_request'],
  ] as const)('refuses %s', async (_, form, headers, status, error) => {
    const { post, events } = lab({ clients })
    expectError(await post('/device_authorization', form, headers), status, error)
    expect(events.at(-1)).toMatchObject({ type: 'device_authorization.refused', status, error })
  })

  it('lets a public client start with its client_id, and answers other methods 405', async () => {
    const { post, get } = lab({ clients })
    expect((await post('/device_authorization', { client_id: 'tv-public' })).status).toBe(200)
    expect((await get('/device_authorization')).status).toBe(405)
  })
})

describe('the device code grant', () => {
  it('waits for the person, then gives tokens once', async () => {
    const { begin, poll, decide, clock, types } = television()
    const started = await begin({ scope: 'openid records:read' })
    expectError(await poll(started), 400, 'authorization_pending')
    expect(heading(await decide(started))).toBe('Your device is connected')
    clock.now += 5000
    const answer = await poll(started)
    expect(answer.status).toBe(200)
    const tokens = json(answer)
    expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'openid records:read' })
    expect(claimsOf(tokens.access_token)).toMatchObject({ sub: 'alice', aud: 'tv' })
    expect(claimsOf(tokens.id_token)).toMatchObject({ sub: 'alice', aud: 'tv' })
    expect(tokens.refresh_token).toEqual(expect.any(String))
    expectError(await poll(started), 400, 'invalid_grant')
    expect(types()).toEqual(expect.arrayContaining(['device_code.issued', 'device_code.approved']))
  })

  it('gives tokens to one of many parallel attempts', async () => {
    const { begin, poll, decide } = television()
    const started = await begin()
    await decide(started)
    const answers = await Promise.all(Array.from({ length: 20 }, () => poll(started)))
    expect(answers.filter(each => each.status === 200)).toHaveLength(1)
  })

  it('slows down a device that polls too soon, by five seconds each time', async () => {
    const { begin, poll, clock } = television()
    const started = await begin()
    const errors: unknown[] = []
    for (const wait of [0, 5000, 4000, 10_000, 9000, 14_900, 14_000]) {
      clock.now += wait
      errors.push(json(await poll(started)).error)
    }
    expect(errors).toEqual([
      ...['authorization_pending', 'authorization_pending', 'slow_down', 'authorization_pending'],
      ...['slow_down', 'authorization_pending', 'slow_down'],
    ])
  })

  it('answers access_denied after a refusal, and expired_token when nobody decided in time', async () => {
    const { begin, poll, decide, clock } = television()
    const refused = await begin()
    expect(heading(await decide(refused, { cancel: 'yes' }))).toBe('Access refused')
    expectError(await poll(refused), 400, 'access_denied')
    const late = await begin()
    clock.now += 600_000
    expectError(await poll(late), 400, 'expired_token')
    expect(heading(await decide(late))).toBe('Connect a device')
  })

  it('refuses the code of another client, an unknown code, and a missing code', async () => {
    const { begin, poll, decide, token } = television()
    const started = await begin()
    await decide(started)
    const other = await token(
      { grant_type: DEVICE_GRANT, device_code: started.device_code, client_id: 'tv-public' },
      [],
    )
    expectError(other, 400, 'invalid_grant')
    expectError(await poll({ ...started, device_code: 'nonsense' }), 400, 'invalid_grant')
    expectError(await token({ grant_type: DEVICE_GRANT }, [basic('tv', TELEVISION)]), 400, 'invalid_request')
    expect((await poll(started)).status).toBe(200)
  })
})

describe('/device', () => {
  it('reads the code as people type it', async () => {
    const { begin, get } = television()
    const { user_code } = await begin()
    const typed = `%20${user_code.toLowerCase().replace('-', '+')}`
    expect((await get(`/device?user_code=${typed}`)).status).toBe(200)
  })

  it('shows the form again after a wrong password, and decides nothing', async () => {
    const { begin, decide, poll } = television()
    const started = await begin()
    const answer = await decide(started, { password: 'wrong' })
    expect(text(answer.body)).toContain('Username or password is wrong')
    expectError(await poll(started), 400, 'authorization_pending')
  })

  it.each([
    ['no csrf value', { csrf: undefined }],
    ['a csrf value of nobody', { csrf: 'x'.repeat(86) }],
  ])('refuses %s', async (_, fields) => {
    const { begin, decide, poll } = television()
    const started = await begin()
    expect((await decide(started, fields)).status).toBe(403)
    expect((await decide(started, { ...fields, cancel: 'yes' })).status).toBe(403)
    expectError(await poll(started), 400, 'authorization_pending')
  })

  it('refuses a csrf value of the page of another code', async () => {
    const { begin, open, decide, poll } = television()
    const [mine, theirs] = [await begin(), await begin()]
    const { csrf } = await open(mine)
    expect((await decide(theirs, { csrf })).status).toBe(403)
    expectError(await poll(theirs), 400, 'authorization_pending')
  })

  it('limits guesses by address, and does not count right codes', async () => {
    const { begin, handle, events, clock } = television()
    const { user_code } = await begin()
    const visit = (code: string, remoteAddress = '192.0.2.1') =>
      handle({
        method: 'GET',
        url: `${ISSUER}/device?user_code=${code}`,
        headers: [],
        body: new Uint8Array(),
        remoteAddress,
      })
    for (let i = 0; i < 15; i++) expect((await visit(user_code)).status).toBe(200)
    for (let i = 0; i < 10; i++) {
      expect(text((await visit('BBBB-BBBB')).body)).toContain('unknown, used or expired')
    }
    const limited = await visit(user_code)
    expect([limited.status, header(limited, 'retry-after')]).toEqual([429, '60'])
    expect(events.at(-1)).toMatchObject({ type: 'user_code.refused', reason: 'limited' })
    expect((await visit(user_code, '192.0.2.2')).status).toBe(200)
    clock.now += 60_000
    expect((await visit(user_code)).status).toBe(200)
  })

  it.each([
    ['GET', '/device?user_code=%FF', ''],
    ['POST', '/device', 'user_code=%'],
    ['POST', '/device', 'user_code=a&user_code=b'],
    ['POST', '/device', `user_code=${'a'.repeat(70_000)}`],
  ])('answers nonsense with a page: %s %s', async (method, target, body) => {
    const { send } = television()
    const answer = await send(method, target, [['content-type', 'application/x-www-form-urlencoded']], body)
    expect([400, 413]).toContain(answer.status)
    expect(header(answer, 'content-type')).toMatch(/^text\/html/)
  })
})

describe('a user code', () => {
  it('has eight consonants, all about equally often', () => {
    const random = countedRandom()
    const letters = Array.from({ length: 2000 }, () => makeUserCode(random).replace('-', '')).join('')
    const counts = [...'BCDFGHJKLMNPQRSTVWXZ'].map(letter => letters.split(letter).length - 1)
    expect(counts.reduce((a, b) => a + b)).toBe(letters.length)
    expect(Math.min(...counts)).toBeGreaterThan(600)
  })

  it('is read from any text with its letters, and from no other text', async () => {
    const random = countedRandom()
    const separator = fc.constantFrom('', ' ', '-', '–', '. ')
    await forAll(fc.array(separator, { minLength: 8, maxLength: 8 }), separators => {
      const code = makeUserCode(random)
      const typed = [...code.replace('-', '')].map((letter, i) => separators[i] + letter.toLowerCase())
      expect(readUserCode(typed.join(''))).toBe(code)
    })
  })
})
