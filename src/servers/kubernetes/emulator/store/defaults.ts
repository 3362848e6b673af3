import { defined } from '../../../../protocol/values.js'
import { withGroups } from '../rbac/validation.js'
import type { NewObject } from './model.js'

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

function withContainerDefaults(container: Members): Members {
  const { ports } = container
  const complete = { imagePullPolicy: pullPolicy(container), ...CONTAINER, ...container }
  if (!Array.isArray(ports)) return complete
  return { ...complete, ports: ports.map((each: Members) => ({ ...each, protocol: each.protocol || 'TCP' })) }
}

function podSpec({ containers, serviceAccountName, nodeName, ...rest }: Members): object {
  const account = serviceAccountName || 'default'
  const list = Array.isArray(containers) ? (containers as Members[]) : []
  return defined({
    ...rest,
    containers: list.map(withContainerDefaults),
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
