import { describe, expect, it } from 'vitest'
import type {
  ApiObject,
  ObjectList,
  SelfSubjectAccessReview,
} from '../../../src/servers/kubernetes/shapes.js'
import { BASE, expectStatus, key, LIMITED, statusOf, testCluster } from './support.js'

const ACCOUNTS = '/api/v1/namespaces/lab/serviceaccounts'
const JWKS = '/openid/v1/jwks'
const DISCOVERY = '/.well-known/openid-configuration'
const TABLE = [['accept', 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json']] as const
const AGGREGATED =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json'

const namesOf = ({ items }: ObjectList) =>
  items.map(({ metadata }) => `${metadata?.namespace ?? ''}/${metadata?.name}`)

describe('the issuer of a cluster', () => {
  it('publishes its metadata and keys as the real server writes them', async () => {
    const { ask } = testCluster()
    const metadata = await ask('GET', DISCOVERY, { bearer: null })
    expect(metadata.text).toBe(
      `{"issuer":"${BASE}","jwks_uri":"${BASE}/openid/v1/jwks","response_types_supported":["id_token"],"subject_types_supported":["public"],"id_token_signing_alg_values_supported":["RS256"]}`,
    )
    expect(metadata.header('content-type')).toBe('application/json')
    expect(metadata.header('cache-control')).toBe('public, max-age=3600')
    const { kid, n, e } = key.publicJwk
    const keys = await ask('GET', JWKS, { bearer: null })
    expect(keys.text).toBe(
      `{"keys":[{"use":"sig","kty":"RSA","kid":"${kid}","alg":"RS256","n":"${n}","e":"${e}"}]}`,
    )
    expect(keys.header('content-type')).toBe('application/jwk-set+json')
  })

  it('accepts a slash at the end, answers other methods 405, and answers 406 to a client that takes no JWK Set', async () => {
    const { ask } = testCluster()
    for (const path of [DISCOVERY, JWKS]) {
      expect((await ask('GET', `${path}/`, { bearer: null })).status).toBe(200)
      for (const method of ['POST', 'HEAD']) {
        expect((await ask(method, path)).status).toBe(405)
        expect((await ask(method, path, { bearer: null })).status).toBe(405)
      }
      expect((await ask('GET', path, { bearer: 'bad' })).status).toBe(401)
    }
    const accept = (type: string) => ask('GET', JWKS, { headers: [['accept', type]] })
    expect((await accept('application/json')).status).toBe(406)
    expect((await accept('application/jwk-set+json')).status).toBe(200)
    expect((await accept('application/json, */*')).status).toBe(200)
  })

  it('shows both only to service accounts and administrators when it is not public', async () => {
    const { ask, requestToken } = testCluster({ publicDiscovery: false })
    const refused = await ask('GET', JWKS, { bearer: null })
    expect(statusOf(refused)).toMatchObject({
      code: 403,
      details: {},
      message: 'forbidden: User "system:anonymous" cannot get path "/openid/v1/jwks"',
    })
    expect((await ask('GET', JWKS, { bearer: LIMITED })).status).toBe(403)
    expect((await ask('GET', JWKS, { bearer: await requestToken() })).status).toBe(200)
    expect((await ask('GET', JWKS)).status).toBe(200)
  })
})

describe('paths without a resource', () => {
  it('show version and health to everybody', async () => {
    const { ask } = testCluster()
    const version = await ask('GET', '/version/?timeout=32s', { bearer: null })
    expect(Object.keys(version.json<object>())).toHaveLength(9)
    for (const path of ['/healthz', '/livez', '/readyz']) {
      const health = await ask('GET', path, { bearer: null })
      expect([health.text, health.header('content-type')]).toEqual(['ok', 'text/plain; charset=utf-8'])
    }
  })

  it('list the resources in both forms of discovery', async () => {
    const { ask } = testCluster()
    expect((await ask('GET', '/api')).json()).toEqual({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: 'localhost:8445' }],
    })
    expect((await ask('GET', '/apis')).json()).toMatchObject({
      kind: 'APIGroupList',
      groups: [
        { name: 'authentication.k8s.io' },
        { name: 'authorization.k8s.io' },
        { name: 'coordination.k8s.io' },
        { name: 'rbac.authorization.k8s.io' },
      ],
    })
    const aggregated = await ask('GET', '/api', { headers: [['accept', AGGREGATED]] })
    expect(aggregated.header('content-type')).toBe(
      'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    )
    expect(aggregated.text).toContain(
      '"subresources":[{"subresource":"token","responseKind":{"group":"authentication.k8s.io","version":"v1","kind":"TokenRequest"},"verbs":["create"]}]',
    )
    expect((await ask('GET', '/api/v1')).text).toContain(
      '{"name":"serviceaccounts/token","singularName":"","namespaced":true,"group":"authentication.k8s.io","version":"v1","kind":"TokenRequest","verbs":["create"]}',
    )
    expect((await ask('GET', '/apis/authentication.k8s.io')).json()).toMatchObject({ kind: 'APIGroup' })
  })

  it('describe fields so that kubectl lets the server check them', async () => {
    const { ask } = testCluster()
    const { paths } = (await ask('GET', '/openapi/v3')).json<{
      paths: Record<string, { serverRelativeURL: string }>
    }>()
    const { serverRelativeURL } = paths['apis/authentication.k8s.io/v1']!
    const document = (await ask('GET', serverRelativeURL)).json<{ paths: object }>()
    expect(Object.values(document.paths)).toContainEqual({
      patch: expect.objectContaining({
        'x-kubernetes-group-version-kind': {
          group: 'authentication.k8s.io',
          kind: 'TokenReview',
          version: 'v1',
        },
        parameters: expect.arrayContaining([
          expect.objectContaining({ name: 'fieldValidation', in: 'query' }),
        ]),
      }),
    })
  })

  it('are answered with plain text when unknown, and with a Status in a known group', async () => {
    const { ask } = testCluster()
    for (const path of ['/nope', '/apis/apps/v1/deployments', '/api/v2/pods', '/api//v1', '/healthz/x']) {
      const answer = await ask('GET', path)
      expect([path, answer.status, answer.text]).toEqual([path, 404, '404 page not found\n'])
    }
    const message = 'the server could not find the requested resource'
    const review = '/apis/authentication.k8s.io/v1/nope'
    for (const path of ['/api/v1/endpoints', review, '/api/v1/serviceaccounts/demo']) {
      expect(statusOf(await ask('GET', path))).toMatchObject({ code: 404, message, details: {} })
    }
    expect(statusOf(await ask('GET', '/nope', { bearer: null })).message).toBe(
      'forbidden: User "system:anonymous" cannot get path "/nope"',
    )
  })
})

describe('reviews of the sender', () => {
  const GROUP = 'authentication.k8s.io'
  const REVIEW = `/apis/${GROUP}/v1/selfsubjectreviews`

  it('return the user who asks', async () => {
    const { ask, requestToken } = testCluster()
    expect((await ask('POST', REVIEW, { body: {} })).text).toBe(
      '{"kind":"SelfSubjectReview","apiVersion":"authentication.k8s.io/v1","metadata":{"creationTimestamp":"2026-11-21T12:00:00Z"},"status":{"userInfo":{"username":"admin","uid":"uid-admin","groups":["system:masters","system:authenticated"]}}}\n',
    )
    const account = await ask('POST', REVIEW, { body: {}, bearer: await requestToken() })
    expect(account.text).toContain('"username":"system:serviceaccount:lab:demo"')
    expect((await ask('POST', REVIEW, { body: {}, bearer: null })).status).toBe(403)
  })

  it.each([
    ['admin', 'lab-admin-token', { verb: 'create', resource: 'serviceaccounts', subresource: 'token' }, true],
    ['limited', LIMITED, { verb: 'create', resource: 'serviceaccounts', subresource: 'token' }, false],
    ['limited', LIMITED, { verb: 'create', group: GROUP, resource: 'selfsubjectreviews' }, true],
  ])('tell whether %s may', async (_, bearer, resourceAttributes, allowed) => {
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
    const answer = await testCluster().ask('POST', path, { bearer, body: { spec: { resourceAttributes } } })
    expect(answer.status).toBe(201)
    const reviewed = { spec: { resourceAttributes }, status: { allowed } }
    expect(answer.json<SelfSubjectAccessReview>()).toMatchObject(reviewed)
  })
})

describe('objects', () => {
  it('are listed, as a table when the client prefers one', async () => {
    const { ask } = testCluster()
    const list = await ask('GET', '/api/v1/serviceaccounts?limit=500')
    expect(namesOf(list.json())).toEqual([
      ...['default/default', 'default/demo', 'lab/builder', 'lab/default', 'lab/demo', 'lab/other'],
    ])
    expect(list.json<ObjectList>().items[0]).not.toHaveProperty('kind')
    const table = (await ask('GET', ACCOUNTS, { headers: TABLE })).json()
    const rows = ['builder', 'default', 'demo', 'other'].map(name => ({ cells: [name, 0, '0s'] }))
    expect(table).toMatchObject({ kind: 'Table', rows })
    const one = await ask('GET', `${ACCOUNTS}?fieldSelector=metadata.name%3Ddemo`)
    expect(namesOf(one.json())).toEqual(['lab/demo'])
    expect((await ask('GET', `${ACCOUNTS}?fieldSelector=spec.x%3D1`)).status).toBe(400)
  })

  it('have the same uid in every run', async () => {
    const first = await testCluster().account('demo')
    const again = await testCluster({}, { random: length => new Uint8Array(length) }).account('demo')
    expect(again.metadata?.uid).toBe(first.metadata?.uid)
  })

  it('are created, found, and deleted', async () => {
    const { ask, events } = testCluster()
    const body = { metadata: { name: 'new', labels: { a: 'b' } } }
    const dry = await ask('POST', `${ACCOUNTS}?dryRun=All`, { body })
    expect([dry.status, (await ask('GET', `${ACCOUNTS}/new`)).status]).toEqual([201, 404])
    const made = await ask('POST', ACCOUNTS, { body })
    expect(made.json()).toMatchObject({ kind: 'ServiceAccount', ...body })
    expect(namesOf((await ask('GET', `${ACCOUNTS}?labelSelector=a%3Db`)).json())).toEqual(['lab/new'])
    expect(statusOf(await ask('POST', ACCOUNTS, { body }))).toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
      message: 'serviceaccounts "new" already exists',
    })
    const { uid } = made.json<ApiObject>().metadata ?? {}
    const other = { preconditions: { uid: 'x' } }
    expect((await ask('DELETE', `${ACCOUNTS}/new`, { body: other })).status).toBe(409)
    const deleted = await ask('DELETE', `${ACCOUNTS}/new`, { body: { propagationPolicy: 'Background' } })
    expect([deleted.status, deleted.json<ApiObject>().metadata?.uid]).toEqual([200, uid])
    expect((await ask('DELETE', `${ACCOUNTS}/new`)).status).toBe(404)
    const told = events.filter(({ type }) => String(type).startsWith('cluster.object_'))
    expect(told).toMatchObject([
      { type: 'cluster.object_created', kind: 'ServiceAccount', name: 'new', namespace: 'lab', uid },
      { type: 'cluster.object_deleted', uid },
    ])
  })

  it('get a name from the server when they have only a prefix', async () => {
    const answer = await testCluster().ask('POST', ACCOUNTS, { body: { metadata: { generateName: 'job-' } } })
    expect(answer.json<ApiObject>().metadata?.name).toMatch(/^job-[a-z0-9]{5}$/)
  })

  it.each([
    [
      'Bad_Name',
      'ServiceAccount "Bad_Name" is invalid: metadata.name: Invalid value: "Bad_Name": a lowercase RFC 1123 subdomain must',
    ],
    ['', 'ServiceAccount "" is invalid: metadata.name: Required value: name or generateName is required'],
    ['x'.repeat(254), 'must be no more than 253 characters'],
  ])('are refused as %j', async (name, message) => {
    const answer = await testCluster().ask('POST', ACCOUNTS, { body: { metadata: { name } } })
    expect(statusOf(answer)).toMatchObject({ code: 422, message: expect.stringContaining(message) })
  })

  it('need their namespace', async () => {
    const body = { metadata: { name: 'x' } }
    const answer = await testCluster().ask('POST', '/api/v1/namespaces/nope/serviceaccounts', { body })
    expectStatus(answer, 404, 'namespaces "nope" not found')
  })

  it('are refused to users without permission', async () => {
    const { ask, requestToken } = testCluster()
    for (const bearer of [LIMITED, await requestToken()]) {
      expect((await ask('GET', ACCOUNTS, { bearer })).status).toBe(403)
      expect((await ask('DELETE', `${ACCOUNTS}/demo`, { bearer })).status).toBe(403)
    }
  })

  it('with unusual names in their paths are answered without a failure', async () => {
    const { ask } = testCluster()
    for (const path of ['../serviceaccounts', '%zz', '%2e%2e']) {
      expect((await ask('GET', `/api/v1/namespaces/${path}`)).status).toBeLessThan(500)
    }
    const outside = '/api/v1/namespaces/../serviceaccounts/demo/token'
    expect((await ask('POST', outside, { body: {} })).status).toBe(404)
    for (const name of ['__proto__', 'constructor']) {
      expect((await ask('GET', `/api/v1/namespaces/lab/${name}`)).status).toBe(404)
      expect((await ask('GET', `${ACCOUNTS}/${name}`)).status).toBe(404)
    }
  })
})
