import { describe, expect, it } from 'vitest'
import { codeFlow, codePlan } from '../../src/flows/code.js'
import type { HttpResponse } from '../../src/protocol/http/message.js'
import { bytes, jsonResponse, splitUrl, text } from '../../src/protocol/http/message.js'
import { decodeJwt } from '../../src/protocol/tokens/decode.js'
import { generateSigningKeyPem, loadSigningKey, signJwt } from '../../src/protocol/tokens/keys.js'
import { collect, expectRefused, outcomeIn, stepOf, stepsOf, type Tamper, world } from './support/world.js'

const stranger = await loadSigningKey(await generateSigningKeyPem())

/** Changes the answer of an endpoint. */
const at =
  (path: string, change: (body: Record<string, unknown>) => Promise<HttpResponse> | HttpResponse): Tamper =>
  async (request, answer) => {
    if (splitUrl(request.url).path !== path || answer.status >= 300) return undefined
    return change(JSON.parse(text(answer.body)) as Record<string, unknown>)
  }

const noted = [['cache-control', 'no-store']] as const

/** A flow as it goes to a server whose tokens are no business of this client. */
async function flow(options: { tamper?: Tamper; scope?: string; without?: readonly string[] } = {}) {
  const { ports, wanted } = await world(options)
  const { audience: _audience, ...rest } = wanted
  const kept = Object.entries(wanted.metadata).filter(([name]) => !options.without?.includes(name))
  const metadata = Object.fromEntries(kept)
  const told = { ...rest, metadata, foreignAccessTokens: true }
  return { records: await collect(codeFlow(ports, told)), plan: codePlan(told) }
}

const advice = (name: string) => expect.objectContaining({ name, ok: false, advice: true })

describe('the code flow against a server that does things its own way', () => {
  it('takes opaque access tokens', async () => {
    const { records } = await flow({
      tamper: at('/token', body => jsonResponse(200, { ...body, access_token: 'opaque' }, noted)),
    })
    expect(outcomeIn(records).outcome).toBe('granted')
    expect(stepOf(records, 'keys_request').note).toBe('nothing for the client to verify')
  })

  it('points out an access token that it cannot verify, and goes on', async () => {
    const { records } = await flow({
      tamper: at('/token', async body => {
        const { claims, header } = decodeJwt(String(body.access_token))
        const key = { ...stranger, kid: String(header.kid) }
        const token = await signJwt({ ...claims, iss: 'https://elsewhere.test' }, key)
        return jsonResponse(200, { ...body, access_token: token }, noted)
      }),
    })
    expect(outcomeIn(records).outcome).toBe('granted')
    const { token, note } = stepOf(records, 'keys_request')
    expect(token?.checks).toEqual(expect.arrayContaining([advice('signature'), advice('iss')]))
    expect(note).toBe('nothing for the client to verify')
  })

  it('points out what the answer leaves out', async () => {
    const { records } = await flow({
      tamper: at('/token', ({ expires_in: _lifetime, ...body }) => jsonResponse(200, body)),
    })
    expect(outcomeIn(records).outcome).toBe('granted')
    expect(stepOf(records, 'token_request').checks).toEqual(
      expect.arrayContaining([advice('expires_in'), advice('no_store')]),
    )
  })

  it('says that another scope was granted', async () => {
    const { records } = await flow({
      scope: 'records:read profile',
      tamper: at('/token', body => jsonResponse(200, { ...body, scope: 'profile' }, noted)),
    })
    expect(outcomeIn(records)).toMatchObject({ outcome: 'granted', tokens: { scope: 'profile' } })
    const { checks } = stepOf(records, 'token_request')
    const found = checks?.find(({ name }) => name === 'scope')?.detail
    expect(found).toBe('narrower than asked: profile, without records:read')
    expect(stepOf(records, 'token_request').note).toMatch(/, without scope records:read$/)
  })

  it('asks nobody who logged in where there is no userinfo_endpoint', async () => {
    const { records, plan } = await flow({ scope: 'openid', without: ['userinfo_endpoint'] })
    expect(outcomeIn(records).outcome).toBe('granted')
    expect(plan.map(({ name }) => name)).toEqual(stepsOf(records).map(({ name }) => name))
    expect(plan.map(({ name }) => name)).not.toContain('userinfo_request')
  })

  it('believes no id_token without keys to verify it with', async () => {
    const { records } = await flow({ scope: 'openid', without: ['jwks_uri'] })
    expectRefused(records, 'invalid_token')
    expect(outcomeIn(records).error?.error_description).toContain('no keys are published')
  })

  it('does without iss where none is promised', async () => {
    const { records } = await flow({
      without: ['authorization_response_iss_parameter_supported'],
      tamper: async ({ url }, answer) => {
        const location = answer.headers.find(([name]) => name === 'location')?.[1]
        if (splitUrl(url).path !== '/authorization' || location === undefined) return undefined
        return { ...answer, headers: [['location', location.replace(/&iss=[^&]*/, '')]] }
      },
    })
    expect(outcomeIn(records).outcome).toBe('granted')
    expect(stepOf(records, 'authorization_response').checks?.map(({ name }) => name)).toEqual(['state'])
  })

  it.each([500, 502, 403])('tells an HTML error %i of the token endpoint in one sentence', async status => {
    const page = {
      status,
      headers: [['content-type', 'text/html']] as const,
      body: bytes('<title>Bad Gateway'),
    }
    const { records } = await flow({ tamper: at('/token', () => page) })
    expectRefused(records, 'invalid_response')
    const said = `the token endpoint answered ${status} with text/html, not application/json`
    expect(outcomeIn(records).error?.error_description).toBe(said)
  })

  it.each(['token_endpoint', 'authorization_endpoint'])('cannot do without %s', async name => {
    const { records } = await flow({ without: [name] })
    expectRefused(records, 'invalid_metadata')
  })
})

describe('a pushed authorization request', () => {
  const pushed = async (answer: HttpResponse | undefined, without: readonly string[] = []) => {
    const { ports, wanted } = await world({
      tamper: async ({ url }) => (splitUrl(url).path === '/par' ? answer : undefined),
      wanted: { push: true },
    })
    const kept = Object.entries(wanted.metadata).filter(([name]) => !without.includes(name))
    const metadata = Object.fromEntries(kept)
    return collect(codeFlow(ports, { ...wanted, metadata }))
  }

  it('leaves nothing in the browser but its name', async () => {
    const records = await pushed(undefined)
    expect(outcomeIn(records).outcome).toBe('granted')
    const url = new URL(stepOf(records, 'authorization_request').url ?? '')
    expect([...url.searchParams.keys()]).toEqual(['client_id', 'request_uri'])
    const sent = stepOf(records, 'pushed_authorization_request').exchange?.request.body
    expect(sent).toContain('code_challenge=')
  })

  it('needs an endpoint for it', async () => {
    const records = await pushed(undefined, ['pushed_authorization_request_endpoint'])
    expectRefused(records, 'invalid_metadata')
  })
})
