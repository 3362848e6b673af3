import { apiVersionOf } from './kinds.js'
import { GROUPS, RESOURCES, type Resource, servedIn } from './resources.js'

// What is served here, in both forms that clients ask for.

type GroupVersion = { readonly group: string; readonly version: string }

const isIn =
  ({ group, version }: GroupVersion) =>
  (resource: Resource): boolean => {
    const served = servedIn(resource)
    return served.group === group && served.version === version
  }

const optional = ({ shortNames, categories }: Resource) => ({
  ...(shortNames && { shortNames }),
  ...(categories && { categories }),
})

/** The resources of a group (APIResourceList). */
export function resourceList(of: GroupVersion): object {
  return {
    kind: 'APIResourceList',
    ...(of.group !== '' && { apiVersion: 'v1' }),
    groupVersion: apiVersionOf(of),
    resources: RESOURCES.filter(isIn(of)).map(resource => {
      const { name, subresource, singular, namespaced, kind, verbs, group, version } = resource
      return {
        name: subresource === undefined ? name : `${name}/${subresource}`,
        singularName: singular,
        namespaced,
        ...(subresource !== undefined && { group, version }),
        kind,
        verbs,
        ...optional(resource),
      }
    }),
  }
}

const versionsOf = (of: GroupVersion) => ({ groupVersion: apiVersionOf(of), version: of.version })

const groupMembers = (of: GroupVersion) => ({
  name: of.group,
  versions: [versionsOf(of)],
  preferredVersion: versionsOf(of),
})

/** One group (APIGroup). */
export function apiGroup(of: GroupVersion): object {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupMembers(of) }
}

/** All groups beside the core one (APIGroupList). */
export function apiGroupList(): object {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: GROUPS.map(groupMembers) }
}

/** The versions of the core group (APIVersions). */
export function apiVersions(baseUrl: string): object {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: new URL(baseUrl).host }],
  }
}

/** Forms of aggregated discovery that are served. */
export const AGGREGATED_FORMS = ['v2', 'v2beta1'].map(
  each => `apidiscovery.k8s.io/${each} APIGroupDiscoveryList`,
)

/** Groups with all their resources in one answer (APIGroupDiscoveryList). */
export function aggregated(
  form: string,
  groups: readonly GroupVersion[],
): { object: object; contentType: string } {
  const apiVersion = form.split(' ')[0]!
  const version = apiVersion.split('/')[1]
  return {
    object: {
      kind: 'APIGroupDiscoveryList',
      apiVersion,
      metadata: {},
      items: groups.map(of => ({
        metadata: { ...(of.group !== '' && { name: of.group }), creationTimestamp: null },
        versions: [{ version: of.version, resources: resourcesOf(of), freshness: 'Current' }],
      })),
    },
    contentType: `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
  }
}

function resourcesOf(of: GroupVersion): object[] {
  const inGroup = RESOURCES.filter(isIn(of))
  return inGroup
    .filter(each => each.subresource === undefined)
    .map(each => {
      const below = inGroup.filter(({ name, subresource }) => name === each.name && subresource !== undefined)
      return {
        resource: each.name,
        responseKind: { group: '', version: '', kind: each.kind },
        scope: each.namespaced ? 'Namespaced' : 'Cluster',
        singularResource: each.singular,
        verbs: each.verbs,
        ...optional(each),
        ...(below.length > 0 && { subresources: below.map(subresourceOf) }),
      }
    })
}

const subresourceOf = ({ subresource, group, version, kind, verbs }: Resource) => ({
  subresource,
  responseKind: { group, version, kind },
  verbs,
})
