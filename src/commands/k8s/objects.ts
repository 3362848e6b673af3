import { TransportError } from '../../protocol/errors.js'
import { makeSafe } from '../../protocol/safe-output/safe.js'
import {
  type ApiRequest,
  accountResource,
  createAccountRequest,
  createPodRequest,
  deleteRequest,
  listRequest,
  podResource,
  selfSubjectReview,
} from '../../servers/kubernetes/client/requests.js'
import type { ApiObject, ObjectList, SelfSubjectReview } from '../../servers/kubernetes/shapes.js'
import { checkName } from '../../session/targets/cluster.js'
import { objectTable, userRows } from '../../show/render/kubernetes/cluster-lines.js'
import { tableLines } from '../../show/render/text/text.js'
import { narrate, print, printJson, terminalColumns } from '../output/output.js'
import type { Globals } from '../program/globals.js'
import { withCluster } from './cluster.js'
import { type ClusterFlags, printObject, printResult, readRun } from './options.js'

/** Flags of the commands for objects. */
interface ObjectFlags extends ClusterFlags {
  readonly allNamespaces?: true
  /** The service account of a pod. */
  readonly account?: string
  readonly node?: string
}

const resources = { accounts: accountResource, pods: podResource } as const

/** A group of commands for one kind of object. */
export type ObjectGroup = keyof typeof resources

const namespaceWords = ({ namespace }: ClusterFlags) => (namespace === undefined ? [] : ['-n', namespace])

/** `k8s accounts list`, `k8s pods list`. */
export const listObjects =
  (group: ObjectGroup) =>
  async (flags: ObjectFlags, globals: Globals): Promise<void> => {
    const run = readRun(flags, globals)
    const resource = resources[group]
    const kubectl = ['get', resource.plural, ...(flags.allNamespaces ? ['-A'] : namespaceWords(flags))]
    await withCluster(flags, globals, { kubectl }, async ({ ask, namespace, now }) => {
      const asked = listRequest(resource, flags.allNamespaces ? undefined : namespace)
      const { object } = await ask<ObjectList>(asked)
      if (run.form === 'json' || run.form === 'yaml') return printObject(run.form, object)
      const { items = [] } = object
      if (items.length > 0) return print(objectTable(items, resource, now()).join('\n'))
      narrate(`There are no ${group} in the namespace ${namespace}.`)
    })
  }

/** A change of one object: its request, the equal kubectl command, and the line for people. */
interface Change {
  readonly kubectl: readonly string[]
  readonly request: (namespace: string) => ApiRequest
  readonly done: (object: ApiObject) => string
}

async function changeObject(
  kind: string,
  name: string,
  { kubectl, request, done }: Change,
  flags: ObjectFlags,
  globals: Globals,
): Promise<void> {
  const run = readRun(flags, globals)
  checkName(`the ${kind}`, name)
  const use = { kubectl: [...kubectl, ...namespaceWords(flags)] }
  await withCluster(flags, globals, use, async ({ ask, namespace, embedded }) => {
    const { object } = await ask<ApiObject>(request(namespace))
    await printResult(run, object, () => [makeSafe(`${namespace}/${name} ${done(object)}`)])
    if (embedded && !globals.json)
      narrate('That cluster ended with this command. One that stays:   oauth-lab serve')
  })
}

/** `k8s accounts create`, `k8s pods create`. */
export const createObject =
  (group: ObjectGroup) =>
  (name: string, flags: ObjectFlags, globals: Globals): Promise<void> => {
    const { account = 'default', node } = flags
    const overrides = JSON.stringify({ spec: { serviceAccountName: account } })
    const isPod = group === 'pods'
    const change: Change = {
      kubectl: isPod
        ? ['run', name, '--image', 'registry.k8s.io/pause:3.10', '--overrides', overrides]
        : ['create', 'serviceaccount', name],
      request: namespace =>
        isPod ? createPodRequest(namespace, name, { account, node }) : createAccountRequest(namespace, name),
      done: ({ metadata }) => `created, uid ${metadata?.uid ?? 'unknown'}`,
    }
    return changeObject(resources[group].kind, name, change, flags, globals)
  }

/** `k8s accounts delete`, `k8s pods delete`. The cluster refuses tokens bound to the object from then on. */
export const deleteObject =
  (group: ObjectGroup) =>
  (name: string, flags: ObjectFlags, globals: Globals): Promise<void> => {
    const resource = resources[group]
    const change: Change = {
      kubectl: ['delete', resource.plural, name],
      request: namespace => deleteRequest(resource, namespace, name),
      done: () => 'deleted; tokens bound to it are no longer good',
    }
    return changeObject(resource.kind, name, change, flags, globals)
  }

/** `oauth-lab k8s discovery` and `k8s jwks`: a public document of a cluster. */
export const printDocument =
  (request: ApiRequest) =>
  async (flags: ClusterFlags, globals: Globals): Promise<void> => {
    const { form } = readRun(flags, globals)
    const { object } = await withCluster(flags, globals, {}, ({ ask }) => ask<object>(request))
    if (form === 'json' || form === 'yaml') await printObject(form, object)
    else printJson(object, 2)
  }

/** `oauth-lab k8s whoami`: the caller's identity in a cluster. */
export async function whoAmI(flags: ClusterFlags, globals: Globals): Promise<void> {
  const run = readRun(flags, globals)
  await withCluster(flags, globals, { kubectl: ['auth', 'whoami'] }, async ({ ask, access }) => {
    const { object } = await ask<SelfSubjectReview>(selfSubjectReview)
    const user = object.status?.userInfo
    if (!user?.username) {
      throw new TransportError(`${access.server} answered with a SelfSubjectReview of nobody`, 'EBADMSG')
    }
    await printResult(run, object, () =>
      tableLines(userRows(user, run.signs), { columns: terminalColumns() }),
    )
  })
}
