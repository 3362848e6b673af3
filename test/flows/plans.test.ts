import { describe, expect, it } from 'vitest'
import { allPlannedSteps, type Flow, type FlowName, flows } from '../../src/flows/flows.js'
import { discoveryStep } from '../../src/flows/metadata/discovery.js'
import type { PlanOptions } from '../../src/flows/plans/plan-parts.js'
import type { AssertionSource } from '../../src/flows/requests/assertion-source.js'
import type { PlannedStep } from '../../src/flows/step.js'

const options: PlanOptions = {
  metadata: {
    issuer: 'https://lab.test',
    authorization_endpoint: 'https://lab.test/a',
    token_endpoint: 'https://lab.test/t',
    jwks_uri: 'https://lab.test/k',
    userinfo_endpoint: 'https://lab.test/u',
    pushed_authorization_request_endpoint: 'https://lab.test/p',
    device_authorization_endpoint: 'https://lab.test/d',
  },
  redirectUri: 'http://127.0.0.1:7000/cb',
  scope: 'profile openid',
  resource: 'https://api.test/r?x',
}

const saml: AssertionSource = { format: 'saml', issuer: '', subject: '', make: async () => '' }

const line = ({ name, from, to, title, rfc }: PlannedStep) => `${name}: ${from} to ${to}, ${title} (${rfc})`
const planOf = (name: FlowName, more: Partial<PlanOptions> = {}): string[] => {
  const flow: Flow = flows[name]
  return flow.plan({ ...options, ...more }).map(line)
}
const titles = (lines: readonly string[]) => lines.map(each => each.replace(/^.*?, (.*) \(.*$/, '$1'))
const names = (lines: readonly string[]) => lines.map(each => each.split(':', 1)[0])

const code = [
  'authorization_request: client to user_agent, open authorization URL (6749 §4.1.1)',
  'login_form: user_agent to authorization_server, GET /a (6749 §3.1)',
  'login: user_agent to authorization_server, POST /a (6749 §4.1.2)',
  'authorization_response: user_agent to client, GET /cb (6749 §4.1.2)',
]
const redeem = 'token_request: client to authorization_server, POST /t (6749 §4.1.3)'
const password = 'token_request: client to authorization_server, POST /t (6749 §4.3.2)'
const keys = 'keys_request: client to authorization_server, GET /k (7517 §5)'
const userinfo = 'userinfo_request: client to authorization_server, GET /u (6750 §2.1)'
const resource = 'resource_request: client to resource_server, GET /r (6750 §2.1)'
const pushed = 'pushed_authorization_request: client to authorization_server, POST /p (9126 §2.1)'
const asked = [
  'unauthenticated_request: client to resource_server, GET /r (6750 §3)',
  'resource_metadata_request: client to resource_server, GET /.well-known/oauth-protected-resource (9728 §5)',
]
const implicit = [
  'authorization_request: client to user_agent, open authorization URL (6749 §4.2.1)',
  'login_form: user_agent to authorization_server, GET /a (6749 §3.1)',
  'login: user_agent to authorization_server, POST /a (6749 §4.2.2)',
  'authorization_response: user_agent to client, GET /cb (6749 §4.2.2)',
]
const refresh = 'refresh_request: client to authorization_server, POST /t (6749 §6)'
const reuse = [
  'reuse_request: client to authorization_server, POST /t (9700 §4.14.2)',
  'revoked_request: client to authorization_server, POST /t (9700 §4.14.2)',
]

describe('the plan of a flow', () => {
  it.each<[FlowName, string[]]>([
    ['code', [...code, redeem, keys, userinfo, resource]],
    ['implicit', [...implicit, keys, userinfo, resource]],
    ['resource', [...asked, ...code, redeem, keys, userinfo, resource]],
    ['password', [password, keys, userinfo, resource]],
    [
      'client-credentials',
      ['token_request: client to authorization_server, POST /t (6749 §4.4.2)', keys, resource],
    ],
    ['refresh', [...code, redeem, refresh, keys, userinfo, resource, ...reuse]],
    [
      'assertion',
      [
        'assertion: client to client, sign a JWT assertion (7523 §3)',
        'token_request: client to authorization_server, POST /t (7523 §2.1)',
        keys,
        resource,
      ],
    ],
    [
      'device',
      [
        'device_authorization_request: client to authorization_server, POST /d (8628 §3.1)',
        'poll_request: client to authorization_server, POST /t (8628 §3.4)',
        'early_poll_request: client to authorization_server, POST /t (8628 §3.5)',
        'device_verification: user_agent to authorization_server, GET the verification address (8628 §3.3)',
        'device_approval: user_agent to authorization_server, POST the decision (8628 §3.3)',
        'token_request: client to authorization_server, POST /t (8628 §3.4)',
        keys,
        userinfo,
        resource,
      ],
    ],
    [
      'token-exchange',
      [
        ...code,
        redeem,
        'exchange_request: client to authorization_server, POST /t (8693 §2.1)',
        keys,
        resource,
      ],
    ],
  ])('%s names for each step its roles, its message and its rule', (name, plan) => {
    expect(planOf(name)).toEqual(plan)
  })

  it('asks who logged in only with openid, and where there is an endpoint for it', () => {
    const { userinfo_endpoint: _, ...without } = options.metadata
    expect(planOf('code', { scope: 'profile' })).toEqual([...code, redeem, keys, resource])
    expect(planOf('code', { metadata: without })).toEqual([...code, redeem, keys, resource])
  })

  it('goes to a resource server only where one is known', () => {
    const { resource: _, ...bare } = options
    expect(flows.code.plan(bare).map(line)).toEqual([...code, redeem, keys, userinfo])
    expect(flows.resource.plan(bare).map(line)[0]).toBe(
      'unauthenticated_request: client to resource_server, GET /resource (6750 §3)',
    )
  })

  it('begins with the pushed request', () => {
    expect(planOf('code', { push: true }).slice(0, 2)).toEqual([pushed, code[0]])
    expect(planOf('implicit', { push: true }).slice(0, 2)).toEqual([pushed, implicit[0]])
    expect(planOf('password', { push: true })).toEqual(planOf('password'))
  })

  it.each<FlowName>(['refresh', 'token-exchange'])('%s may begin with a password, or with a token', name => {
    const rest = planOf(name).slice(5)
    expect(planOf(name, { first: 'password' })).toEqual([password, ...rest])
    expect(planOf(name, { first: 'code' })).toEqual([...code, redeem, ...rest])
    expect(planOf(name, { accessToken: 'x' })).toEqual(rest)
  })

  it('of a resource needs no grant where a token is there already', () => {
    expect(planOf('resource', { accessToken: 'x' })).toEqual([...asked, resource])
  })

  it('with tokens of type mac ends with what an attacker makes of the request', () => {
    const draft = 'draft-ietf-oauth-v2-http-mac-00'
    expect(planOf('code', { tokenType: 'mac' })).toEqual([
      ...code,
      `token_request: client to authorization_server, POST /t (${draft} §5.1)`,
      keys,
      userinfo,
      `resource_request: client to resource_server, GET /r (${draft} §3.1)`,
      `replay_request: client to resource_server, GET /r (${draft} §4)`,
      'bearer_request: client to resource_server, GET /r (6750 §5.2)',
    ])
  })

  it.each([
    ['signed', 'client', 'sign a request object'],
    ['unsigned', 'client', 'write a request object'],
    ['encrypted', 'authorization_server', 'sign and encrypt a request object'],
  ] as const)('begins with a %s request object', (kind, to, title) => {
    const made = `request_object: client to ${to}, ${title} (9101 §4)`
    expect(planOf('code', { requestObject: { kind } }).slice(0, 2)).toEqual([made, code[0]])
    expect(planOf('code', { requestObject: { kind }, push: true }).slice(0, 3)).toEqual([
      made,
      pushed,
      code[0],
    ])
  })

  it.each([
    [undefined, 'GET', 'behind the # of the address'],
    ['form_post', 'POST', 'in a form that the browser posts'],
  ] as const)(
    'of a hybrid login with response_mode %s has its own sections',
    (responseMode, method, where) => {
      const core = 'OpenID Connect Core §3.3.2'
      const plan = planOf('hybrid', responseMode === undefined ? {} : { responseMode })
      expect(plan).toEqual([
        `authorization_request: client to user_agent, open authorization URL (${core}.1)`,
        code[1],
        `login: user_agent to authorization_server, POST /a (${core}.5)`,
        `authorization_response: user_agent to client, ${method} /cb (${core}.8)`,
        `id_token_verification: client to authorization_server, GET /k (${core}.12)`,
        redeem,
        keys,
        userinfo,
        resource,
      ])
      const why = flows.hybrid.plan({ ...options, ...(responseMode && { responseMode }) })[2]?.why
      expect(why).toContain(where)
      expect(planOf('hybrid', { responseType: 'code token' })).toEqual([
        ...planOf('hybrid').slice(0, 4),
        ...[redeem, keys, userinfo, resource],
      ])
    },
  )

  it('of an assertion follows its format', () => {
    expect(planOf('assertion', { assertion: saml }).slice(0, 2)).toEqual([
      'assertion: client to client, sign a SAML assertion (7522 §3)',
      'token_request: client to authorization_server, POST /t (7522 §2.1)',
    ])
  })

  it.each([undefined, ''])('has usual paths where addresses are unknown: %j', address => {
    const metadata = {
      issuer: 'https://lab.test',
      jwks_uri: '',
      userinfo_endpoint: '',
      ...(address !== undefined && { token_endpoint: address, authorization_endpoint: address }),
    }
    const more = { metadata, redirectUri: '', resource: '', push: true }
    expect(titles(planOf('code', more))).toEqual([
      'POST /par',
      'open authorization URL',
      'GET /authorization',
      'POST /authorization',
      'GET /callback',
      'POST /token',
      'GET /jwks',
      'GET /userinfo',
      'GET /resource',
    ])
    expect(titles(planOf('device', more))[0]).toBe('POST /device_authorization')
  })

  it('says where the keys come from when the server publishes none', () => {
    const { jwks_uri: _, ...metadata } = options.metadata
    const title = (more: Partial<PlanOptions>) => titles(planOf('password', { metadata, ...more }))[1]
    expect(title({})).toBe('no keys published')
    const carriedKeys = { title: 'read public.pem', keys: { kind: 'jwks', jwks: { keys: [] } } } as const
    expect(title({ carriedKeys })).toBe('read public.pem')
  })

  it('begins with discovery where only the issuer is known', () => {
    expect(line(discoveryStep('https://a.test/x/'))).toBe(
      'discovery_request: client to authorization_server, GET /x/.well-known/openid-configuration (8414 §3)',
    )
  })
})

it('all planned steps have every way of every flow', () => {
  const all = new Set(allPlannedSteps().map(({ name, rfc }) => `${name} ${rfc}`))
  const ways: Partial<PlanOptions>[] = [
    ...[{}, { push: true }, { tokenType: 'mac' as const }, { first: 'password' as const }],
    { assertion: saml },
  ]
  for (const way of ways) {
    for (const { plan } of Object.values<Flow>(flows)) {
      for (const { name, rfc } of plan({ ...options, ...way })) expect(all).toContain(`${name} ${rfc}`)
    }
  }
  expect(names([...all])).toContain('discovery_request 8414 §3')
})
