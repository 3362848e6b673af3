import { defined } from '../../../protocol/values.js'
import { apiVersionOf } from './kinds.js'
import { GROUPS, RESOURCES, type Resource, servedIn } from './resources.js'

// The API groups and resources of this server, in both forms of discovery: a list for each group, and one aggregated list.

type GroupVersion = { readonly group: string; readonly version: string }

const isIn =
  ({ group, version }: GroupVersion) =>
  (resource: Resource): boolean => {
    const served = servedIn(resource)
    return served.group === group && served.version === version
  }

/** The resources of a group (APIResourceList). */
export function resourceList(of: GroupVersion): object {
  return defined({
    kind: 'APIResourceList',
    // The real server leaves it out in the core group.
    apiVersion: of.group === '' ? undefined : 'v1',
    groupVersion: apiVersionOf(of),
    resources: RESOURCES.filter(isIn(of)).map(resource => {
      const { name, subresource, singular, namespaced, kind, verbs, shortNames, categories } = resource
      const own = subresource === undefined
      const foreign = resource.group !== of.group
      return defined({
        name: own ? name : `${name}/${subresource}`,
        singularName: singular,
        namespaced,
        group: foreign ? resource.group : undefined,
        version: foreign ? resource.version : undefined,
        kind,
        verbs,
        shortNames,
        categories,
      })
    }),
  })
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
        metadata: defined({ name: of.group === '' ? undefined : of.group, creationTimestamp: null }),
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
      return defined({
        resource: each.name,
        responseKind: { group: '', version: '', kind: each.kind },
        scope: each.namespaced ? 'Namespaced' : 'Cluster',
        singularResource: each.singular,
        verbs: each.verbs,
        shortNames: each.shortNames,
        categories: each.categories,
        subresources: below.length > 0 ? below.map(subresourceOf) : undefined,
      })
    })
}

const subresourceOf = ({ subresource, group, version, kind, verbs }: Resource) => ({
  subresource,
  responseKind: { group, version, kind },
  verbs,
})
