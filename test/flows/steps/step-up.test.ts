import { describe, expect, it } from 'vitest'
import type { LoginPrompt } from '../../../src/client/login.js'
import { codeFlow } from '../../../src/flows/code.js'
import { flows } from '../../../src/flows/flows.js'
import { stepUpChallenge } from '../../../src/flows/steps/step-up.js'
import { splitUrl, textResponse } from '../../../src/protocol/http/message.js'
import { parseTotpSecret, totpCode, totpCounter } from '../../../src/protocol/oauth/totp.js'
import {
  collect,
  ISSUER,
  login,
  NOW,
  outcomeIn,
  RESOURCE,
  stepsOf,
  type Tamper,
  world,
} from '../support/world.js'

const MFA = 'urn:oauth-lab:acr:mfa'
const vault = { resource: `${RESOURCE}/vault` }

const answered = (challenge: string, status = 401) => ({
  request: { method: 'GET', url: RESOURCE, headers: [], body: new Uint8Array() },
  response: { status, headers: [['www-authenticate', challenge]] as const, body: '' },
})
const read = (challenge: string, status?: number) =>
  stepUpChallenge(answered(challenge, status) as unknown as Parameters<typeof stepUpChallenge>[0])

describe('a step-up challenge (RFC 9470 §3)', () => {
  const error = 'error="insufficient_user_authentication"'
  it.each<[string, object | undefined]>([
    [`Bearer ${error}, error_description="x", acr_values="myACR"`, { acrValues: 'myACR' }],
    [`Bearer ${error}, max_age="5"`, { maxAge: 5 }],
    [`DPoP ${error}, acr_values="a b", max_age=0, scope="s"`, { acrValues: 'a b', maxAge: 0, scope: 's' }],
    [`Basic realm="x", Bearer ${error}, max_age="5"`, { maxAge: 5 }],
    [`Bearer ${error}`, undefined],
    [`Bearer ${error}, max_age="soon", acr_values=" "`, undefined],
    ['Bearer error="invalid_token", max_age="5"', undefined],
  ])('%s', (challenge, wanted) => expect(read(challenge)).toEqual(wanted))

  it('comes with 401 alone', () => expect(read(`Bearer ${error}, max_age="5"`, 403)).toBeUndefined())
})

describe('a flow at a resource that needs another login', () => {
  it('asks again as the challenge says, in the same browser, and presents the new token', async () => {
    const { ports, wanted } = await world({ scope: 'openid', wanted: vault })
    const records = await collect(codeFlow(ports, wanted))
    const steps = stepsOf(records)
    expect(outcomeIn(records)).toMatchObject({ outcome: 'granted' })
    const requests = steps.filter(({ name }) => name === 'authorization_request').map(({ url = '' }) => url)
    const asked = requests.map(url => Object.fromEntries(new URL(url).searchParams))
    expect(asked).toMatchObject([{}, { acr_values: MFA, max_age: '300' }])
    expect(asked[0]).not.toHaveProperty('acr_values')
    const presented = steps.filter(({ name }) => name === 'resource_request')
    expect(presented.map(step => step.exchange?.response?.status)).toEqual([401, 200])
    expect(presented[0]).toMatchObject({
      repeats: true,
      note: expect.stringContaining(`asks for another login: the client sends a new authorization request`),
    })
    const second = steps.slice(steps.indexOf(presented[0]!) + 1)
    // The session has the password already, so the page of the code comes at once.
    expect(second.map(({ name }) => name).slice(0, 3)).toEqual([
      'authorization_request',
      'login_form',
      'login',
    ])
    expect(second[1]?.note).toBe('the server asks for a one-time code')
    const idToken = second.find(({ name }) => name === 'keys_request')?.tokens?.[0]
    expect(idToken?.checks.filter(({ name }) => /acr|auth_time/.test(name))).toMatchObject([
      { name: 'acr', ok: true, detail: MFA },
      { name: 'auth_time', ok: true },
    ])
  })

  it('works in flow resource too', async () => {
    const { ports, wanted } = await world({ scope: 'openid', wanted: vault })
    expect(outcomeIn(await collect(flows.resource.run(ports, wanted)))).toMatchObject({ outcome: 'granted' })
  })

  it('asks once, and ends with the refusal and the next move', async () => {
    const { ports, wanted } = await world({
      scope: 'openid',
      wanted: vault,
      askLogin: login(['bob', 'builder'], ['bob', 'builder']),
    })
    const records = await collect(codeFlow(ports, wanted))
    const presented = stepsOf(records).filter(({ name }) => name === 'resource_request')
    expect(presented.map(step => step.exchange?.response?.status)).toEqual([401, 401])
    expect(outcomeIn(records)).toMatchObject({
      outcome: 'refused',
      error: {
        error: 'insufficient_user_authentication',
        error_description: expect.stringContaining(`--acr-values '${MFA}'`),
        rule: 'RFC 9470 §3',
      },
    })
  })

  it('adds the scope that the challenge names', async () => {
    let left = 1
    const tamper: Tamper = request =>
      request.url === `${RESOURCE}/records` && left-- > 0
        ? textResponse(401, '', [
            [
              'www-authenticate',
              'Bearer error="insufficient_user_authentication", max_age="60", scope="records:read"',
            ],
          ])
        : undefined
    const { ports, wanted } = await world({
      scope: 'openid',
      tamper,
      wanted: { resource: `${RESOURCE}/records` },
    })
    const records = await collect(codeFlow(ports, wanted))
    const urls = stepsOf(records).flatMap(({ name, url }) =>
      name === 'authorization_request' ? [url ?? ''] : [],
    )
    expect(new URL(urls[1]!).searchParams.get('scope')).toBe('openid records:read')
    expect(outcomeIn(records)).toMatchObject({ outcome: 'granted' })
  })

  it('names the unknown code', async () => {
    const { ports, wanted } = await world({ wanted: vault, oneTimeCode: () => undefined })
    expect(outcomeIn(await collect(codeFlow(ports, wanted)))).toMatchObject({
      outcome: 'refused',
      error: { error_description: expect.stringContaining('--otp CODE') },
    })
  })

  it('asks the person for an unknown code, again after a refusal, until the person gives up', async () => {
    const prompts: LoginPrompt[] = []
    const { ports, wanted } = await world({
      wanted: vault,
      oneTimeCode: () => undefined,
      askCode: async prompt => {
        prompts.push(prompt)
        const secret = parseTotpSecret('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')!
        const right = totpCode(secret, totpCounter(NOW))
        return { kind: 'code', code: prompts.length === 1 ? '000000' : right }
      },
    })
    expect(outcomeIn(await collect(codeFlow(ports, wanted)))).toMatchObject({ outcome: 'granted' })
    expect(prompts).toEqual([
      { clientId: 'demo', oneTimeCode: true },
      { clientId: 'demo', oneTimeCode: true, message: expect.stringMatching(/code/) },
    ])

    const away = await world({
      wanted: vault,
      oneTimeCode: () => undefined,
      askCode: async () => ({ kind: 'cancel' }),
    })
    expect(outcomeIn(await collect(codeFlow(away.ports, away.wanted)))).toMatchObject({
      outcome: 'refused',
      error: { error: 'login_cancelled' },
    })
  })

  it('sends the code of now, then the next one, and gives up', async () => {
    const sent: string[] = []
    const tamper: Tamper = request => {
      const { path } = splitUrl(request.url)
      const body = new TextDecoder().decode(request.body)
      if (request.url.startsWith(ISSUER) && path === '/authorization') {
        const otp = new URLSearchParams(body).get('otp')
        if (otp !== null) sent.push(otp)
      }
      return undefined
    }
    const { ports, wanted } = await world({
      tamper,
      wanted: { ...vault, acrValues: MFA },
      oneTimeCode: (_name, attempt) => (attempt > 1 ? undefined : `00000${attempt}`),
    })
    const records = await collect(codeFlow(ports, wanted))
    expect(sent).toEqual(['000000', '000001'])
    expect(outcomeIn(records)).toMatchObject({
      outcome: 'refused',
      error: {
        error: 'login_failed',
        error_description: expect.stringContaining('the one-time code was refused'),
      },
    })
  })
})
