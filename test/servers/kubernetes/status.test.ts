import { describe, expect, it } from 'vitest'
import type { ApiObject, ManagedFields } from '../../../src/servers/kubernetes/shapes.js'
import { ADMIN, LIMITED, statusOf, testCluster } from './support.js'

const POD = '/api/v1/namespaces/lab/pods/web-0'

interface Pod extends ApiObject {
  readonly spec: Readonly<Record<string, unknown>>
  readonly status: Readonly<Record<string, unknown>>
}

const MERGE = [['content-type', 'application/merge-patch+json']] as const

function cluster() {
  const made = testCluster()
  const get = async (path = POD) => (await made.ask('GET', path)).json<Pod>()
  const put = (body: object, path = `${POD}/status`) => made.ask('PUT', path, { body })
  const apply = (manager: string, body: object, path = `${POD}/status`) =>
    made.ask('PATCH', `${path}?fieldManager=${manager}`, {
      body: { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'web-0' }, ...body },
      headers: [['content-type', 'application/apply-patch+yaml']],
    })
  return { ...made, get, put, apply }
}

describe('the status of a pod', () => {
  it('is written by its own path, which leaves the spec alone', async () => {
    const { get, put } = cluster()
    const before = await get()
    const sent = { ...before, spec: { ...before.spec, nodeName: 'other' }, status: { phase: 'Failed' } }
    const answer = await put(sent)
    expect(answer.status).toBe(200)
    const after = await get(`${POD}/status`)
    expect([after.status, after.spec]).toEqual([{ phase: 'Failed' }, before.spec])
    expect(Number(after.metadata?.resourceVersion)).toBeGreaterThan(Number(before.metadata?.resourceVersion))
  })

  it('stays when the pod itself is changed', async () => {
    const { get, put, ask } = cluster()
    await put({ metadata: { name: 'web-0' }, status: { phase: 'Succeeded' } })
    await ask('PATCH', POD, {
      body: { metadata: { labels: { a: 'b' } }, status: { phase: 'Failed' } },
      headers: MERGE,
    })
    expect(await get()).toMatchObject({ metadata: { labels: { a: 'b' } }, status: { phase: 'Succeeded' } })
  })

  it('can be patched, and applied by several managers', async () => {
    const { get, ask, apply } = cluster()
    const patched = await ask('PATCH', `${POD}/status`, {
      body: { status: { message: 'm' } },
      headers: MERGE,
    })
    expect(patched.json<Pod>().status).toMatchObject({ phase: 'Running', message: 'm' })
    const applied = await apply('kubelet', { status: { reason: 'r' }, spec: { nodeName: 'ignored' } })
    expect(applied.json<Pod>()).toMatchObject({
      spec: { nodeName: 'node-1' },
      status: { message: 'm', reason: 'r' },
    })
    const { metadata } = await get()
    expect(
      metadata?.managedFields?.map(({ manager, operation, subresource, fieldsV1 }: ManagedFields) => ({
        manager,
        operation,
        subresource,
        fieldsV1,
      })),
    ).toContainEqual({
      manager: 'kubelet',
      operation: 'Apply',
      subresource: 'status',
      fieldsV1: { 'f:status': { 'f:reason': {} } },
    })
    // A configuration without the field gives it up.
    expect((await apply('kubelet', { status: {} })).json<Pod>().status).not.toHaveProperty('reason')
    expect(statusOf(await apply('other', { status: { message: 'x' } }))).toMatchObject({
      code: 409,
      reason: 'Conflict',
      details: { causes: [{ field: '.status.message' }] },
    })
  })

  it('that belongs to nobody is no conflict, and the applier of a pod owns none of it', async () => {
    const { apply } = cluster()
    const { metadata } = (
      await apply('a', { metadata: { name: 'web-0', labels: { x: 'y' } }, status: { phase: 'x' } }, POD)
    ).json<Pod>()
    expect(metadata?.managedFields?.find(each => each.manager === 'a')?.fieldsV1).toEqual({
      'f:metadata': { 'f:labels': { 'f:x': {} } },
    })
  })

  it.each([
    ['PUT', { metadata: { name: 'web-0', resourceVersion: '1' } }, 409],
    ['PUT', { metadata: { name: 'web-0' }, status: 'x' }, 400],
    ['PUT', { metadata: { name: 'other' } }, 400],
    ['DELETE', undefined, 405],
    ['POST', { metadata: { name: 'web-0' } }, 405],
  ])('refuses %s of %j', async (method, body, code) => {
    const { ask } = cluster()
    expect((await ask(method, `${POD}/status`, { body })).status).toBe(code)
  })

  it('of a missing pod is not found, and a ConfigMap has none', async () => {
    const { ask, apply, put } = cluster()
    const missing = '/api/v1/namespaces/lab/pods/nope/status'
    expect((await ask('GET', missing)).status).toBe(404)
    expect((await put({ metadata: { name: 'nope' } }, missing)).status).toBe(404)
    expect((await apply('a', { metadata: { name: 'nope' } }, missing)).status).toBe(404)
    expect((await ask('GET', '/api/v1/namespaces/lab/configmaps/x/status')).status).toBe(404)
  })

  it('needs a permission of its own', async () => {
    const { ask } = cluster()
    const refused = await ask('GET', `${POD}/status`, { bearer: LIMITED })
    expect(statusOf(refused).message).toBe(
      'pods "web-0" is forbidden: User "limited" cannot get resource "pods/status" in API group "" in the namespace "lab"',
    )
    expect((await ask('GET', `${POD}/status`, { bearer: ADMIN })).status).toBe(200)
  })
})

it('discovery names the status of namespaces, nodes and pods', async () => {
  const { ask } = cluster()
  const { resources } = (await ask('GET', '/api/v1')).json<{ resources: Record<string, unknown>[] }>()
  expect(resources.filter(({ name }) => String(name).endsWith('/status'))).toEqual(
    [
      ['namespaces', 'Namespace', false],
      ['nodes', 'Node', false],
      ['pods', 'Pod', true],
    ].map(([name, kind, namespaced]) => ({
      name: `${name}/status`,
      singularName: '',
      namespaced,
      kind,
      verbs: ['get', 'patch', 'update'],
    })),
  )
  for (const path of ['/api/v1/namespaces/lab/status', '/api/v1/nodes/node-1/status']) {
    expect((await ask('GET', path)).status).toBe(200)
  }
})
