import { describe, expect, it } from 'vitest'
import type { ApiObject } from '../../../src/servers/kubernetes/shapes.js'
import { testCluster } from './support.js'

type Fields = Readonly<Record<string, Readonly<Record<string, object>>>>

/** The fields that the creator of an object owns, in the form of managedFields. */
async function owned(path: string, body: object): Promise<Fields> {
  const { metadata } = (await testCluster().ask('POST', path, { body })).json<ApiObject>()
  expect(metadata?.managedFields).toHaveLength(1)
  return metadata?.managedFields?.[0]?.fieldsV1 as Fields
}

describe('the creator of an object owns, as at the real server,', () => {
  it('generateName and the defaults of a pod, but not the account that admission adds', async () => {
    const spec = { containers: [{ name: 'c', image: 'i' }] }
    const body = { metadata: { generateName: 'gen-' }, spec }
    const fields = await owned('/api/v1/namespaces/lab/pods', body)
    expect(fields['f:metadata']).toEqual({ 'f:generateName': {} })
    expect(Object.keys(fields['f:spec'] ?? {})).toEqual([
      ...['f:containers', 'f:dnsPolicy', 'f:enableServiceLinks', 'f:restartPolicy', 'f:schedulerName'],
      ...['f:securityContext', 'f:terminationGracePeriodSeconds'],
    ])
    expect(fields).not.toHaveProperty('f:status')
    const named = await owned('/api/v1/namespaces/lab/pods', {
      ...body,
      spec: { ...spec, serviceAccountName: 'demo' },
    })
    expect(named['f:spec']).toMatchObject({ 'f:serviceAccount': {}, 'f:serviceAccountName': {} })
  })

  it('the label of a namespace, but not its finalizer', async () => {
    expect(await owned('/api/v1/namespaces', { metadata: { name: 'n' } })).toEqual({
      'f:metadata': { 'f:labels': { '.': {}, 'f:kubernetes.io/metadata.name': {} } },
    })
  })
})

it('a pod has TCP as the protocol of its ports', async () => {
  const ports = [{ containerPort: 80 }, { containerPort: 53, protocol: 'UDP' }]
  const made = await testCluster().ask('POST', '/api/v1/namespaces/lab/pods', {
    body: { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i', ports }] } },
  })
  expect(made.json<object>()).toMatchObject({
    spec: { containers: [{ ports: [{ containerPort: 80, protocol: 'TCP' }, { protocol: 'UDP' }] }] },
  })
})

describe('a node', () => {
  const table = [['accept', 'application/json;as=Table;v=v1;g=meta.k8s.io']] as const
  const cells = async (cluster: ReturnType<typeof testCluster>, name: string) => {
    const answer = await cluster.ask('GET', `/api/v1/nodes/${name}`, { headers: table })
    return answer.json<{ rows: { cells: unknown[] }[] }>().rows[0]?.cells
  }

  it('of the lab file is ready, with room for pods', async () => {
    const cluster = testCluster()
    expect((await cluster.ask('GET', '/api/v1/nodes/node-1')).json<object>()).toMatchObject({
      metadata: { labels: { 'kubernetes.io/hostname': 'node-1' } },
      status: {
        allocatable: { pods: '110' },
        conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-11-21T12:00:00Z' }],
      },
    })
    expect(await cells(cluster, 'node-1')).toEqual(['node-1', 'Ready', '<none>', '0s', 'v1.32.13'])
  })

  it('shows the status that its kubelet writes', async () => {
    const cluster = testCluster()
    await cluster.ask('POST', '/api/v1/nodes', {
      body: { metadata: { name: 'n' }, spec: { unschedulable: true } },
    })
    expect((await cells(cluster, 'n'))?.[1]).toBe('Unknown,SchedulingDisabled')
    await cluster.ask('PUT', '/api/v1/nodes/n/status', {
      body: { metadata: { name: 'n' }, status: { conditions: [{ type: 'Ready', status: 'False' }] } },
    })
    expect((await cells(cluster, 'n'))?.[1]).toBe('NotReady,SchedulingDisabled')
  })
})
