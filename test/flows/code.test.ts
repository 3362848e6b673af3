import { describe, expect, it } from 'vitest'
import { codeFlow, codePlan } from '../../src/flows/code.js'
import { readRecord } from '../../src/flows/records/read-record.js'
import type { FlowRecord } from '../../src/flows/step.js'
import { parseForm } from '../../src/protocol/http/form.js'
import { bytes, header, text } from '../../src/protocol/http/message.js'
import { decodeJwt } from '../../src/protocol/tokens/decode.js'
import { loadSharedSecret, signJwt } from '../../src/protocol/tokens/keys.js'
import {
  collect,
  demo,
  expectRefused,
  ISSUER,
  login,
  outcomeIn,
  REDIRECT_URI,
  RESOURCE,
  stepOf,
  stepsOf,
  world,
} from './support/world.js'

const names = [
  ...['authorization_request', 'login_form', 'login', 'authorization_response'],
  ...['token_request', 'keys_request'],
] as const

/** The records of a run in this world. */
async function walk(options: Parameters<typeof world>[0] = {}) {
  const made = await world(options)
  return { ...made, records: await collect(codeFlow(made.ports, made.wanted)) }
}

describe('codeFlow', () => {
  it('takes the steps of the plan, one exchange each, and ends granted', async () => {
    const { records, wanted, events } = await walk({ scope: 'records:read' })
    const steps = stepsOf(records)
    expect(steps.map(step => step.name)).toEqual(names)
    expect(codePlan(wanted).map(step => step.name)).toEqual(names)
    expect(steps.map(step => [step.n, step.of])).toEqual(names.map((_, i) => [i + 1, names.length]))
    expect(steps.map(step => step.exchange?.response?.status)).toEqual([undefined, 200, 302, 200, 200, 200])
    const requests = steps.map(({ exchange }) => exchange?.request)
    expect(requests.map(each => each && `${each.method} ${each.url.split('?')[0]}`)).toEqual([
      undefined,
      `GET ${ISSUER}/authorization`,
      `POST ${ISSUER}/authorization`,
      `GET ${REDIRECT_URI}`,
      `POST ${ISSUER}/token`,
      `GET ${ISSUER}/.well-known/jwks.json`,
    ])
    const tokens = { token_type: 'Bearer', expires_in: 3600, scope: 'records:read' }
    expect(outcomeIn(records)).toMatchObject({ outcome: 'granted', tokens })
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['code.issued', 'code.redeemed']))
  })

  it('is read the same from its record', async () => {
    const { records } = await walk({ scope: 'openid' })
    for (const record of JSON.parse(JSON.stringify(records)) as FlowRecord[]) {
      const { title: _title, ...rest } = { title: '', ...record }
      expect(readRecord(record)).toMatchObject(rest)
    }
  })

  it('asks for identity too when openid is in the scope', async () => {
    const { records } = await walk({ scope: 'openid profile' })
    expect(stepsOf(records).map(step => step.name)).toEqual([...names, 'userinfo_request'])
    const idToken = stepOf(records, 'keys_request').tokens?.[0]
    expect(idToken?.kind).toBe('id_token')
    expect(idToken?.checks.map(({ name, ok }) => [name, ok])).toEqual(
      ['signature', 'iss', 'sub', 'aud', 'exp', 'iat', 'nonce', 'at_hash'].map(name => [name, true]),
    )
    const checks = [{ name: 'sub', ok: true }]
    expect(stepOf(records, 'userinfo_request')).toMatchObject({ note: 'sub=alice', checks })
    expect(outcomeIn(records).outcome).toBe('granted')
  })

  it('shows every check it makes', async () => {
    const { records } = await walk()
    const checksOf = (name: Parameters<typeof stepOf>[1]) =>
      stepOf(records, name).checks?.map(each => each.name)
    expect(checksOf('authorization_request')).toEqual(['state', 'pkce'])
    expect(checksOf('authorization_response')).toEqual(['state', 'iss'])
    const ofToken = ['pkce', 'status', 'content_type', 'token_type', 'no_store', 'scope']
    expect(checksOf('token_request')).toEqual(ofToken)
    expect(stepOf(records, 'keys_request').token?.checks.map(({ name, ok }) => [name, ok])).toEqual(
      ['signature', 'iss', 'aud', 'exp', 'nbf', 'iat'].map(name => [name, true]),
    )
    for (const step of stepsOf(records))
      for (const check of step.checks ?? [])
        expect(check).toMatchObject({ ok: true, rule: expect.stringMatching(/^(RFC|OpenID)/) })
  })

  it('explains the access token at the step that brought it', async () => {
    const { token } = stepOf((await walk()).records, 'token_request')
    expect(token?.kind).toBe('access_token')
    const claims = Object.fromEntries(token?.explained?.claims.map(({ name, value }) => [name, value]) ?? [])
    expect(claims).toMatchObject({ sub: 'alice', aud: 'demo', iss: ISSUER })
    expect(token?.explained?.claims.find(({ name }) => name === 'exp')?.time).toBe('2026-11-21T15:03:11.000Z')
  })

  it('makes state, nonce and verifier of 32 random bytes each, and sends the verifier only to the token endpoint', async () => {
    const { records } = await walk({ scope: 'openid' })
    const sent = Object.fromEntries(
      parseForm(stepOf(records, 'authorization_request').url?.split('?')[1] ?? ''),
    )
    const fresh = expect.stringMatching(/^[\w-]{43}$/)
    expect(sent).toMatchObject({ state: fresh, nonce: fresh })
    expect(sent.state).not.toBe(sent.nonce)
    const redeemed = Object.fromEntries(
      parseForm(stepOf(records, 'token_request').exchange?.request.body ?? ''),
    )
    expect(redeemed.code_verifier).toMatch(/^[\w-]{43}$/)
    const before = JSON.stringify(records.slice(0, 4))
    expect(before).not.toContain(redeemed.code_verifier)
    expect(before).not.toContain('demo-secret')
  })

  it.each([
    ['client_secret_basic', undefined],
    ['client_secret_post', 'demo-secret'],
  ] as const)('authenticates by %s', async (auth, secret) => {
    const { records } = await walk({ wanted: { auth } })
    const request = stepOf(records, 'token_request').exchange?.request
    expect(Object.fromEntries(parseForm(request?.body ?? '')).client_secret).toBe(secret)
    expect(header(request ?? { headers: [] }, 'authorization') === undefined).toBe(secret !== undefined)
    expect(outcomeIn(records).outcome).toBe('granted')
  })

  it('lets a public client in with PKCE alone', async () => {
    const { client_secret: _, ...publicClient } = demo
    const { ports, wanted } = await world({
      askLogin: async () => ({ kind: 'credentials', username: 'alice', password: 'wonderland' }),
      wanted: { auth: 'none' },
      client: { ...publicClient, require_pkce: true },
    })
    const { clientSecret: _secret, ...publicly } = wanted
    expect(outcomeIn(await collect(codeFlow(ports, publicly))).outcome).toBe('granted')
    expectRefused(await collect(codeFlow(ports, { ...publicly, pkce: false })), 'invalid_request')
  })
})

describe('a server that publishes no keys', () => {
  const secret = 'a-secret-of-more-than-32-characters-0123'

  async function unpublished(scope: string, idTokenSecret: string) {
    const { ports, wanted } = await world({
      scope,
      client: { ...demo, client_secret: secret },
      wanted: { clientSecret: secret },
      tamper: async (request, answer) => {
        if (!request.url.endsWith('/token')) return undefined
        const body = JSON.parse(text(answer.body)) as { id_token?: string }
        if (body.id_token === undefined) return undefined
        const { claims } = decodeJwt(body.id_token)
        const { at_hash: _, ...rest } = claims
        const idToken = await signJwt(rest as never, loadSharedSecret(idTokenSecret))
        return { ...answer, body: bytes(JSON.stringify({ ...body, id_token: idToken })) }
      },
    })
    const { jwks_uri: _, ...metadata } = wanted.metadata
    return collect(codeFlow(ports, { ...wanted, metadata }))
  }

  it('is taken at its word for the access token, which is not for the client to verify', async () => {
    const records = await unpublished('records:read', secret)
    expect(stepOf(records, 'keys_request').exchange).toBeUndefined()
    expect(stepOf(records, 'keys_request').note).toMatch(/nothing/)
    expect(outcomeIn(records).outcome).toBe('granted')
  })

  it('may key the id_token with the secret of the client', async () => {
    const records = await unpublished('openid', secret)
    const [first] = stepOf(records, 'keys_request').tokens?.[0]?.checks ?? []
    expect(first).toMatchObject({ name: 'signature', ok: true })
    expect(outcomeIn(records).outcome).toBe('granted')
    const forged = await unpublished('openid', 'another-secret-of-more-than-32-chars-0')
    expectRefused(forged, 'invalid_token')
  })
})

describe('logging in', () => {
  it('asks again with the message of the server after a wrong password', async () => {
    const asked: (string | undefined)[] = []
    const answers = login(['alice', 'wrong'], ['alice', 'wonderland'])
    const { records } = await walk({
      askLogin: prompt => {
        asked.push(prompt.message)
        return answers(prompt)
      },
    })
    expect(asked).toEqual([undefined, 'Username or password is wrong.'])
    const numbered = stepsOf(records).map(({ n, name }) => `${n} ${name}`)
    expect(numbered.slice(1, 4)).toEqual(['2 login_form', '3 login', '3 login'])
    expect(outcomeIn(records).outcome).toBe('granted')
  })

  it('is refused when nobody answers a second time', async () => {
    const { records } = await walk({ askLogin: login(['alice', 'wrong']) })
    const error_description = 'Username or password is wrong.'
    const error = { error: 'login_failed', error_description, rule: 'RFC 6749 §4.1' }
    expect(outcomeIn(records)).toEqual({ type: 'outcome', outcome: 'refused', error })
  })

  it('is cancelled before a password is sent', async () => {
    const { records } = await walk({ askLogin: login() })
    expect(stepsOf(records)).toHaveLength(2)
    expectRefused(records, 'login_cancelled')
  })
})

describe('codeFlow for a named resource (RFC 8707)', () => {
  const named = (indicator: string, more: object = {}) => ({
    scope: 'openid',
    wanted: {
      authorizationParameters: [['resource', indicator]] as const,
      resourceIndicator: indicator,
      resource: `${RESOURCE}/resource`,
      ...more,
    },
  })

  it('accepts a token for that resource, presents it there, and not at the userinfo endpoint', async () => {
    const { records, wanted } = await walk(named(`${RESOURCE}/`))
    const planned = [...names, 'resource_request']
    expect(stepsOf(records).map(step => step.name)).toEqual(planned)
    expect(codePlan(wanted).map(step => step.name)).toEqual(planned)
    const { token, tokens } = stepOf(records, 'keys_request')
    const aud = (of: typeof token) => of?.checks.find(({ name }) => name === 'aud')
    expect(aud(token)).toMatchObject({ ok: true, rule: 'RFC 8707 §2' })
    expect(aud(tokens?.[0])).toMatchObject({ ok: true, rule: 'RFC 7519 §4.1.3', detail: 'demo' })
    expect(outcomeIn(records).outcome).toBe('granted')
  })

  it('refuses a token for anything else than the resource', async () => {
    const { records } = await walk(named(RESOURCE, { resourceIndicator: 'https://api.example' }))
    expectRefused(records, 'invalid_token', 'RFC 8707 §2')
  })

  it.each([ISSUER, `${ISSUER}/`, `${ISSUER}/userinfo`])(
    'asks the userinfo endpoint with a token for %s',
    async indicator => {
      const { ports, wanted } = await world(named(indicator, { resource: undefined }))
      const records = await collect(codeFlow(ports, wanted))
      expect(stepsOf(records).map(step => step.name)).toEqual([...names, 'userinfo_request'])
      expect(outcomeIn(records).outcome).toBe('granted')
    },
  )
})
