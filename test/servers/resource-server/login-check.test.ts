import { describe, expect, it } from 'vitest'
import { generateDpopKey, makeDpopProof } from '../../../src/protocol/tokens/dpop.js'
import { DEFAULT_ROUTES, type ResourceRoute } from '../../../src/servers/resource-server/settings.js'
import { baseUrl, server, start, tokenOf } from './support.js'

const [PWD, MFA] = ['urn:oauth-lab:acr:pwd', 'urn:oauth-lab:acr:mfa']
const now = start / 1000

const routes: readonly ResourceRoute[] = [
  ...DEFAULT_ROUTES,
  { path: '/new', max_age: 60 },
  { path: '/either', acr_values: `${MFA} ${PWD}`, scope: 'records:write' },
]
const get = async (path: string, claims: object) =>
  server({ settings: { routes } }).withToken(await tokenOf({ ...claims }), path)

describe('a route that needs a login (RFC 9470)', () => {
  it.each<[string, object]>([
    ['/vault', { acr: MFA, auth_time: now }],
    ['/vault', { acr: MFA, auth_time: now - 300 }],
    ['/new', { auth_time: now - 60 }],
    ['/either', { acr: PWD, scope: 'records:write' }],
  ])('%s accepts a token with %j, and says why', async (path, claims) => {
    const answer = await get(path, claims)
    expect(answer.status).toBe(200)
    const { checks } = answer.json.decided as { checks: { name: string; ok: boolean; rule: string }[] }
    expect(checks.filter(each => each.rule === 'RFC 9470 §3').every(each => each.ok)).toBe(true)
    expect(checks.some(each => each.rule === 'RFC 9470 §3')).toBe(true)
  })

  it.each<[string, object, string, string]>([
    ['/vault', { acr: PWD, auth_time: now }, `acr_values="${MFA}", max_age="300"`, `the token has ${PWD}`],
    ['/vault', { auth_time: now }, `acr_values="${MFA}", max_age="300"`, 'the token has none'],
    ['/vault', { acr: [MFA], auth_time: now }, `acr_values="${MFA}", max_age="300"`, 'the token has none'],
    [
      '/vault',
      { acr: MFA, auth_time: now - 301 },
      `acr_values="${MFA}", max_age="300"`,
      'this one is 301 s old',
    ],
    ['/new', { acr: MFA }, 'max_age="60"', 'the token has no auth_time'],
    ['/new', { auth_time: String(now) }, 'max_age="60"', 'the token has no auth_time'],
    ['/either', { acr: 'other' }, `scope="records:write", acr_values="${MFA} ${PWD}"`, 'the token has other'],
  ])('%s answers 401 to a token with %j, and names what it needs', async (path, claims, named, problem) => {
    const answer = await get(path, claims)
    expect(answer).toMatchObject({ status: 401, json: { error: 'insufficient_user_authentication' } })
    expect(answer.json.error_description).toContain(problem)
    expect(answer.challenges).toEqual([
      expect.stringMatching(/^Bearer .*error="insufficient_user_authentication"/),
    ])
    expect(answer.challenges[0]).toContain(named)
  })

  it('asks with the scheme DPoP for the next token of a key', async () => {
    const key = await generateDpopKey()
    const accessToken = await tokenOf({ cnf: { jkt: key.jkt }, acr: PWD, auth_time: now })
    const proof = await makeDpopProof(
      key,
      { method: 'GET', url: `${baseUrl}/vault`, accessToken },
      { now: () => start, random: length => new Uint8Array(length) },
    )
    const to = server()
    const answer = await to.send('/vault', {
      headers: [
        ['authorization', `DPoP ${accessToken}`],
        ['dpop', proof],
      ],
    })
    expect(answer.status).toBe(401)
    expect(answer.challenges).toEqual([
      expect.stringMatching(
        /^DPoP .*error="insufficient_user_authentication".*acr_values=".*mfa", max_age="300".*algs="RS256/,
      ),
    ])
    expect(to.events.at(-1)).toMatchObject({
      type: 'resource.refused',
      status: 401,
      error: 'insufficient_user_authentication',
      rule: 'RFC 9470 §3',
    })
  })
})
