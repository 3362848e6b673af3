import { describe, expect, it } from 'vitest'
import type { HeaderList } from '../../../src/protocol/http/message.js'
import { uncovered } from '../../../src/servers/kubernetes/emulator/rbac/authorizer.js'
import { expectStatus, LIMITED, statusOf, testCluster } from './support.js'

const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const LAB = `${RBAC}/namespaces/lab`
const AUTHORIZATION = '/apis/authorization.k8s.io/v1'
const PODS = '/api/v1/namespaces/lab/pods'
const GROUP = 'rbac.authorization.k8s.io'

const as = (user: string, ...groups: string[]): HeaderList => [
  ['impersonate-user', user],
  ...groups.map(each => ['Impersonate-Group', each] as const),
]

const binding = (name: string, role: string, subject: object, kind = 'ClusterRole') => ({
  metadata: { name },
  roleRef: { kind, name: role },
  subjects: [subject],
})
const bob = { kind: 'User', name: 'bob' }
const demo = { kind: 'ServiceAccount', name: 'demo', namespace: 'lab' }

/** A cluster with helpers to bind roles, each of which has to succeed. */
function cluster() {
  const made = testCluster()
  const create = async (path: string, body: object) => {
    const answer = await made.ask('POST', path, { body })
    expect([path, answer.status, answer.status === 201 ? '' : answer.text]).toEqual([path, 201, ''])
  }
  const asBob = (method: string, path: string, body?: unknown) =>
    made.ask(method, path, { headers: as('bob'), body })
  return { ...made, create, asBob }
}

describe('impersonation', () => {
  const whoami = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
  const userOf = async (headers: HeaderList) =>
    (await testCluster().ask('POST', whoami, { body: {}, headers })).json<{ status: { userInfo: object } }>()
      .status.userInfo

  it('makes the request one of the named user, with the groups of the real server', async () => {
    expect(await userOf(as('alice'))).toEqual({ username: 'alice', groups: ['system:authenticated'] })
    expect(await userOf([...as('alice', 'dev', 'ops'), ['impersonate-uid', '7']])).toEqual({
      username: 'alice',
      uid: '7',
      groups: ['dev', 'ops', 'system:authenticated'],
    })
    expect(await userOf(as('system:serviceaccount:lab:demo'))).toEqual({
      username: 'system:serviceaccount:lab:demo',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:lab', 'system:authenticated'],
    })
    const named = await userOf(as('alice', 'system:authenticated'))
    expect(named).toMatchObject({ groups: ['system:authenticated'] })
    const scope: HeaderList = [
      ['Impersonate-Extra-Acme.com%2FScope', 'x'],
      ['impersonate-extra-acme.com%2fscope', 'y'],
    ]
    expect(await userOf([...as('a'), ...scope])).toMatchObject({ extra: { 'acme.com/scope': ['x', 'y'] } })
  })

  it('gives an anonymous user no rights of authenticated ones', async () => {
    const answer = await testCluster().ask('POST', whoami, { body: {}, headers: as('system:anonymous') })
    expect(answer.status).toBe(403)
  })

  it.each([
    [
      as('bob'),
      'users "bob" is forbidden: User "limited" cannot impersonate resource "users" in API group "" at the cluster scope',
    ],
    [
      as('system:serviceaccount:lab:demo'),
      'serviceaccounts "demo" is forbidden: User "limited" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "lab"',
    ],
  ])('is refused to users without permission: %j', async (headers, message) => {
    const answer = await testCluster().ask('GET', PODS, { headers, bearer: LIMITED })
    expect(statusOf(answer)).toMatchObject({ code: 403, reason: 'Forbidden', message })
  })

  it.each([
    [[['impersonate-group', 'g']], 'groups'],
    [[['impersonate-uid', '1']], 'uids.authentication.k8s.io'],
    [[['impersonate-extra-scopes', 's']], 'userextras.authentication.k8s.io'],
  ] as const)('needs permission for each part: %j', async (more, resource) => {
    const { ask, create } = cluster()
    const rules = [{ verbs: ['impersonate'], apiGroups: [''], resources: ['users'] }]
    await create(`${RBAC}/clusterroles`, { metadata: { name: 'imp' }, rules })
    await create(`${RBAC}/clusterrolebindings`, binding('imp', 'imp', { kind: 'User', name: 'limited' }))
    const allowed = await ask('POST', whoami, { body: {}, headers: as('bob'), bearer: LIMITED })
    expect(allowed.status).toBe(201)
    const headers = [...as('bob'), ...more]
    expectStatus(await ask('POST', whoami, { body: {}, headers, bearer: LIMITED }), 403, `${resource} `)
  })

  it('without a user is an error', async () => {
    const answer = await testCluster().ask('GET', PODS, { headers: [['impersonate-group', 'g']] })
    expect([answer.status, statusOf(answer).message]).toEqual([
      500,
      'Internal Server Error: "/api/v1/namespaces/lab/pods": requested [{Group  g    }] without impersonating a user',
    ])
  })

  it('is reported with the sender', async () => {
    const { ask, events } = testCluster()
    await ask('POST', whoami, { body: {}, headers: as('bob') })
    const told = events.find(({ type }) => type === 'cluster.impersonated')
    expect(told).toMatchObject({ username: 'bob', by: 'admin' })
  })
})

describe('a role', () => {
  it('allows its verbs in the namespace of its binding alone', async () => {
    const { create, asBob } = cluster()
    const rules = [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] }]
    await create(`${LAB}/roles`, { metadata: { name: 'reader' }, rules })
    expect((await asBob('GET', PODS)).status).toBe(403)
    await create(`${LAB}/rolebindings`, binding('bob-reads', 'reader', bob, 'Role'))
    expect((await asBob('GET', PODS)).status).toBe(200)
    expect((await asBob('GET', `${PODS}/web-0`)).status).toBe(200)
    for (const [method, path] of [
      ['DELETE', `${PODS}/web-0`],
      ['GET', '/api/v1/pods'],
      ['GET', '/api/v1/namespaces/default/pods'],
      ['GET', '/api/v1/namespaces/lab/secrets'],
      ['GET', `${PODS}?watch=1`],
    ] as const) {
      expect([path, (await asBob(method, path)).status]).toEqual([path, 403])
    }
  })

  it('may be limited to names, which a field selector names too', async () => {
    const { create, asBob } = cluster()
    const secrets = { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['secrets'] }
    const rules = [{ ...secrets, resourceNames: ['demo-key'] }]
    await create(`${LAB}/roles`, { metadata: { name: 'one' }, rules })
    await create(`${LAB}/rolebindings`, binding('one', 'one', bob, 'Role'))
    const path = '/api/v1/namespaces/lab/secrets'
    expect((await asBob('GET', `${path}/demo-key`)).status).toBe(200)
    expect((await asBob('GET', `${path}/other`)).status).toBe(403)
    expect((await asBob('GET', path)).status).toBe(403)
    expect((await asBob('GET', `${path}?fieldSelector=metadata.name%3Ddemo-key`)).status).toBe(200)
  })

  it('of subresources and of paths is separate', async () => {
    const { create, asBob, ask } = cluster()
    const rules = [
      { verbs: ['create'], apiGroups: [''], resources: ['serviceaccounts/token'] },
      { verbs: ['get'], nonResourceURLs: ['/metrics*'] },
    ]
    await create(`${RBAC}/clusterroles`, { metadata: { name: 'mint' }, rules })
    await create(`${RBAC}/clusterrolebindings`, binding('mint', 'mint', bob))
    const token = await asBob('POST', '/api/v1/namespaces/lab/serviceaccounts/demo/token', {})
    expect(token.status).toBe(201)
    expect((await asBob('GET', '/api/v1/namespaces/lab/serviceaccounts')).status).toBe(403)
    expect((await asBob('GET', '/metrics/x')).status).toBe(404)
    expect((await ask('GET', '/metrics/x', { bearer: LIMITED })).status).toBe(403)
  })

  it('that is missing is named in the refusal', async () => {
    const { create, asBob } = cluster()
    await create(`${LAB}/rolebindings`, binding('gone', 'nope', bob))
    expect(statusOf(await asBob('GET', PODS)).message).toBe(
      'pods is forbidden: User "bob" cannot list resource "pods" in API group "" in the namespace "lab": RBAC: clusterrole.rbac.authorization.k8s.io "nope" not found',
    )
  })

  it.each([
    [
      { verbs: [], apiGroups: [''], resources: ['pods'] },
      'rules[0].verbs: Required value: verbs must contain at least one value',
    ],
    [
      { verbs: ['get'], resources: ['pods'] },
      'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
    ],
    [
      { verbs: ['get'], nonResourceURLs: ['/x'] },
      'rules[0].nonResourceURLs: Invalid value: []string{"/x"}: namespaced rules cannot apply to non-resource URLs',
    ],
  ])('is checked: %j', async (rule, message) => {
    const body = { metadata: { name: 'r' }, rules: [rule] }
    expectStatus(await testCluster().ask('POST', `${LAB}/roles`, { body }), 422, message)
  })
})

describe('the built-in roles', () => {
  it('are those of a real cluster, with the rules of the roles that they are made of', async () => {
    const { ask } = testCluster()
    const { items } = (await ask('GET', `${RBAC}/clusterroles`)).json<{
      items: { metadata: { name: string }; rules: { resources?: string[] }[] }[]
    }>()
    const rules = Object.fromEntries(
      items.map(({ metadata, rules }) => [metadata.name, rules.flatMap(each => each.resources ?? [])]),
    )
    expect(Object.keys(rules)).toEqual(
      expect.arrayContaining(['admin', 'cluster-admin', 'edit', 'system:auth-delegator', 'view']),
    )
    expect(rules.view).not.toContain('secrets')
    expect(rules.edit).toEqual(expect.arrayContaining(['pods', 'secrets', 'leases', 'pods/log']))
    expect(rules.admin).toEqual(expect.arrayContaining(['rolebindings', 'secrets', 'pods/log']))
  })

  it.each([
    ['view', 'list pods', true],
    ['view', 'list secrets', false],
    ['view', 'create pods', false],
    ['edit', 'create secrets', true],
    ['edit', 'create rolebindings rbac.authorization.k8s.io', false],
    ['admin', 'create rolebindings rbac.authorization.k8s.io', true],
    ['admin', 'delete nodes', false],
    ['cluster-admin', 'delete nodes', true],
  ])('%s: %s is %s', async (role, question, allowed) => {
    const { ask, create } = cluster()
    await create(`${LAB}/rolebindings`, binding('b', role, { kind: 'Group', name: 'team' }))
    const [verb, resource, group] = question.split(' ')
    const resourceAttributes = { namespace: 'lab', verb, resource, group }
    const body = { spec: { user: 'bob', groups: ['team'], resourceAttributes } }
    const answer = await ask('POST', `${AUTHORIZATION}/subjectaccessreviews`, { body })
    expect(answer.json()).toMatchObject({ status: { allowed } })
  })

  it('grow by roles with their label', async () => {
    const { create, asBob } = cluster()
    await create(`${LAB}/rolebindings`, binding('b', 'view', bob))
    const path = '/apis/coordination.k8s.io/v1/namespaces/lab/leases'
    expect((await asBob('GET', path)).status).toBe(403)
    await create(`${RBAC}/clusterroles`, {
      metadata: { name: 'more', labels: { [`${GROUP}/aggregate-to-view`]: 'true' } },
      rules: [{ verbs: ['list'], apiGroups: ['coordination.k8s.io'], resources: ['leases'] }],
    })
    expect((await asBob('GET', path)).status).toBe(200)
  })
})

describe('permissions that a user does not have', () => {
  it('cannot be given away by a role', async () => {
    const { create, asBob } = cluster()
    await create(`${LAB}/rolebindings`, binding('b', 'admin', bob))
    const rules = [{ verbs: ['get', 'delete'], apiGroups: [''], resources: ['pods', 'nodes'] }]
    const answer = await asBob('POST', `${LAB}/roles`, { metadata: { name: 'wide' }, rules })
    expect([answer.status, statusOf(answer).message]).toEqual([
      403,
      'roles.rbac.authorization.k8s.io "wide" is forbidden: user "bob" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["nodes"], Verbs:["get" "delete"]}',
    ])
    const narrow = { metadata: { name: 'wide' }, rules: [{ ...rules[0], resources: ['pods'] }] }
    expect((await asBob('POST', `${LAB}/roles`, narrow)).status).toBe(201)
    expect((await asBob('PUT', `${LAB}/roles/wide`, { metadata: { name: 'wide' }, rules })).status).toBe(403)
    const patch = await asBob('PATCH', `${LAB}/roles/wide`, {})
    expect(patch.status).toBe(415)
  })

  it('cannot be given away by a binding, except with the verb bind', async () => {
    const { create, asBob } = cluster()
    await create(`${LAB}/rolebindings`, binding('b', 'admin', bob))
    const grab = binding('grab', 'cluster-admin', bob)
    expect((await asBob('POST', `${LAB}/rolebindings`, grab)).status).toBe(403)
    expect((await asBob('POST', `${LAB}/rolebindings`, binding('ok', 'view', bob))).status).toBe(201)
    const bindable = { verbs: ['bind'], apiGroups: [GROUP], resources: ['clusterroles'] }
    const rules = [{ ...bindable, resourceNames: ['cluster-admin'] }]
    await create(`${LAB}/roles`, { metadata: { name: 'binder' }, rules })
    await create(`${LAB}/rolebindings`, binding('binder', 'binder', bob, 'Role'))
    expect((await asBob('POST', `${LAB}/rolebindings`, grab)).status).toBe(201)
  })

  it('are compared rule by rule', () => {
    const rule = (verbs: string[], resources: string[], more: object = {}) => ({
      verbs,
      apiGroups: [''],
      resources,
      ...more,
    })
    expect(uncovered([rule(['*'], ['*'])], [rule(['get'], ['pods', 'pods/log'])])).toEqual([])
    expect(uncovered([rule(['get'], ['*/log'])], [rule(['get'], ['pods/log'])])).toEqual([])
    const named = rule(['get'], ['pods'], { resourceNames: ['a'] })
    expect(uncovered([named], [rule(['get'], ['pods'])])).toHaveLength(1)
    expect(uncovered([rule(['get'], ['pods'])], [rule(['*'], ['pods'])])).toHaveLength(1)
    const many = Array.from({ length: 200 }, (_, i) => `r${i}`)
    expect(uncovered([], [rule(many, many)])).toBeUndefined()
  })
})

describe('a binding', () => {
  it('keeps its role', async () => {
    const { ask, create } = cluster()
    await create(`${LAB}/rolebindings`, binding('b', 'view', bob))
    const other = await ask('PUT', `${LAB}/rolebindings/b`, { body: binding('b', 'edit', bob) })
    expectStatus(other, 422, 'cannot change roleRef')
    const same = await ask('PUT', `${LAB}/rolebindings/b`, { body: binding('b', 'view', demo) })
    expect(same.json()).toMatchObject({ subjects: [demo], roleRef: { apiGroup: GROUP } })
  })

  it.each([
    [
      { kind: 'Robot', name: 'x' },
      'subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"',
    ],
    [{ kind: 'User', name: '' }, 'subjects[0].name: Required value'],
    [{ kind: 'ServiceAccount', name: 'x' }, 'subjects[0].namespace: Required value'],
  ])('is checked: %j', async (subject, message) => {
    const body = binding('b', 'view', subject)
    expectStatus(await testCluster().ask('POST', `${RBAC}/clusterrolebindings`, { body }), 422, message)
  })
})

describe('reviews of permissions', () => {
  const review = async (spec: object, path = `${AUTHORIZATION}/subjectaccessreviews`) =>
    testCluster().ask('POST', path, { body: { spec } })
  const pods = { namespace: 'lab', verb: 'list', resource: 'pods' }

  it('give the reason of RBAC', async () => {
    const { ask, create } = cluster()
    await create(`${LAB}/rolebindings`, binding('b', 'view', demo))
    const spec = { user: 'system:serviceaccount:lab:demo', resourceAttributes: pods }
    const answer = await ask('POST', `${AUTHORIZATION}/subjectaccessreviews`, { body: { spec } })
    expect(answer.json()).toMatchObject({
      kind: 'SubjectAccessReview',
      spec,
      status: {
        allowed: true,
        reason: 'RBAC: allowed by RoleBinding "b/lab" of ClusterRole "view" to ServiceAccount "demo/lab"',
      },
    })
  })

  it('are open to service accounts that may delegate, as verifiers of tokens need', async () => {
    const { ask, create, requestToken } = cluster()
    const bearer = await requestToken()
    const spec = { user: 'bob', nonResourceAttributes: { path: '/metrics', verb: 'get' } }
    const sar = `${AUTHORIZATION}/subjectaccessreviews`
    const tokens = '/apis/authentication.k8s.io/v1/tokenreviews'
    expect((await ask('POST', sar, { body: { spec }, bearer })).status).toBe(403)
    await create(`${RBAC}/clusterrolebindings`, binding('d', 'system:auth-delegator', demo))
    const answer = await ask('POST', sar, { body: { spec }, bearer })
    expect([answer.status, answer.json<{ status: object }>().status]).toEqual([201, { allowed: false }])
    expect((await ask('POST', tokens, { body: { spec: { token: bearer } }, bearer })).status).toBe(201)
    expect((await ask('GET', PODS, { bearer })).status).toBe(403)
  })

  it('of one namespace stay in it', async () => {
    const local = `${AUTHORIZATION}/namespaces/lab/localsubjectaccessreviews`
    expect((await review({ user: 'bob', resourceAttributes: pods }, local)).status).toBe(201)
    const other = { ...pods, namespace: 'default' }
    expect((await review({ user: 'bob', resourceAttributes: other }, local)).status).toBe(400)
  })

  it.each([
    [
      { resourceAttributes: pods },
      'spec.user: Invalid value: "": at least one of user or group must be specified',
    ],
    [
      { user: 'bob' },
      'spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
    ],
    [
      { user: 'bob', resourceAttributes: pods, nonResourceAttributes: { path: '/', verb: 'get' } },
      'spec.nonResourceAttributes: Invalid value: {"path":"/","verb":"get"}: cannot be specified in combination with resourceAttributes',
    ],
  ])('need one question about somebody: %j', async (spec, message) => {
    expectStatus(await review(spec), 422, message)
  })

  it('list the rules of the sender in a namespace', async () => {
    const { create, asBob } = cluster()
    await create(`${LAB}/rolebindings`, binding('b', 'view', bob))
    const rules = async (namespace: string) =>
      (await asBob('POST', `${AUTHORIZATION}/selfsubjectrulesreviews`, { spec: { namespace } })).text
    expect(await rules('lab')).toContain('"configmaps"')
    expect(await rules('default')).not.toContain('"configmaps"')
  })
})

describe('the admins of a namespace in the lab file', () => {
  const contents = { serviceAccounts: ['demo'], pods: [], secrets: [] }
  const cluster = testCluster({
    namespaces: { 'k7-01': { ...contents, admins: ['k7-01'] }, 'k7-02': { ...contents, admins: ['k7-02'] } },
    tokens: [
      { token: 'first', username: 'k7-01', groups: ['oauth-lab:reviewers'] },
      { token: 'plain', username: 'k7-01', groups: [] },
    ],
  })
  const token = (namespace: string) => `/api/v1/namespaces/${namespace}/serviceaccounts/demo/token`
  const review = '/apis/authentication.k8s.io/v1/tokenreviews'

  it.each<[method: string, path: string, bearer: string, status: number]>([
    ['GET', '/api/v1/namespaces/k7-01/secrets', 'first', 200],
    ['POST', token('k7-01'), 'first', 201],
    ['GET', '/api/v1/namespaces/k7-02/secrets', 'first', 403],
    ['POST', token('k7-02'), 'first', 403],
    ['GET', '/api/v1/secrets', 'first', 403],
    ['GET', `${RBAC}/clusterrolebindings`, 'first', 403],
    ['POST', review, 'first', 201],
    ['POST', review, 'plain', 403],
  ])('may %s %s with the token %s: %i', async (method, path, bearer, status) => {
    const body = method === 'POST' ? { spec: path === review ? { token: 'x' } : {} } : undefined
    const answer = await cluster.ask(method, path, { bearer, body })
    expect(answer.status).toBe(status)
  })
})
