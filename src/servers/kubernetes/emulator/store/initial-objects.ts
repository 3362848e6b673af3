import { defined, isJsonObject } from '../../../../protocol/values.js'
import { aggregateRoles, BUILT_IN_ROLES, builtInBindings, namespaceAdmins } from '../rbac/built-in-roles.js'
import { withGroups } from '../rbac/role-checks.js'
import { SERVER_VERSION } from '../resources.js'
import type { ClusterSettings } from '../settings.js'
import { apiTime, type NewObject, namedUuid, type Store, type StoredResource } from './store.js'

/** The image of built-in pods, which only waits. */
const PAUSE_IMAGE = 'registry.k8s.io/pause:3.10'

/** A node that is ready since a time. Its kubelet has the version of the server. */
function builtInNode(name: string, since: string): NewObject {
  const resources = { cpu: '2', 'ephemeral-storage': '20Gi', memory: '4Gi', pods: '110' }
  const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady' }
  const labels = {
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
  }
  return {
    kind: 'Node',
    apiVersion: 'v1',
    metadata: { name, labels },
    spec: {},
    status: {
      capacity: resources,
      allocatable: resources,
      conditions: [{ ...ready, lastHeartbeatTime: since, lastTransitionTime: since }],
      addresses: [{ type: 'Hostname', address: name }],
      daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
      nodeInfo: {
        machineID: '',
        systemUUID: '',
        bootID: '',
        kernelVersion: '',
        osImage: 'oauth-lab',
        containerRuntimeVersion: '',
        kubeletVersion: SERVER_VERSION,
        kubeProxyVersion: '',
        operatingSystem: 'linux',
        architecture: 'amd64',
      },
    },
  }
}

function* initialObjects(settings: ClusterSettings, since: string): Generator<[StoredResource, NewObject]> {
  const { namespaces, nodes } = settings
  const made = (kind: string, name: string, namespace?: string, spec?: object): NewObject =>
    withDefaults(
      defined({ kind, apiVersion: 'v1', metadata: defined({ name, namespace }), spec }) as NewObject,
    )
  const pods = Object.values(namespaces).flatMap(each => each.pods)
  const allNodes = new Set([...nodes, ...pods.flatMap(({ node }) => (node === undefined ? [] : [node]))])
  for (const name of allNodes) yield ['nodes', builtInNode(name, since)]
  for (const [namespace, contents] of Object.entries(namespaces)) {
    yield ['namespaces', made('Namespace', namespace)]
    for (const name of new Set(['default', ...contents.serviceAccounts]))
      yield ['serviceaccounts', made('ServiceAccount', name, namespace)]
    for (const name of contents.secrets) yield ['secrets', made('Secret', name, namespace)]
    for (const { name, serviceAccount, node } of contents.pods) {
      const containers = [{ name: 'main', image: PAUSE_IMAGE }]
      const spec = defined({ containers, serviceAccountName: serviceAccount, nodeName: node })
      yield ['pods', made('Pod', name, namespace, spec)]
    }
    const { admins = [] } = contents
    if (admins.length > 0) yield ['rolebindings', namespaceAdmins(namespace, admins)]
  }
  for (const role of BUILT_IN_ROLES) yield ['clusterroles', role]
  for (const binding of builtInBindings(settings)) yield ['clusterrolebindings', binding]
}

/**
 * Adds the objects of the lab file and of every cluster. They have the same uid in every run.
 * @param now milliseconds since the epoch
 */
export function addInitialObjects(store: Store, settings: ClusterSettings, now: number): void {
  for (const [resource, object] of initialObjects(settings, apiTime(now))) {
    const { namespace = '', name } = object.metadata
    store.add(resource, object, namedUuid(`${resource}/${namespace}/${name}`))
  }
  aggregateRoles(store)
}

type Members = Readonly<Record<string, unknown>>

const CONTAINER = {
  resources: {},
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
}

/** The pull policy of an image: `latest`, and no tag, may change. */
function pullPolicy({ image }: Members): string {
  const reference = String(image ?? '')
  const tag = /:([^:/@]+)$/.exec(reference)?.[1]
  return reference.includes('@') || (tag !== undefined && tag !== 'latest') ? 'IfNotPresent' : 'Always'
}

/** The objects of a list. Go decodes a null in it as an empty one. */
const objectsOf = (list: unknown): Members[] =>
  Array.isArray(list) ? list.map(each => (isJsonObject(each) ? each : {})) : []

function withContainerDefaults(container: Members): Members {
  const { ports } = container
  const complete = { imagePullPolicy: pullPolicy(container), ...CONTAINER, ...container }
  if (!Array.isArray(ports)) return complete
  return { ...complete, ports: objectsOf(ports).map(each => ({ ...each, protocol: each.protocol || 'TCP' })) }
}

function podSpec({ containers, initContainers, serviceAccountName, nodeName, ...rest }: Members): object {
  const account = serviceAccountName || 'default'
  return defined({
    ...rest,
    containers: objectsOf(containers).map(withContainerDefaults),
    initContainers: Array.isArray(initContainers) ? objectsOf(initContainers) : initContainers,
    restartPolicy: rest.restartPolicy ?? 'Always',
    terminationGracePeriodSeconds: rest.terminationGracePeriodSeconds ?? 30,
    dnsPolicy: rest.dnsPolicy ?? 'ClusterFirst',
    serviceAccountName: account,
    serviceAccount: account,
    nodeName,
    securityContext: rest.securityContext ?? {},
    schedulerName: rest.schedulerName ?? 'default-scheduler',
    enableServiceLinks: rest.enableServiceLinks ?? true,
  })
}

/** `data` of a secret, with the texts of `stringData`, which the server never returns. */
function secretData({ stringData, data, ...rest }: NewObject): NewObject {
  const texts = Object.entries((stringData ?? {}) as Readonly<Record<string, string>>).map(
    ([name, text]) => [name, Buffer.from(text, 'utf8').toString('base64')] as const,
  )
  const merged = { ...(data as object | undefined), ...Object.fromEntries(texts) }
  return defined({
    ...rest,
    data: Object.keys(merged).length > 0 ? merged : undefined,
    type: rest.type ?? 'Opaque',
  }) as NewObject
}

/** Adds the members that the server sets on an object of this kind. Applying it twice changes nothing more. */
export function withDefaults(object: NewObject): NewObject {
  const { kind, metadata, spec } = object
  if (kind === 'Namespace') {
    const labels = { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name }
    return {
      ...object,
      metadata: { ...metadata, labels },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    }
  }
  if (kind === 'Pod') {
    const made = podSpec((spec ?? {}) as Members)
    const phase = 'nodeName' in made ? 'Running' : 'Pending'
    return { ...object, spec: made, status: { phase, qosClass: 'BestEffort' } }
  }
  if (kind === 'Secret') return secretData(object)
  if (kind === 'RoleBinding' || kind === 'ClusterRoleBinding') return withGroups(object)
  if (kind === 'Role' || kind === 'ClusterRole') return { ...object, rules: object.rules ?? null }
  return object
}
