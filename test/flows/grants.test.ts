import { describe, expect, it } from 'vitest'
import { makeSamlAssertion } from '../../src/client/saml-assertion.js'
import { allPlannedSteps, type Flow, type FlowName, flows } from '../../src/flows/flows.js'
import type { FlowOptions } from '../../src/flows/options.js'
import type { FlowRecord, StepName } from '../../src/flows/step.js'
import { parseForm } from '../../src/protocol/http/form.js'
import type { Client } from '../../src/protocol/oauth/client.js'
import { assertionIssuers, everything, provider, sources } from './support/everything.js'
import { relocated } from './support/tampers.js'
import {
  collect,
  demo,
  expectRefused,
  ISSUER,
  login,
  outcomeIn,
  RESOURCE,
  stepOf,
  stepsOf,
  type Tamper,
  type World,
  world,
} from './support/world.js'

interface Ask {
  readonly client?: Client
  readonly tamper?: Tamper
  readonly wanted?: Partial<FlowOptions>
  readonly scope?: string
  readonly password?: string
}

async function walk(
  name: FlowName,
  ask: Ask = {},
): Promise<{ records: FlowRecord[]; at: World; plan: StepName[] }> {
  const { client = everything, tamper, scope, password = 'wonderland' } = ask
  const at = await world({
    client,
    assertionIssuers,
    askLogin: login(['alice', password]),
    ...(tamper && { tamper }),
    ...(scope !== undefined && { scope }),
    wanted: { resource: `${RESOURCE}/resource`, assertion: sources.jwt, ...ask.wanted },
  })
  const flow: Flow = flows[name]
  const records = await collect(flow.run(at.ports, at.wanted))
  return { records, at, plan: flow.plan(at.wanted).map(each => each.name) }
}

const names = (records: readonly FlowRecord[]) => stepsOf(records).map(each => each.name)
const code = 'authorization_request login_form login authorization_response'
const use = 'keys_request resource_request'

describe('every flow', () => {
  it.each<[FlowName, steps: string]>([
    ['code', `${code} token_request ${use}`],
    ['implicit', `${code} ${use}`],
    ['hybrid', `${code} id_token_verification token_request keys_request userinfo_request resource_request`],
    ['resource', `unauthenticated_request resource_metadata_request ${code} token_request ${use}`],
    ['password', `token_request ${use}`],
    ['client-credentials', `token_request ${use}`],
    ['refresh', `${code} token_request refresh_request ${use} reuse_request revoked_request`],
    ['assertion', `assertion token_request ${use}`],
    [
      'device',
      `device_authorization_request poll_request early_poll_request device_verification device_approval token_request ${use}`,
    ],
    ['token-exchange', `${code} token_request exchange_request ${use}`],
  ])('%s takes the steps of its plan in order, and is granted', async (name, steps) => {
    const expected = steps.split(' ')
    const { records, plan } = await walk(name, name === 'hybrid' ? { scope: 'openid' } : {})
    expect(outcomeIn(records)).toMatchObject({ outcome: 'granted', tokens: { token_type: 'Bearer' } })
    expect(names(records)).toEqual(expected)
    expect(plan).toEqual(expected)
    expect(stepsOf(records).map(({ n, of }) => [n, of])).toEqual(
      expected.map((_, i) => [i + 1, expected.length]),
    )
    for (const { checks = [], token, tokens = [], why, rfc } of stepsOf(records)) {
      expect(why).toMatch(/\.$/)
      expect(rfc).toMatch(/§/)
      for (const each of [...checks, ...(token?.checks ?? []), ...tokens.flatMap(one => one.checks)]) {
        expect(each).toMatchObject({ ok: true })
      }
    }
    expect(stepOf(records, 'resource_request').exchange?.response?.status).toBe(200)
  })

  it('says of every step why it is there, and which rule asks for it', () => {
    for (const { why, rfc, title } of allPlannedSteps()) {
      expect(why).toMatch(/^[A-Z].{20,}\.$/)
      expect(rfc).toMatch(/^(\d{4}|draft-[a-z0-9-]+|OpenID Connect [A-Z][\w -]+|MCP [\w -]+) §\d/)
      expect(title).not.toBe('')
    }
  })

  it.each<[FlowName, Client['grant_types'], StepName]>([
    ['code', ['implicit'], 'authorization_response'],
    ['implicit', ['authorization_code'], 'authorization_response'],
    ['password', ['authorization_code'], 'token_request'],
    ['client-credentials', ['authorization_code'], 'token_request'],
    ['assertion', ['authorization_code'], 'token_request'],
    ['device', ['authorization_code'], 'device_authorization_request'],
    ['token-exchange', ['authorization_code'], 'exchange_request'],
  ])('%s is refused to a client that is not registered for it', async (name, grants, last) => {
    const { records } = await walk(name, {
      client: {
        ...demo,
        grant_types: grants,
        response_types: grants.includes('implicit') ? ['token'] : ['code'],
      },
    })
    expectRefused(records, 'unauthorized_client', expect.stringMatching(/^RFC/))
    expect(names(records).at(-1)).toBe(last)
    expect(stepOf(records, last).checks).toMatchObject([{ ok: false }])
  })
})

describe('implicitFlow', () => {
  it('reads the token behind the #, which the callback never sees', async () => {
    const { records } = await walk('implicit')
    const arrived = stepOf(records, 'authorization_response')
    expect(arrived.url).toMatch(/#.*access_token=/)
    expect(arrived.exchange?.request.url).not.toMatch(/access_token|#/)
    expect(arrived.exchange?.response?.body).toContain('history.replaceState')
    const checks = arrived.checks?.map(each => each.name)
    expect(checks).toEqual(['state', 'iss', 'fragment', 'token_type', 'scope'])
    expect(outcomeIn(records).tokens).not.toHaveProperty('refresh_token')
  })

  it('asks for an id_token with openid, and checks nonce and at_hash', async () => {
    const { records } = await walk('implicit', { scope: 'openid profile' })
    const sent = Object.fromEntries(
      parseForm(stepOf(records, 'authorization_request').url?.split('?')[1] ?? ''),
    )
    expect(sent).toMatchObject({ response_type: 'id_token token', nonce: expect.any(String) })
    expect(sent).not.toHaveProperty('code_challenge')
    const id = stepOf(records, 'keys_request').tokens?.find(each => each.kind === 'id_token')
    expect(id?.checks.map(each => each.name)).toEqual(expect.arrayContaining(['nonce', 'at_hash']))
    expect(names(records)).toContain('userinfo_request')
  })

  it('ends with an id_token alone where the client asks for no more', async () => {
    const more = { scope: 'openid', wanted: { responseType: 'id_token' } }
    const { records } = await walk('implicit', more)
    expect(names(records)).toEqual([...code.split(' '), 'keys_request'])
    expect(outcomeIn(records).tokens).toEqual({ id_token: expect.any(String) })
    const checks = stepOf(records, 'keys_request').token?.checks
    expect(checks?.filter(({ ok }) => ok).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['signature', 'iss', 'aud', 'exp', 'nonce']),
    )
    const forged = relocated(to => to.replace(/(id_token=[^&]*)/, '$1x'))
    const refused = await walk('implicit', { ...more, tamper: forged })
    expectRefused(refused.records, 'invalid_token', expect.any(String))
    const other = relocated(to => to.replace('id_token=', 'access_token='))
    expectRefused((await walk('implicit', { ...more, tamper: other })).records, 'invalid_response')
  })

  it('takes an answer without iss where an id_token names the issuer, and there alone', async () => {
    const withoutIss = relocated(to => to.replace(/&iss=[^&]*/, ''))
    const { records } = await walk('implicit', { scope: 'openid', tamper: withoutIss })
    expect(outcomeIn(records).outcome).toBe('granted')
    const detail = 'left out: the id_token names the issuer'
    const checks = [expect.objectContaining({ name: 'iss', ok: true, rule: 'RFC 9207 §4', detail })]
    expect(stepOf(records, 'authorization_response').checks).toEqual(expect.arrayContaining(checks))
    const bare = await walk('implicit', { scope: 'profile', tamper: withoutIss })
    expect(outcomeIn(bare.records).error?.error).toBe('issuer_mismatch')
  })

  it.each<[scope: string | undefined, announced: string[], asked: string | undefined]>([
    ['openid', ['code', 'token id_token'], 'token id_token'],
    ['openid', ['code', 'token'], undefined],
    ['profile', ['code', 'id_token token'], undefined],
    ['profile', ['token'], 'token'],
    ['profile', [], undefined],
  ])('asks for a response type that is announced: %s of %j', async (scope, announced, asked) => {
    const { ports, wanted } = await world({ client: everything, askLogin: login(['alice', 'wonderland']) })
    const metadata = { ...wanted.metadata, response_types_supported: announced }
    const records = await collect(flows.implicit.run(ports, { ...wanted, metadata, ...(scope && { scope }) }))
    const url = stepsOf(records)[0]?.url
    const sent = new Map(parseForm(url?.split('?')[1] ?? ''))
    expect(sent.get('response_type')).toBe(asked)
    if (asked !== undefined) return
    expect(records).toHaveLength(1)
    expectRefused(records, 'unsupported_response_type', 'RFC 8414 §2')
  })

  it('believes no token with a foreign state', async () => {
    const { records } = await walk('implicit', {
      tamper: relocated(to => to.replace(/state=[^&]*/, 'state=other')),
    })
    expectRefused(records, 'state_mismatch')
    expect(JSON.stringify(outcomeIn(records))).not.toContain('access_token')
  })
})

describe('refreshFlow', () => {
  it('begins with a password where the client may not use codes', async () => {
    const { records } = await walk('refresh', { wanted: { first: 'password' } })
    expect(names(records).slice(0, 2)).toEqual(['token_request', 'refresh_request'])
    expect(outcomeIn(records).outcome).toBe('granted')
  })
})

describe('assertionFlow', () => {
  it.each(['jwt', 'saml'] as const)(
    'makes and sends a %s assertion that the server believes',
    async format => {
      const { records, at } = await walk('assertion', { wanted: { assertion: sources[format] } })
      expect(outcomeIn(records).outcome).toBe('granted')
      const made = stepOf(records, 'assertion')
      expect(made).toMatchObject({ from: 'client', to: 'client', token: { kind: 'assertion' } })
      const sent = Object.fromEntries(
        parseForm(stepOf(records, 'token_request').exchange?.request.body ?? ''),
      )
      expect(sent.assertion).toBe(made.token?.value)
      expect(at.events.map(({ type }) => type)).toContain('assertion.accepted')
    },
  )

  it('is refused where the issuer is not registered', async () => {
    const { records } = await walk('assertion', {
      wanted: { assertion: { ...sources.jwt, issuer: 'https://stranger.example' } },
    })
    expectRefused(records, 'invalid_grant')
  })

  it('escapes what stands in the XML', async () => {
    const about = { issuer: 'https://idp.example', audience: ISSUER, recipient: `${ISSUER}/token` }
    const words = { ...about, subject: '<b> & "c"', id: 'a', issuedAt: 0, expiresAt: 1000 }
    const signed = await makeSamlAssertion(words, { keyPem: provider.privateKeyPem })
    const xml = Buffer.from(signed, 'base64url').toString()
    expect(xml).toContain('<saml:NameID>&lt;b&gt; &amp; "c"</saml:NameID>')
  })
})

describe('deviceFlow', () => {
  it('shows a refused login again', async () => {
    const askLogin = login(['alice', 'wrong'], ['alice', 'wonderland'])
    const at = await world({ client: everything, askLogin })
    const records = await collect(flows.device.run(at.ports, at.wanted))
    expect(names(records).filter(name => name === 'device_approval')).toHaveLength(2)
    expect(stepsOf(records).find(each => each.name === 'device_approval')?.repeats).toBe(true)
    expect(outcomeIn(records).outcome).toBe('granted')
  })

  it('is refused where nobody logs in', async () => {
    const at = await world({ client: everything, askLogin: login() })
    const records = await collect(flows.device.run(at.ports, at.wanted))
    expect(outcomeIn(records)).toMatchObject({ error: { error: 'login_cancelled', rule: 'RFC 8628 §3.3' } })
  })
})

describe('tokenExchangeFlow', () => {
  it('gets a token for somebody else about the same subject, which lives no longer', async () => {
    const { records } = await walk('token-exchange', { wanted: { exchangeFor: RESOURCE } })
    const { checks = [], token } = stepOf(records, 'exchange_request')
    expect(checks.map(each => each.name)).toEqual(expect.arrayContaining(['issued_token_type', 'sub', 'exp']))
    expect(token?.explained?.claims.find(({ name }) => name === 'aud')?.value).toBe(RESOURCE)
    expect(outcomeIn(records).outcome).toBe('granted')
  })

  it('takes a token that is there already', async () => {
    const first = await walk('code')
    const { access_token: accessToken } = outcomeIn(first.records).tokens ?? {}
    const flow: Flow = flows['token-exchange']
    const wanted = { ...first.at.wanted, accessToken: accessToken ?? '' }
    const records = await collect(flow.run(first.at.ports, wanted))
    expect(names(records)).toEqual(['exchange_request', 'keys_request', 'resource_request'])
    expect(outcomeIn(records).outcome).toBe('granted')
  })
})
