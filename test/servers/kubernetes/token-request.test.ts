import { createHash, createPublicKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { decodeJwt } from '../../../src/protocol/tokens/decode.js'
import type { TokenRequest } from '../../../src/servers/kubernetes/shapes.js'
import { BASE, KEY_PEM, statusOf, TOKEN_PATH, testCluster } from './support.js'

const NS = '/api/v1/namespaces'
const tokenOf = (namespace: string, name: string) => `${NS}/${namespace}/serviceaccounts/${name}/token`
const unreadable = 'TokenRequest in version "v1" cannot be handled as a TokenRequest'
const intoGo = (what: string, field: string, type: string) =>
  `${unreadable}: json: cannot unmarshal ${what} into Go struct field TokenRequestSpec.spec.${field} of type ${type}`
const invalid = (value: string, problem: string) =>
  `TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: ${value}: ${problem}`
const bind = (reference: object) => ({ spec: { boundObjectRef: { apiVersion: 'v1', ...reference } } })
const SHORT = 'may not specify a duration less than 10 minutes'
const MEDIA = 'application/json, application/yaml, application/vnd.kubernetes.protobuf'
const unrecognized = 'the object provided is unrecognized (must be of type TokenRequest)'
const jsonError = `${unrecognized}: couldn't get version/kind; json parse error`

interface Refused {
  readonly name: string
  readonly path?: string
  readonly body?: unknown
  readonly headers?: [string, string][]
  /** 400 without it. */
  readonly code?: number
  readonly message: string
  readonly details?: object
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  404: 'NotFound',
  406: 'NotAcceptable',
  409: 'Conflict',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
}

const refusals: readonly Refused[] = [
  {
    name: 'an account that is missing, before a lifetime that is too short',
    path: tokenOf('lab', 'nope'),
    body: { spec: { expirationSeconds: 1 } },
    code: 404,
    message: 'serviceaccounts "nope" not found',
    details: { name: 'nope', kind: 'serviceaccounts' },
  },
  {
    name: 'a namespace that is missing, before a name that does not fit',
    path: tokenOf('nope', 'demo'),
    body: { metadata: { name: 'x' } },
    code: 404,
    message: 'namespaces "nope" not found',
    details: { name: 'nope', kind: 'namespaces' },
  },
  ...['599', '0', '-1'].map(seconds => ({
    name: `${seconds} seconds`,
    body: `{"spec":{"expirationSeconds":${seconds}}}`,
    code: 422,
    message: invalid(seconds, SHORT),
    details: {
      group: 'authentication.k8s.io',
      kind: 'TokenRequest',
      causes: [
        {
          reason: 'FieldValueInvalid',
          message: `Invalid value: ${seconds}: ${SHORT}`,
          field: 'spec.expirationSeconds',
        },
      ],
    },
  })),
  {
    name: 'more than 2^32 seconds',
    body: { spec: { expirationSeconds: 4294967297 } },
    code: 422,
    message: invalid('4294967297', 'may not specify a duration larger than 2^32 seconds'),
  },
  ...(
    [
      ['"600"', 'string'],
      ['600.5', 'number 600.5'],
      ['6e2', 'number 6e2'],
      ['9223372036854775808', 'number 9223372036854775808'],
      ['{}', 'object'],
    ] as const
  ).map(([value, told]) => ({
    name: `expirationSeconds ${value}`,
    body: `{"spec":{"expirationSeconds":${value}}}`,
    message: intoGo(told, 'expirationSeconds', 'int64'),
  })),
  {
    name: 'audiences that are a text',
    body: { spec: { audiences: 'api' } },
    message: intoGo('string', 'audiences', '[]string'),
  },
  {
    name: 'an audience that is a number',
    body: { spec: { audiences: [1] } },
    message: intoGo('number', 'audiences', 'string'),
  },
  {
    name: 'a spec that is a text',
    body: { spec: 'x' },
    message: `${unreadable}: json: cannot unmarshal string into Go struct field TokenRequest.spec of type v1.TokenRequestSpec`,
  },
  {
    name: 'another name',
    body: { metadata: { name: 'other' } },
    code: 422,
    message:
      'TokenRequest.authentication.k8s.io "demo" is invalid: metadata.name: Invalid value: "other": must match the service account name if specified',
  },
  {
    name: 'another namespace, before the namespace of the path is looked for',
    path: tokenOf('nope', 'demo'),
    body: { metadata: { namespace: 'other' } },
    message: 'the namespace of the provided object does not match the namespace sent on the request',
  },
  {
    name: 'another kind',
    body: { kind: 'TokenReview', apiVersion: 'authentication.k8s.io/v1' },
    message:
      'TokenReview in version "v1" cannot be handled as a TokenRequest: converting (v1.TokenReview) to (authentication.TokenRequest): unknown conversion',
  },
  {
    name: 'another version',
    body: { kind: 'TokenRequest', apiVersion: 'authentication.k8s.io/v1beta1' },
    message:
      'TokenRequest in version "v1beta1" cannot be handled as a TokenRequest: no kind "TokenRequest" is registered for version "authentication.k8s.io/v1beta1" in scheme "pkg/api/legacyscheme/scheme.go:30"',
  },
  {
    name: 'an unknown field where the client wants to be told',
    path: `${TOKEN_PATH}?fieldValidation=Strict`,
    body: { spec: { foo: 1 } },
    message: `${unreadable}: strict decoding error: unknown field "spec.foo"`,
  },
  { name: 'no body', body: '', message: `${jsonError}: unexpected end of JSON input (<empty>)` },
  {
    name: 'words',
    body: 'token please',
    message: `${jsonError}: invalid character 'o' in literal true (expecting 'r') (746f6b656e20706c65617365)`,
  },
  ...['text/plain', 'application/x-www-form-urlencoded', 'application/merge-patch+json'].map(type => ({
    name: `a body of type ${type}`,
    body: '{}',
    headers: [['content-type', type]] as [string, string][],
    code: 415,
    message: `the body of the request was in an unknown format - accepted media types include: ${MEDIA}`,
  })),
  {
    name: 'an answer that cannot be given, before a body that cannot be read',
    body: '<x/>',
    headers: [
      ['accept', 'application/xml'],
      ['content-type', 'application/xml'],
    ],
    code: 406,
    details: {},
    message: `406: Not Acceptable\n\nAvailable representations: ${MEDIA}`,
  },
  {
    name: 'a body of more than 3 MiB',
    body: `"${'x'.repeat(3 * 1024 * 1024)}"`,
    code: 413,
    message: 'Request entity too large: limit is 3145728',
  },
  {
    name: 'a pod that is missing',
    body: bind({ kind: 'Pod', name: 'nope' }),
    code: 404,
    message: 'pods "nope" not found',
    details: { name: 'nope', kind: 'pods' },
  },
  {
    name: 'the pod of another account',
    path: tokenOf('lab', 'other'),
    body: bind({ kind: 'Pod', name: 'web-0' }),
    message:
      'cannot bind token for serviceaccount "other" to pod running with different serviceaccount name.',
  },
  {
    name: 'another object of the same name',
    body: bind({ kind: 'Pod', name: 'web-0', uid: 'abc' }),
    code: 409,
    details: { name: 'web-0', kind: 'Pod' },
    message:
      'Operation cannot be fulfilled on Pod "web-0": the UID in the bound object reference (abc) does not match the UID in record. The object might have been deleted and then recreated',
  },
  ...(
    [
      [{ kind: 'ConfigMap', name: 'x' }, '/v1, Kind=ConfigMap'],
      [{ kind: 'Deployment', apiVersion: 'apps/v1', name: 'x' }, 'apps/v1, Kind=Deployment'],
      [{ kind: 'pod', name: 'web-0' }, '/v1, Kind=pod'],
    ] as const
  ).map(([reference, told]) => ({
    name: `a token bound to ${told}`,
    body: bind(reference),
    message: `cannot bind token to object of type ${told}`,
  })),
  { name: 'a reference without a name', body: bind({ kind: 'Pod' }), message: 'Name parameter required.' },
  {
    name: 'a dryRun of another kind, before the body is read',
    path: `${TOKEN_PATH}?dryRun=yes`,
    body: '{',
    code: 422,
    message:
      'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: []string{"yes"}: supported values: "All"',
  },
]

const FAILURE = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' }

describe('a token request is refused for', () => {
  it.each(refusals)(
    '$name',
    async ({ path = TOKEN_PATH, body, headers = [], code = 400, message, details }) => {
      const { ask } = testCluster()
      const answer = await ask('POST', path, { body, headers })
      expect(statusOf(answer)).toEqual({
        ...FAILURE,
        message,
        reason: REASONS[code],
        code,
        ...(details ? { details } : code === 422 || code === 404 ? { details: expect.anything() } : {}),
      })
      expect(answer.status).toBe(code)
      expect(answer.header('content-type')).toBe('application/json')
    },
  )

  it.each(['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'])('the method %s', async method => {
    const answer = await testCluster().ask(method, TOKEN_PATH)
    expect(statusOf(answer)).toMatchObject({
      code: 405,
      reason: 'MethodNotAllowed',
      details: {},
      message: 'the server does not allow this method on the requested resource',
    })
  })

  it('an unknown bearer token, with the reason only in the event', async () => {
    const { ask, events } = testCluster()
    const answer = await ask('POST', TOKEN_PATH, { bearer: 'nonsense', body: {} })
    const words = { message: 'Unauthorized', reason: 'Unauthorized', code: 401 }
    expect(statusOf(answer)).toEqual({ ...FAILURE, ...words })
    expect(answer.header('www-authenticate')).toBeUndefined()
    const refused = { status: 401, why: 'invalid bearer token' }
    expect(events).toMatchObject([{ type: 'cluster.request_refused', ...refused }])
  })

  it.each([
    ['none', []],
    ['an empty bearer', [['authorization', 'Bearer ']]],
    ['Basic ones', [['authorization', 'Basic YTpi']]],
  ] as const)('credentials that are %s', async (_, headers) => {
    const options = { bearer: null, body: {}, headers } as const
    const answer = await testCluster().ask('POST', TOKEN_PATH, options)
    expect(statusOf(answer)).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      details: { name: 'demo', kind: 'serviceaccounts' },
      message:
        'serviceaccounts "demo" is forbidden: User "system:anonymous" cannot create resource "serviceaccounts/token" in API group "" in the namespace "lab"',
    })
    expect((await testCluster({ anonymous: false }).ask('POST', TOKEN_PATH, options)).status).toBe(401)
  })
})

const uid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)

describe('a token request is granted', () => {
  it('with all members of the real server, in their order', async () => {
    const { ask } = testCluster()
    const body = { spec: { audiences: ['api'], expirationSeconds: 600 } }
    const headers = [['user-agent', 'kubectl/v1.32.4 (linux/amd64) kubernetes/4cb5f07']] as const
    const answer = await ask('POST', TOKEN_PATH, { body, headers })
    const token = answer.json<Required<TokenRequest>>().status.token
    expect(answer.status).toBe(201)
    const managed = `[{"manager":"kubectl","operation":"Update","apiVersion":"authentication.k8s.io/v1","time":"2026-11-21T12:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:audiences":{},"f:expirationSeconds":{}}},"subresource":"token"}]`
    expect(answer.text).toBe(
      `{"kind":"TokenRequest","apiVersion":"authentication.k8s.io/v1","metadata":{"name":"demo","namespace":"lab","creationTimestamp":"2026-11-21T12:00:00Z","managedFields":${managed}},"spec":{"audiences":["api"],"expirationSeconds":600,"boundObjectRef":null},"status":{"token":"${token}","expirationTimestamp":"2026-11-21T12:10:00Z"}}\n`,
    )
    expect(answer.header('cache-control')).toBe('no-cache, private')
    expect(answer.header('audit-id')).toEqual(uid)
  })

  it('as a token whose header and claims are those of the real server', async () => {
    const { requestToken } = testCluster()
    const { header, claims, parts } = decodeJwt(await requestToken())
    const spki = createPublicKey(KEY_PEM).export({ type: 'spki', format: 'der' })
    const kid = createHash('sha256').update(spki).digest('base64url')
    expect(Buffer.from(parts[0], 'base64url').toString()).toBe(`{"alg":"RS256","kid":"${kid}"}`)
    expect(header.kid).toBe(kid)
    expect(Object.keys(claims)).toEqual(['aud', 'exp', 'iat', 'iss', 'jti', 'kubernetes.io', 'nbf', 'sub'])
    const iat = Date.UTC(2026, 10, 21, 12) / 1000
    expect(claims).toEqual({
      aud: [BASE],
      exp: iat + 3600,
      iat,
      iss: BASE,
      jti: uid,
      nbf: iat,
      sub: 'system:serviceaccount:lab:demo',
      'kubernetes.io': { namespace: 'lab', serviceaccount: { name: 'demo', uid } },
    })
  })

  it.each([
    ['Pod', 'web-0', { node: { name: 'node-1', uid }, pod: { name: 'web-0', uid } }],
    ['Pod', 'loose', { pod: { name: 'loose', uid } }],
    ['Secret', 'demo-key', { secret: { name: 'demo-key', uid } }],
    ['Node', 'node-2', { node: { name: 'node-2', uid } }],
  ])('bound to the %s %s', async (kind, name, bound) => {
    const { requestToken } = testCluster()
    const { claims } = decodeJwt(await requestToken({ boundObjectRef: { kind, apiVersion: 'v1', name } }))
    const kubernetes = claims['kubernetes.io'] as object
    expect(kubernetes).toEqual({ namespace: 'lab', ...bound, serviceaccount: { name: 'demo', uid } })
    expect(Object.keys(kubernetes)).toEqual(Object.keys(kubernetes).sort())
  })

  it('shorter than asked, with a warning', async () => {
    const body = { spec: { expirationSeconds: 1000000 } }
    const answer = await testCluster().ask('POST', TOKEN_PATH, { body })
    expect(answer.header('warning')).toBe(
      '299 - "requested expiration of 1000000 seconds shortened to 172800 seconds"',
    )
    expect(answer.json<TokenRequest>().spec?.expirationSeconds).toBe(172_800)
  })

  it('for a year to a default volume, which only the token shows', async () => {
    const pod = { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'web-0' } }
    const body = { spec: { ...pod, expirationSeconds: 3607 } }
    const answer = await testCluster().ask('POST', TOKEN_PATH, { body })
    const { spec, status } = answer.json<Required<TokenRequest>>()
    expect([spec.expirationSeconds, status.expirationTimestamp]).toEqual([3607, '2026-11-21T13:00:07Z'])
    const { claims } = decodeJwt(status.token)
    expect(Number(claims.exp) - Number(claims.iat)).toBe(365 * 24 * 3600)
    expect(claims['kubernetes.io']).toMatchObject({ warnafter: Number(claims.iat) + 3607 })
  })

  it.each([
    ['another lifetime', { expirationSeconds: 3600 }, {}],
    ['another audience', { audiences: ['vault'] }, {}],
    ['no pod', { boundObjectRef: null }, {}],
    ['a server that does not extend', {}, { extendedExpiration: false }],
  ])('for no longer than asked with %s', async (_, change, own) => {
    const bound = { kind: 'Pod', apiVersion: 'v1', name: 'web-0' }
    const { requestToken } = testCluster(own)
    const asked = { boundObjectRef: bound, expirationSeconds: 3607, ...change }
    const { claims } = decodeJwt(await requestToken(asked))
    expect(Number(claims.exp) - Number(claims.iat)).toBeLessThan(3608)
    expect(claims['kubernetes.io']).not.toHaveProperty('warnafter')
  })

  const accepted: [string, string, [string, string][], string?][] = [
    ['an empty object', '{}', []],
    ['null', 'null', []],
    ['null for everything', '{"spec":{"audiences":null,"expirationSeconds":null,"boundObjectRef":null}}', []],
    ['no audience at all', '{"spec":{"audiences":[]}}', []],
    ['a charset', '{}', [['content-type', 'application/json; charset=utf-8']]],
    ['YAML', 'spec:\n  audiences:\n  - api\n', [['content-type', 'application/yaml']]],
    ['a slash at the end', '{}', [], `${TOKEN_PATH}/`],
    ['a dry run', '{}', [], `${TOKEN_PATH}?dryRun=All`],
    ['an unknown member of the query', '{}', [], `${TOKEN_PATH}?foo=1&%zz`],
    ['a status of its own', '{"status":{"token":"mine"}}', []],
    ['whatever answer', '{}', [['accept', 'application/json, */*;q=0.8']]],
  ]
  it.each(accepted)('to a body that is, or has, %s', async (_, body, headers, path = TOKEN_PATH) => {
    const answer = await testCluster().ask('POST', path, { body, headers })
    expect(answer.status).toBe(201)
    expect(answer.json<TokenRequest>().status?.token).toMatch(/^eyJ/)
    expect(answer.header('warning')).toBeUndefined()
  })

  it('with empty and repeated audiences kept', async () => {
    const { claims } = decodeJwt(await testCluster().requestToken({ audiences: ['', 'a', 'a'] }))
    expect(claims.aud).toEqual(['', 'a', 'a'])
  })

  it('with warnings for unknown and repeated fields, unless the client wants none', async () => {
    const { ask } = testCluster()
    const body = '{"spec":{"foo":1,"audiences":["a"],"audiences":["b"]}}'
    const { response } = await ask('POST', TOKEN_PATH, { body })
    expect(response.headers.filter(([name]) => name === 'warning')).toEqual([
      ['warning', '299 - "unknown field \\"spec.foo\\""'],
      ['warning', '299 - "duplicate field \\"spec.audiences\\""'],
    ])
    const silent = await ask('POST', `${TOKEN_PATH}?fieldValidation=Ignore`, { body })
    expect([silent.status, silent.header('warning')]).toEqual([201, undefined])
  })

  it.each([
    ['curl/8.5.0', '', true],
    ['Mozilla/5.0 (X11)', '', true],
    ['kubectl/v1.32.4', '', false],
    ['curl/8.5.0', '?pretty=false', false],
    ['node', '?pretty=true', true],
  ])('indented for %s%s: %s', async (agent, query, pretty) => {
    const headers = [['user-agent', agent]] as const
    const answer = await testCluster().ask('POST', TOKEN_PATH + query, { body: {}, headers })
    expect(answer.text.startsWith('{\n  "kind": "TokenRequest",\n')).toBe(pretty)
    expect(answer.text.endsWith('}\n')).toBe(!pretty)
  })

  it('as an event without the token', async () => {
    const { requestToken, events } = testCluster()
    const token = await requestToken({ audiences: ['api'] })
    const about = { account: 'lab/demo', audiences: ['api'], by: 'admin', granted: 3600, expires_in: 3600 }
    expect(events).toMatchObject([{ type: 'cluster.token_requested', ...about }])
    expect(JSON.stringify(events)).not.toContain(token.slice(0, 30))
  })
})
