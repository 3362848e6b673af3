import type { Command } from 'commander'
import {
  type ApiRequest,
  accountResource,
  createAccountRequest,
  createPodRequest,
  deleteRequest,
  listRequest,
  podResource,
  type Resource,
} from '../../kubernetes/client/requests.js'
import type { ApiObject, ObjectList, Pod } from '../../kubernetes/shapes.js'
import { columns } from '../../render/kubernetes/columns.js'
import { lifetimeText } from '../../render/kubernetes/moments.js'
import { makeSafe } from '../../render/safe.js'
import { type Globals, readGlobals } from '../globals.js'
import { narrate, print } from '../output.js'
import { formOf, type OutputForm, printObject } from './output-form.js'
import { checkName, type ReachedCluster, withCluster } from './reach.js'
import type { TargetFlags } from './target-options.js'

/** Options of the commands for objects. */
export interface ObjectFlags extends TargetFlags {
  readonly output?: OutputForm
  readonly allNamespaces?: true
  /** The service account of a pod. */
  readonly account?: string
  readonly node?: string
}

/** The names of the commands, and what they are about. */
const resources = { accounts: accountResource, pods: podResource } as const

/** A group of commands for one kind. */
export type ObjectGroup = keyof typeof resources

const cut = (text: string | undefined) => makeSafe(text ?? '').slice(0, 253)

function row({ metadata, ...rest }: ApiObject, { kind }: Resource, now: number): string[] {
  const made = Date.parse(metadata?.creationTimestamp ?? '')
  const { spec } = rest as Pick<Pod, 'spec'>
  return [
    cut(metadata?.namespace),
    cut(metadata?.name),
    ...(kind === 'Pod' ? [cut(spec?.serviceAccountName), cut(spec?.nodeName) || '-'] : []),
    cut(metadata?.uid),
    Number.isNaN(made) ? '-' : lifetimeText(Math.max(0, Math.floor((now - made) / 1000))),
  ]
}

const heading = ({ kind }: Resource) =>
  kind === 'Pod'
    ? ['NAMESPACE', 'NAME', 'ACCOUNT', 'NODE', 'UID', 'AGE']
    : ['NAMESPACE', 'NAME', 'UID', 'AGE']

/** `k8s accounts list`, `k8s pods list`. */
export async function listObjects(group: ObjectGroup, flags: ObjectFlags, command: Command): Promise<void> {
  const globals = readGlobals(command)
  const form = formOf(flags.output, globals)
  const resource = resources[group]
  const kubectl = ['get', resource.plural, ...(flags.allNamespaces ? ['-A'] : namespaceWords(flags))]
  await withCluster(flags, globals, { kubectl }, async ({ ask, namespace, now }) => {
    const { object } = await ask<ObjectList>(
      listRequest(resource, flags.allNamespaces ? undefined : namespace),
    )
    if (form === 'json' || form === 'yaml') return printObject(form, object)
    const rows = (object.items ?? []).map(each => row(each, resource, now()))
    if (rows.length > 0) return print(...columns([heading(resource), ...rows]))
    narrate(`There are no ${group} in the namespace ${namespace}.`)
  })
}

const namespaceWords = ({ namespace }: TargetFlags) => (namespace === undefined ? [] : ['-n', namespace])

/** Asks for a change and prints the name, as `kubectl -o name` would, with its uid. */
async function change(
  { ask, embedded }: ReachedCluster,
  globals: Globals,
  { request, done, kept }: { request: ApiRequest; done: (object: ApiObject) => string; kept: string },
  form: OutputForm | undefined,
): Promise<void> {
  const { object } = await ask<ApiObject>(request)
  if (form === 'json' || form === 'yaml') await printObject(form, object)
  else print(makeSafe(done(object)))
  if (embedded && !globals.json) narrate(kept)
}

const ENDS = 'That cluster ended with this command. One that stays:   oauth-lab serve'

/** `k8s accounts create`, `k8s pods create`. */
export async function createObject(
  group: ObjectGroup,
  name: string,
  flags: ObjectFlags,
  command: Command,
): Promise<void> {
  const globals = readGlobals(command)
  const form = formOf(flags.output, globals)
  const { kind } = resources[group]
  checkName(`the ${kind}`, name)
  const { account = 'default', node } = flags
  const kubectl =
    kind === 'Pod'
      ? [
          'run',
          name,
          '--image',
          'registry.k8s.io/pause:3.10',
          '--overrides',
          JSON.stringify({ spec: { serviceAccountName: account } }),
        ]
      : ['create', 'serviceaccount', name]
  await withCluster(flags, globals, { kubectl: [...kubectl, ...namespaceWords(flags)] }, async cluster => {
    const { namespace } = cluster
    const request =
      kind === 'Pod'
        ? createPodRequest(namespace, name, { account, ...(node !== undefined && { node }) })
        : createAccountRequest(namespace, name)
    const done = ({ metadata }: ApiObject) =>
      `${namespace}/${name} created, uid ${metadata?.uid ?? 'not told'}`
    await change(cluster, globals, { request, done, kept: ENDS }, form)
  })
}

/** `k8s accounts delete`, `k8s pods delete`: tokens bound to it are refused from then on. */
export async function deleteObject(
  group: ObjectGroup,
  name: string,
  flags: ObjectFlags,
  command: Command,
): Promise<void> {
  const globals = readGlobals(command)
  const form = formOf(flags.output, globals)
  const resource = resources[group]
  checkName(`the ${resource.kind}`, name)
  const kubectl = ['delete', resource.plural, name, ...namespaceWords(flags)]
  await withCluster(flags, globals, { kubectl }, async cluster => {
    const { namespace } = cluster
    const request = deleteRequest(resource, namespace, name)
    const done = () => `${namespace}/${name} deleted; tokens bound to it are no longer good`
    await change(cluster, globals, { request, done, kept: ENDS }, form)
  })
}
