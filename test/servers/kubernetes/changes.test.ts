import { describe, expect, it } from 'vitest'
import type { ApiObject, ManagedFields, ObjectMeta } from '../../../src/servers/kubernetes/shapes.js'
import { expectStatus, statusOf, testCluster } from './support.js'

const MAPS = '/api/v1/namespaces/lab/configmaps'
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/lab/leases'
const PODS = '/api/v1/namespaces/lab/pods'

interface ConfigMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>>
}

const MERGE = 'application/merge-patch+json'
const JSON_PATCH = 'application/json-patch+json'
const APPLY = 'application/apply-patch+yaml'

/** A cluster with a ConfigMap, and helpers to change it. */
async function cluster() {
  const made = testCluster()
  const created = await made.ask('POST', MAPS, { body: { metadata: { name: 'm' }, data: { a: '1' } } })
  const patch = (type: string, body: unknown, path = `${MAPS}/m`) =>
    made.ask('PATCH', path, { body, headers: [['content-type', type]] })
  const apply = (manager: string, data: object, more = '') => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' }, data }
    return patch(APPLY, body, `${MAPS}/m?fieldManager=${manager}${more}`)
  }
  const get = async (path = `${MAPS}/m`) => (await made.ask('GET', path)).json<ConfigMap>()
  return { ...made, patch, apply, get, first: created.json<ConfigMap>() }
}

describe('PUT', () => {
  it('replaces an object, which keeps its uid and gets a new version', async () => {
    const { ask, first } = await cluster()
    const answer = await ask('PUT', `${MAPS}/m`, { body: { ...first, data: { b: '2' } } })
    const { metadata, data } = answer.json<ConfigMap>()
    expect([answer.status, data, metadata?.uid]).toEqual([200, { b: '2' }, first.metadata?.uid])
    expect(Number(metadata?.resourceVersion)).toBe(Number(first.metadata?.resourceVersion) + 1)
  })

  it('that changes nothing keeps the version', async () => {
    const { ask, first } = await cluster()
    const { metadata } = (await ask('PUT', `${MAPS}/m`, { body: first })).json<ConfigMap>()
    expect(metadata).toEqual(first.metadata)
  })

  it('of an older version is a conflict, in the text of the real server', async () => {
    const { ask, first } = await cluster()
    await ask('PUT', `${MAPS}/m`, { body: { ...first, data: { b: '2' } } })
    expect(statusOf(await ask('PUT', `${MAPS}/m`, { body: { ...first, data: { c: '3' } } }))).toMatchObject({
      code: 409,
      reason: 'Conflict',
      details: { name: 'm', kind: 'configmaps' },
      message:
        'Operation cannot be fulfilled on configmaps "m": the object has been modified; please apply your changes to the latest version and try again',
    })
  })

  it.each([
    [{ metadata: {} }, 400, 'name must be provided'],
    [{ metadata: { name: 'x' } }, 400, 'the name of the object (x) does not match the name on the URL (m)'],
    [{ metadata: { name: 'm', uid: 'x' } }, 409, 'Precondition failed: UID in precondition: x'],
    [{ metadata: { name: 'm', namespace: 'default' } }, 400, 'namespace'],
    [{ metadata: { name: 'm' }, data: { a: 1 } }, 400, 'cannot unmarshal number'],
  ])('of %j is refused', async (body, code, message) => {
    const { ask } = await cluster()
    expectStatus(await ask('PUT', `${MAPS}/m`, { body }), code, message)
  })

  it('creates a missing lease, but no missing ConfigMap, and a lease needs its version', async () => {
    const { ask } = await cluster()
    expect((await ask('PUT', `${MAPS}/new`, { body: { metadata: { name: 'new' } } })).status).toBe(404)
    const lease = { metadata: { name: 'l' }, spec: { holderIdentity: 'a', leaseDurationSeconds: 15 } }
    expect((await ask('PUT', `${LEASES}/l`, { body: lease })).status).toBe(201)
    expect(statusOf(await ask('PUT', `${LEASES}/l`, { body: lease })).message).toContain(
      'metadata.resourceVersion: Invalid value: 0x0: must be specified for an update',
    )
    const wrong = { ...lease, spec: { leaseDurationSeconds: 0 } }
    expect((await ask('POST', LEASES, { body: { ...wrong, metadata: { name: 'w' } } })).status).toBe(422)
  })

  it('of a dry run changes nothing', async () => {
    const { ask, first, get } = await cluster()
    const answer = await ask('PUT', `${MAPS}/m?dryRun=All`, { body: { ...first, data: { b: '2' } } })
    expect(answer.json<ConfigMap>().data).toEqual({ b: '2' })
    expect(await get()).toEqual(first)
  })
})

describe('PATCH', () => {
  it.each([
    [MERGE, { data: { a: null, b: '2' } }, { b: '2' }],
    ['application/strategic-merge-patch+json', { data: { b: '2' } }, { a: '1', b: '2' }],
    [JSON_PATCH, [{ op: 'replace', path: '/data/a', value: '9' }], { a: '9' }],
  ])('in the form %s', async (type, body, data) => {
    const { patch, get } = await cluster()
    expect((await patch(type, body)).status).toBe(200)
    expect((await get()).data).toEqual(data)
  })

  it.each([
    [MERGE, { metadata: { name: 'x' } }, 422, 'metadata.name: Invalid value: "x": field is immutable'],
    [MERGE, { metadata: { resourceVersion: '1' } }, 409, 'the object has been modified'],
    [MERGE, { data: { a: 1 } }, 400, 'cannot unmarshal number'],
    [MERGE, '{', 400, 'error decoding patch'],
    [MERGE, '[]', 400, 'not a map'],
    [MERGE, { metadata: null }, 400, 'no metadata'],
    [JSON_PATCH, [{ op: 'test', path: '/data/a', value: '2' }], 422, 'testing path /data/a failed'],
    ['application/json', {}, 415, 'application/json-patch+json, application/merge-patch+json'],
    [APPLY, '{', 400, 'error decoding YAML'],
  ])('of %s %j is refused', async (type, body, code, message) => {
    const { patch, get, first } = await cluster()
    expectStatus(await patch(type, body, `${MAPS}/m?fieldManager=x`), code, message)
    expect(await get()).toEqual(first)
  })

  it('keeps who changed which field', async () => {
    const { patch, get } = await cluster()
    await patch(MERGE, { data: { b: '2' }, metadata: { labels: { l: '1' } } }, `${MAPS}/m?fieldManager=other`)
    const { managedFields = [] } = (await get()).metadata as ObjectMeta & { managedFields?: ManagedFields[] }
    expect(managedFields.map(each => [each.operation, each.fieldsV1])).toEqual([
      ['Update', { 'f:data': { '.': {}, 'f:a': {} } }],
      ['Update', { 'f:data': { 'f:b': {} }, 'f:metadata': { 'f:labels': { '.': {}, 'f:l': {} } } }],
    ])
    expect(managedFields.at(-1)?.manager).toBe('other')
  })

  it('of fixed parts of a pod is refused, and one of an image is not', async () => {
    const { patch } = await cluster()
    const fixed = await patch(MERGE, { spec: { serviceAccountName: 'other' } }, `${PODS}/web-0`)
    expectStatus(fixed, 422, 'may not change fields')
    const image = { spec: { containers: [{ name: 'main', image: 'x:2' }] } }
    const strategic = await patch('application/strategic-merge-patch+json', image, `${PODS}/web-0`)
    expect([strategic.status, strategic.text.includes('"image":"x:2"')]).toEqual([200, true])
  })
})

describe('server-side apply', () => {
  it('creates an object, and removes what its manager no longer has', async () => {
    const { apply, ask, get } = await cluster()
    await ask('DELETE', `${MAPS}/m`)
    expect((await apply('one', { a: '1', b: '2' })).status).toBe(201)
    expect((await apply('two', { b: '2', c: '3' })).status).toBe(200)
    expect((await apply('one', { a: '1' })).status).toBe(200)
    // `two` has b as well.
    expect((await get()).data).toEqual({ a: '1', b: '2', c: '3' })
    await apply('two', {})
    expect((await get()).data).toEqual({ a: '1' })
  })

  it('refuses to change a field of another manager, and takes it by force', async () => {
    const { apply, get } = await cluster()
    const refused = statusOf(await apply('one', { a: '2' }))
    expect(refused).toMatchObject({
      code: 409,
      reason: 'Conflict',
      details: { causes: [{ reason: 'FieldManagerConflict', field: '.data.a' }] },
    })
    expect(refused.message).toMatch(/^Apply failed with 1 conflict: conflict with ".*": \.data\.a$/)
    expect((await apply('one', { a: '1' })).status).toBe(200)
    expect((await apply('one', { a: '2' }, '&force=true')).status).toBe(200)
    expect((await get()).data).toEqual({ a: '2' })
  })

  it('that repeats itself keeps the version', async () => {
    const { apply, get, clock } = await cluster()
    await apply('one', { b: '2' })
    const before = await get()
    clock.now += 60_000
    await apply('one', { b: '2' })
    expect(await get()).toEqual(before)
  })

  it('names its manager, and may be written in YAML', async () => {
    const { patch } = await cluster()
    expect((await patch(APPLY, {})).status).toBe(422)
    const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: m }\ndata: { z: "1" }\n'
    const answer = await patch(APPLY, yaml, `${MAPS}/m?fieldManager=y`)
    expect(answer.json<ConfigMap>().data).toEqual({ a: '1', z: '1' })
  })

  it('of a missing object needs permission to create it', async () => {
    const { ask, patch } = await cluster()
    const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/lab'
    const rules = [{ verbs: ['patch'], apiGroups: [''], resources: ['configmaps'] }]
    await ask('POST', `${rbac}/roles`, { body: { metadata: { name: 'p' }, rules } })
    const roleRef = { kind: 'Role', name: 'p' }
    const subjects = [{ kind: 'User', name: 'bob' }]
    await ask('POST', `${rbac}/rolebindings`, { body: { metadata: { name: 'p' }, roleRef, subjects } })
    const asBob = (name: string) =>
      ask('PATCH', `${MAPS}/${name}?fieldManager=bob`, {
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { n: '1' } },
        headers: [
          ['content-type', APPLY],
          ['impersonate-user', 'bob'],
        ],
      })
    expect((await asBob('m')).status).toBe(200)
    expect(statusOf(await asBob('new')).message).toContain('cannot create resource "configmaps"')
    expect((await patch(MERGE, {}, `${MAPS}/new`)).status).toBe(404)
  })
})

it('finalizers keep a deleted object until the last one is removed', async () => {
  const { patch, ask, get } = await cluster()
  await patch(MERGE, { metadata: { finalizers: ['lab/f'] } })
  expect((await ask('DELETE', `${MAPS}/m`)).json<ConfigMap>().metadata).toHaveProperty('deletionTimestamp')
  expect((await get()).metadata).toMatchObject({ finalizers: ['lab/f'], deletionGracePeriodSeconds: 0 })
  await patch(MERGE, { metadata: { finalizers: null } })
  expect((await ask('GET', `${MAPS}/m`)).status).toBe(404)
})

describe('controllers', () => {
  it('give every namespace an account, again after it was deleted', async () => {
    const { ask } = testCluster()
    await ask('POST', '/api/v1/namespaces', { body: { metadata: { name: 'team' } } })
    const path = '/api/v1/namespaces/team/serviceaccounts/default'
    const uid = async () => (await ask('GET', path)).json<ApiObject>().metadata?.uid
    const first = await uid()
    await ask('DELETE', path)
    expect([typeof (await uid()), (await uid()) === first]).toEqual(['string', false])
    await ask('DELETE', '/api/v1/namespaces/team')
    expect((await ask('GET', path)).status).toBe(404)
  })

  it('put a token without an end into a secret of its type, which is good until the secret or the account goes', async () => {
    const { ask, review } = testCluster({ caPem: 'PEM' })
    const secret = {
      metadata: { name: 'tok', annotations: { 'kubernetes.io/service-account.name': 'demo' } },
      type: 'kubernetes.io/service-account-token',
    }
    const secrets = '/api/v1/namespaces/lab/secrets'
    const made = (await ask('POST', secrets, { body: secret })).json<ConfigMap>()
    const data = Object.fromEntries(
      Object.entries(made.data ?? {}).map(([name, value]) => [name, Buffer.from(value, 'base64').toString()]),
    )
    expect(data).toMatchObject({ 'ca.crt': 'PEM', namespace: 'lab', token: expect.stringMatching(/^eyJ/) })
    const user = { username: 'system:serviceaccount:lab:demo' }
    expect(await review(data.token!)).toMatchObject({ authenticated: true, user })
    await ask('DELETE', '/api/v1/namespaces/lab/serviceaccounts/demo')
    expect((await ask('GET', `${secrets}/tok`)).status).toBe(404)
    expect(await review(data.token!)).toMatchObject({
      error: '[invalid bearer token, service account token has been invalidated]',
    })
    expect((await ask('POST', secrets, { body: { ...secret, metadata: { name: 't' } } })).status).toBe(422)
  })
})

describe('a collection', () => {
  it('is deleted by selectors', async () => {
    const { ask, get } = await cluster()
    for (const name of ['x', 'y']) {
      await ask('POST', MAPS, { body: { metadata: { name, labels: { app: name } } } })
    }
    await ask('DELETE', `${MAPS}?labelSelector=app%20in%20(x,z)`)
    const { items } = (await ask('GET', MAPS)).json<{ items: ConfigMap[] }>()
    expect(items.map(each => each.metadata?.name)).toEqual(['m', 'y'])
    expect((await get()).data).toEqual({ a: '1' })
    expect((await ask('DELETE', '/api/v1/namespaces')).status).toBe(405)
  })

  it('is given as metadata alone to clients that prefer it', async () => {
    const { ask } = await cluster()
    const accept = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json'
    const list = (await ask('GET', MAPS, { headers: [['accept', accept]] })).json<{ items: object[] }>()
    expect(list).toMatchObject({ kind: 'PartialObjectMetadataList' })
    expect(list.items[0]).not.toHaveProperty('data')
  })

  it('of a version of the future is a time-out, as at the real server', async () => {
    const { ask } = await cluster()
    expect(statusOf(await ask('GET', `${MAPS}?resourceVersion=999999`))).toMatchObject({
      code: 504,
      reason: 'Timeout',
      details: { causes: [{ reason: 'ResourceVersionTooLarge' }] },
    })
  })
})
