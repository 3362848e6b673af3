import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cut } from '../../../src/protocol/events.js'
import type { Exchange } from '../../../src/protocol/http/exchange.js'
import {
  isCut,
  type Masking,
  maskExchange,
  maskHeaders,
  maskText,
  maskUrl,
  maskValue,
} from '../../../src/protocol/safe-output/mask.js'
import { forAll } from '../../support/for-all.js'

const secrets = {
  password: 'wonderland-is-long',
  clientSecret: 'demo-secret-0123456789abcdef0123456789',
  code: 'k3V9zzzzzzzzzzzzzzzzzzQm1',
  verifier: 'dBjftJeZ4CVPmB92K27uhbUJU1p1rWwW1gFWFOEjXk',
  token: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJl',
  cookie: 'c00k1evalue-c00k1evalue',
  csrf: 'csrfvalue-csrfvalue',
}

const basic = Buffer.from(`demo:${secrets.clientSecret}`).toString('base64')

const exchanges: Exchange[] = [
  exchange('https://lab/token', {
    headers: [
      ['content-type', 'application/x-www-form-urlencoded'],
      ['Authorization', `Basic ${basic}`],
      ['cookie', `a=${secrets.cookie}; b=${secrets.cookie}`],
    ],
    body: `grant_type=authorization_code&code=${secrets.code}&code_verifier=${secrets.verifier}&client_secret=${secrets.clientSecret}`,
    answer: `{ "access_token": "${secrets.token}",\n "token_type" : "Bearer", "id_token":"${secrets.token}", "refresh_token":"${secrets.token}" }`,
    answerHeaders: [['content-type', 'application/json;charset=UTF-8']],
  }),
  exchange(`https://lab/authorization?state=s&csrf=${secrets.csrf}`, {
    headers: [
      ['content-type', 'application/x-www-form-urlencoded'],
      ['referer', `https://lab/authorization?code=${secrets.code}`],
    ],
    body: `username=alice&password=${secrets.password}&csrf=${secrets.csrf}`,
    answer: `<form><input type="hidden" value="${secrets.csrf}" name=csrf><input name="password"></form>`,
    answerHeaders: [
      ['content-type', 'text/html; charset=utf-8'],
      ['set-cookie', `__Host-login=${secrets.cookie}; Path=/; Secure`],
      ['location', `http://127.0.0.1:7000/callback?code=${secrets.code}&state=af0`],
    ],
  }),
]

function exchange(
  url: string,
  parts: { headers: [string, string][]; body: string; answer: string; answerHeaders: [string, string][] },
): Exchange {
  return {
    request: { method: 'POST', url, headers: parts.headers, body: parts.body },
    response: { status: 200, headers: parts.answerHeaders, body: parts.answer },
    wireBytes: { request: parts.body.length, response: parts.answer.length },
    bodyBytes: parts.answer.length,
    ms: 1,
    at: '2026-11-21T14:03:11.000Z',
  }
}

const shown = (masking: Masking) => exchanges.map(each => JSON.stringify(maskExchange(each, masking))).join()

describe('maskExchange', () => {
  it('hides every secret in text output, wherever it stands', () => {
    for (const secret of [...Object.values(secrets), basic]) expect(shown('all')).not.toContain(secret)
  })

  it('hides only what outlives the flow in JSON', () => {
    for (const secret of [secrets.password, secrets.clientSecret, secrets.cookie, secrets.csrf, basic]) {
      expect(shown('lasting')).not.toContain(secret)
    }
    for (const result of [secrets.code, secrets.token, secrets.verifier])
      expect(shown('lasting')).toContain(result)
  })

  it('changes nothing when secrets are to be shown', () => {
    expect(exchanges.map(each => maskExchange(each, 'none'))).toEqual(exchanges)
  })

  it('keeps what is no secret readable', () => {
    const [token, login] = exchanges.map(each => maskExchange(each, 'all'))
    expect(token?.request.headers[1]).toEqual(['Authorization', 'Basic ZGVtbzo•••••••••'])
    expect(token?.request.body).toMatch(/^grant_type=authorization_code&code=k3V9…Qm1&/)
    expect(token?.response?.body).toContain('"token_type" : "Bearer"')
    expect(login?.request.body).toBe('username=alice&password=•••••••••&csrf=•••••••••')
    expect(login?.response?.headers[1]).toEqual(['set-cookie', '__Host-login=•••••••••; Path=/; Secure'])
    expect(login?.response?.headers[2]?.[1]).toBe('http://127.0.0.1:7000/callback?code=k3V9…Qm1&state=af0')
  })
})

it.each(['all', 'lasting'] as const)('a form hides a one-time code (%s)', masking => {
  const sent = exchange('https://lab/authorization', {
    headers: [['content-type', 'application/x-www-form-urlencoded']],
    body: 'otp=123456&second_factor=pending-login&state=s',
    answer: '',
    answerHeaders: [],
  })
  expect(maskExchange(sent, masking).request.body).toBe('otp=•••••••••&second_factor=•••••••••&state=s')
})

it.each(['Authorization', 'Proxy-Authorization', 'proxy-authorization'])(
  'maskHeaders hides credentials in %s',
  name => {
    for (const masking of ['all', 'lasting'] as const) {
      expect(maskHeaders([[name, `Basic ${basic}`]], masking)).toEqual([[name, 'Basic ZGVtbzo•••••••••']])
      expect(maskHeaders([[name, 'Negotiate oRQwEqADCgEBoQsGCSqGSIb3EgECAg==']], masking)).toEqual([
        [name, 'Negotiate •••••••••'],
      ])
    }
    expect(maskHeaders([[name, `Bearer ${secrets.token}`]], 'all')).toEqual([[name, 'Bearer eyJh…XJl']])
    expect(maskHeaders([[name, 'one-word']], 'all')).toEqual([[name, '•••••••••']])
  },
)

describe('maskUrl', () => {
  it('hides a token in the fragment', () => {
    const url = `http://127.0.0.1/cb?x=1#access_token=${secrets.token}&token_type=bearer`
    expect(maskUrl(url, 'all')).toBe('http://127.0.0.1/cb?x=1#access_token=eyJh…XJl&token_type=bearer')
  })

  it('leaves URLs without secrets as they are', () =>
    forAll(fc.webUrl({ withQueryParameters: true, withFragments: true }), url => {
      fc.pre(!/[?&#](code|.*token|assertion|.*passw|.*csrf|.*pwd)/i.test(url))
      expect(maskUrl(url, 'all')).toBe(url)
    }))
})

it.each([
  'user[password]=',
  'password%5B%5D=',
  'user%255Bpassword%255D=',
  'j_password=',
  'newPasswd=',
  'loginPwd=',
  'smsOtp=',
  'pin=',
  'security.answer=',
  'api_key=',
  'X-Api-Key=',
  'apikey=',
  'csrfmiddlewaretoken=',
  '__RequestVerificationToken=',
  'PHPSESSID=',
  'session_id=',
  'clientSecret=',
  'code=',
  'token=',
  'codeVerifier=',
  'request_uri=urn:ietf:params:oauth:request_uri:',
])('the value of %s is hidden in a query, in JSON and in a page', start => {
  const [name = '', before = ''] = start.split('=')
  const value = `${before}zq-secret-value-4711`
  const plain = decodeURIComponent(decodeURIComponent(name))
  const parts = {
    headers: [],
    body: '',
    answer: JSON.stringify({ [plain]: value }),
    answerHeaders: [['content-type', 'application/json'] as [string, string]],
  }
  const page: typeof parts = {
    ...parts,
    answer: `<input name="${plain}" value="${value}">`,
    answerHeaders: [['content-type', 'text/html']],
  }
  const all = JSON.stringify([
    maskUrl(`https://lab/x?a=1&${name}=${value}#${name}=${value}`, 'all'),
    ...[parts, page].map(each => maskExchange(exchange('https://lab/x', each), 'all')),
  ])
  expect(all).not.toContain('secret-value')
})

describe('maskValue', () => {
  it('leaves what is known as cut, here, in events and in ASCII, and is the same twice', async () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.base64String(),
      fc.webUrl(),
      fc.constant('a.bcdefghijklmxyz'),
    )
    await forAll(texts, value => {
      for (const mask of [maskValue(value), cut(value)]) {
        const ascii = value.includes('…') ? mask : mask.replaceAll('•', '*').replaceAll('…', '...')
        expect([mask, ascii].map(isCut)).toEqual([true, true])
      }
      expect(maskValue(maskValue(value))).toBe(maskValue(value))
    })
    const whole = [
      '',
      'dBjftJeZ4CVPmB92K27uhbUJU1p1rWwW1gFWFOEjXk',
      'abc…xyz',
      'abcde…xyz',
      '....',
      'a.b.c.d.e.',
    ]
    expect(whole.filter(isCut)).toEqual([])
  })

  it('never shows more than seven characters of a value', () =>
    forAll(fc.string({ minLength: 8, unit: 'grapheme-ascii' }), value => {
      expect(maskValue(value).length).toBeLessThanOrEqual(9)
      expect(maskValue(value)).not.toBe(value)
    }))
})

it('hides the JWT of an authorization response, which holds the code (JARM)', () => {
  const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJjb2RlIjoiYSBjb2RlIn0.c2lnbmF0dXJl'
  const url = `https://client.example/cb?response=${jwt}`
  expect(maskUrl(url, 'all')).not.toContain('eyJjb2RlIjoiYSBjb2RlIn0')
  expect(maskUrl(url, 'lasting')).toBe(url)
  expect(maskUrl('https://client.example/cb?response=200', 'all')).toContain('response=200')
})

it.each([
  'invalid_grant: access_token: abcdefghijkl refused',
  'token: hunter2xyz9 is refused',
  'CredentialException: s3cr3tvalue99',
  'password: horsebattery is wrong',
  'client_secret: horsebattery: wrong',
  'cookie: "Zm9vYmFy1234"',
])('hides what stands behind the name of a secret: %s', text => expect(maskText(text)).toMatch(/[•…]/))

it.each([
  'failed to get token: oauth2: "invalid_grant"',
  'could not decode the Jwt: Signed JWT rejected',
  'CredentialUnavailableException: DefaultAzureCredential failed',
  'invalid_credentials: OAuth2::Error',
])('leaves the words of an error: %s', text => expect(maskText(text)).toBe(text))
