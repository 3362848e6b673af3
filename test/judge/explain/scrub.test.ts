import { describe, expect, it } from 'vitest'
import type { Captured } from '../../../src/client/capture/captured.js'
import type { MessageKind } from '../../../src/judge/explain/recorded.js'
import { REMOVED, scrub } from '../../../src/judge/explain/scrub.js'

const post = (text: string, more: Partial<Captured> = {}): Captured => ({
  side: 'client',
  at: 0,
  ms: 1,
  method: 'POST',
  url: 'https://id.example/login',
  headers: [],
  body: { size: text.length, text },
  ...more,
})

describe('the body of a request keeps no value that a person typed', () => {
  const rows: ReadonlyArray<readonly [MessageKind, string, string | undefined]> = [
    ['login', 'username=alice&password=wonderland', `username=${REMOVED}&password=${REMOVED}`],
    ['login', 'code=123456&state=s', `code=${REMOVED}&state=${REMOVED}`],
    ['login', '{"user":"alice","secret":"wonderland"}', undefined],
    ['login', '--boundary\r\ncontent-disposition: form-data; name="password"\r\n\r\nwonderland', undefined],
    ['authorization_request', 'client_id=a&pass=x&x_otp=1', `client_id=a&pass=${REMOVED}&x_otp=${REMOVED}`],
    ['authorization_response', 'code=c&state=s&typed=x', `code=c&state=s&typed=${REMOVED}`],
    ['saml_response', 'SAMLResponse=PHg+&RelayState=r', 'SAMLResponse=PHg+&RelayState=r'],
    [
      'token_request',
      'grant_type=password&username=alice&password=w%20x&client_secret=s',
      `grant_type=password&username=alice&password=${REMOVED}&client_secret=s`,
    ],
    [
      'token_request',
      '{"grant_type":"password","password":"w","deep":{"passcode":"1"}}',
      `{"grant_type":"password","password":"${REMOVED}","deep":{"passcode":"${REMOVED}"}}`,
    ],
    [
      'token_request',
      'user[password]=a&password[]=b&c=d',
      `user[password]=${REMOVED}&password[]=${REMOVED}&c=d`,
    ],
    [
      'token_request',
      'user%255Bpin%255D=1&answer=x&shipping=y',
      `user%255Bpin%255D=${REMOVED}&answer=${REMOVED}&shipping=y`,
    ],
    [
      'token_request',
      '{"users":[{"newPassword":["a"],"otp":1,"otpRequired":true}]}',
      `{"users":[{"newPassword":"${REMOVED}","otp":"${REMOVED}","otpRequired":true}]}`,
    ],
    ['token_request', '{"password":"wonderland"', REMOVED],
    ['token_request', '["wonderland"]', REMOVED],
    ['token_request', 'p%61ssword=wonderland', `p%61ssword=${REMOVED}`],
    [
      'token_request',
      'grant_type=authorization_code&code=c&code_verifier=v',
      'grant_type=authorization_code&code=c&code_verifier=v',
    ],
    ['resource_request', '{"card":"1"}', undefined],
  ]
  it.each(rows)('%s %s', (kind, text, kept) => {
    expect(scrub(post(text), kind).body.text).toBe(kept)
  })
})

it('an address, a Location and a Referer lose passwords, and nothing else', () => {
  const url = 'https://id.example/login?password=wonderland&client_id=a#otp=123456&state=s'
  const clean = `https://id.example/login?password=${REMOVED}&client_id=a#otp=${REMOVED}&state=s`
  const headers = [['Referer', url] as const]
  const answer = { status: 302, headers: [['location', url] as const], body: { size: 0 } }
  const scrubbed = scrub(post('', { url, headers, answer }), 'login')
  expect([scrubbed.url, scrubbed.headers[0]?.[1], scrubbed.answer?.headers[0]?.[1]]).toEqual([
    clean,
    clean,
    clean,
  ])
})

describe('Authorization: Basic', () => {
  const basic = ['authorization', 'Basic ZGVtbzpzZWNyZXQ='] as const
  const kept = (more: Partial<Captured>) => scrub(post('', more), 'token_request').headers[0]?.[1]
  it('is the client of a program, also where its fetch sends Sec-Fetch-Mode', () => {
    expect(kept({ headers: [basic, ['sec-fetch-mode', 'cors']] })).toBe(basic[1])
  })
  it.each([
    { side: 'browser', headers: [basic] },
    { side: 'server', headers: [basic, ['sec-fetch-site', 'none']] },
  ] as const)('is a person in a browser: $side', more => {
    expect(kept(more)).toBe(`Basic ${REMOVED}`)
  })
})

it('the answers of an API are not kept', () => {
  const answer = { status: 200, headers: [], body: { size: 9, text: 'personal!' } }
  expect(scrub(post('', { answer }), 'resource_request').answer?.body).toEqual({ size: 9 })
})
