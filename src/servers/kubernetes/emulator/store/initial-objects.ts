import { defined } from '../../../../protocol/values.js'
import { BUILT_IN_ROLES, builtInBindings } from '../rbac/built-in-roles.js'
import { aggregateRoles } from '../rbac/stored-rbac.js'
import { SERVER_VERSION } from '../server-version.js'
import type { ClusterSettings } from '../settings.js'
import { apiTime } from '../times.js'
import { namedUuid } from '../uuid.js'
import { withDefaults } from './defaults.js'
import type { NewObject, StoredResource } from './model.js'
import type { Store } from './store.js'

/** The image of built-in pods, which only waits. */
const PAUSE_IMAGE = 'registry.k8s.io/pause:3.10'

/** A node that is ready since a time. Its kubelet has the version of the server. */
function builtInNode(name: string, since: string): NewObject {
  const resources = { cpu: '2', 'ephemeral-storage': '20Gi', memory: '4Gi', pods: '110' }
  const unknown = { machineID: '', systemUUID: '', bootID: '', kernelVersion: '' }
  const labels = { arch: 'amd64', hostname: name, os: 'linux' }
  return {
    ...{ kind: 'Node', apiVersion: 'v1' },
    metadata: {
      name,
      labels: Object.fromEntries(
        Object.entries(labels).map(([key, value]) => [`kubernetes.io/${key}`, value]),
      ),
    },
    spec: {},
    status: {
      capacity: resources,
      allocatable: resources,
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'KubeletReady',
          lastHeartbeatTime: since,
          lastTransitionTime: since,
        },
      ],
      addresses: [{ type: 'Hostname', address: name }],
      daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
      nodeInfo: {
        ...unknown,
        ...{
          osImage: 'oauth-lab',
          containerRuntimeVersion: '',
          kubeletVersion: SERVER_VERSION,
          kubeProxyVersion: '',
        },
        ...{ operatingSystem: 'linux', architecture: 'amd64' },
      },
    },
  }
}

function* initialObjects(settings: ClusterSettings, since: string): Generator<[StoredResource, NewObject]> {
  const { namespaces, nodes, publicDiscovery } = settings
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
  }
  for (const role of BUILT_IN_ROLES) yield ['clusterroles', role]
  for (const binding of builtInBindings(publicDiscovery)) yield ['clusterrolebindings', binding]
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
