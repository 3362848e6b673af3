import { describe, expect, it } from 'vitest'
import type { Step } from '../../../src/flows/step.js'
import { findings } from '../../../src/judge/doctor/facts.js'
import { flowChecks } from '../../../src/judge/doctor/flow-checks.js'
import { withoutGuesses } from '../../../src/judge/tamper/messages.js'
import { bytes, jsonResponse, redirectResponse } from '../../../src/protocol/http/message.js'
import { demo, ISSUER, REDIRECT_URI, type Tamper, world } from '../../flows/support/world.js'
import { tamperPorts } from '../tamper/support.js'
import { exchanged, report } from './support.js'

async function about(tamper: Tamper) {
  const here = await world({ tamper })
  return report(
    tamperPorts(here),
    {
      issuer: ISSUER,
      client: { clientId: demo.client_id, clientSecret: 'demo-secret', auth: 'client_secret_basic' },
      redirectUri: REDIRECT_URI,
      credentials: { username: 'alice', password: 'wonderland' },
    },
    new AbortController().signal,
  )
}

describe('a refusal in other words', () => {
  it.each<[what: string, tamper: Tamper, name: string]>([
    [
      'invalid_token as 500',
      ({ url }, { status }) =>
        url.endsWith('/userinfo') && status === 401
          ? jsonResponse(500, { error: 'invalid_token' })
          : undefined,
      'altered-token',
    ],
    [
      'unauthorized_client as 401',
      ({ url }, { status, body }) =>
        url.endsWith('/token') && status === 401 && Buffer.from(body).includes('invalid_client')
          ? jsonResponse(401, { error: 'unauthorized_client' })
          : undefined,
      'wrong-secret',
    ],
  ])('is a remark: %s', async (_what, tamper, name) => {
    const found = await about(tamper)
    expect(found.filter(({ result }) => result === 'fault')).toEqual([])
    expect(found.find(each => each.name === name)).toMatchObject({
      result: 'remark',
      detail: expect.stringMatching(/^refused otherwise: /),
    })
  })
})

describe('a login form', () => {
  const asked = 'https://id.test/realms/a-long-realm-name-2026/auth?client_id=web-client-0123456789&state=s'

  it.each([
    ['/realms/a-long-realm-name-2026/login?session_code=R4nd0mR4nd0mR4nd0m&client_id=web-client-0123456789'],
    ['/realms/a-long-realm-name-2026/login?client_id=web-client-0123456789'],
  ])('keeps in its address what a foreign page knows: %s', action => {
    expect(withoutGuesses(`https://id.test${action}`, asked)).toBe(
      'https://id.test/realms/a-long-realm-name-2026/login?client_id=web-client-0123456789',
    )
  })

  it('keeps no random part of the path', () => {
    const changed = withoutGuesses('https://id.test/interaction/V1StGXR8_Z5jdHi6B-myT/login', asked)
    expect(changed).toMatch(/^https:\/\/id\.test\/interaction\/[\w-]{21}\/login$/)
    expect(changed).not.toContain('V1StGXR8_Z5jdHi6B-myT')
  })

  it('is unchanged where it holds nothing random', () => {
    const action = 'https://id.test/login?step=2&next=a%20b'
    expect(withoutGuesses(action, asked)).toBe(action)
  })
})

describe('cookies of the login', () => {
  const judgedAt = async (metadata: object, ...cookies: string[]) => {
    const publication = { metadata }
    const request = { method: 'GET', url: 'https://id.test/auth', headers: [], body: bytes('') }
    const exchange = await exchanged(request, () => ({
      status: 200,
      headers: cookies.map(each => ['set-cookie', each] as const),
      body: bytes(''),
    }))
    const step = { type: 'step', name: 'login_form', exchange } as unknown as Step
    const client = { clientId: 'web', auth: 'none' } as const
    const outcome = { type: 'outcome', outcome: 'granted' } as const
    const facts = {
      flow: { client, steps: [step], outcome },
      publication,
      answers: new Map(),
      taken: new Map(),
    }
    return findings(
      flowChecks.filter(({ name }) => name === 'login-cookies'),
      facts as never,
    )[0]
  }

  const judged = (...cookies: string[]) => judgedAt({}, ...cookies)

  it('may be read by the frame of session management, when it is one of several', async () => {
    const withFrame = { check_session_iframe: 'https://id.test/frame' }
    const [own, read] = ['S=1; Secure; HttpOnly', 'K=2; Secure']
    expect(await judgedAt(withFrame, own, read)).toMatchObject({
      result: 'remark',
      detail: 'not so: K (read by check_session_iframe)',
    })
    expect(await judgedAt(withFrame, read)).toMatchObject({ result: 'weakness' })
    expect(await judgedAt(withFrame, own, 'K=2; HttpOnly')).toMatchObject({ result: 'weakness' })
    expect(await judgedAt({}, own, read)).toMatchObject({ result: 'weakness' })
  })

  it.each([
    ['S=; Max-Age=0; Path=/'],
    ['S=; Max-Age=-1'],
    ['S=; Expires=Thu, 01 Jan 1970 00:00:10 GMT; Path=/'],
  ])('need no protection when they are deleted: %s', async cookie => {
    expect(await judged(cookie)).toMatchObject({ result: 'not_applicable' })
    expect(await judged(cookie, 'T=1; Secure; HttpOnly')).toMatchObject({ result: 'pass' })
  })

  it.each([
    ['S=1; Path=/'],
    ['S=1; Max-Age=60'],
    ['S=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:10 GMT'],
    ['S=1; Expires=nonsense'],
    ['S=1; Expires=Fri, 01 Jan 2100 00:00:00 GMT'],
  ])('are a weakness without protection: %s', async cookie => {
    expect(await judged(cookie)).toMatchObject({ result: 'weakness', detail: 'not so: S' })
  })
})

it('a wrong request that was accepted is one fault: a challenge belongs to a refusal', async () => {
  const found = await about(({ url, body }, { status }) => {
    if (url.endsWith('/userinfo') && status === 401) return jsonResponse(200, { sub: 'alice' })
    const isToken = url.endsWith('/token') && Buffer.from(body).includes('grant_type=authorization_code')
    return isToken && status === 401
      ? jsonResponse(200, { access_token: 'opaque', token_type: 'Bearer' })
      : undefined
  })
  const result = (name: string) => found.find(each => each.name === name)?.result
  expect(['wrong-secret', 'no-token', 'altered-token'].map(result)).toEqual(['fault', 'fault', 'fault'])
  expect(['basic-challenge', 'bearer-challenge', 'invalid-token-challenge'].map(result)).toEqual([
    'not_applicable',
    'not_applicable',
    'not_applicable',
  ])
})

it('lets a server count the age of a session in whole seconds', async () => {
  let asked = 0
  const found = await about(({ url }) => {
    if (!url.includes('max_age=0')) return undefined
    asked += 1
    return asked > 1 ? undefined : redirectResponse(`${REDIRECT_URI}?code=x`)
  })
  expect(asked).toBe(2)
  expect(found.find(({ name }) => name === 'max-age-honoured')).toMatchObject({ result: 'pass' })
})
