import { createHash } from 'node:crypto'
import { apiVersionOf } from './kinds.js'
import { SCHEMAS } from './openapi-schemas.js'
import { GROUPS, RESOURCES, type Resource } from './resources.js'

// OpenAPI v3, as much as kubectl wants of it. A PATCH operation that knows `fieldValidation` tells it that the
// server checks fields itself: it then asks for nothing more. (No such operation is served.)

type GroupVersion = { readonly group: string; readonly version: string }

const CORE: GroupVersion = { group: '', version: 'v1' }

const pathOf = (of: GroupVersion): string =>
  of.group === '' ? `api/${of.version}` : `apis/${apiVersionOf(of)}`

/** Where the documents are (`/openapi/v3`). The hash lets clients keep them. */
export function openApiIndex(): object {
  const entries = [CORE, ...GROUPS].map(of => {
    const hash = createHash('sha512')
      .update(JSON.stringify(openApiOf(of)))
      .digest('hex')
      .toUpperCase()
    return [pathOf(of), { serverRelativeURL: `/openapi/v3/${pathOf(of)}?hash=${hash}` }]
  })
  return { paths: Object.fromEntries(entries) }
}

const kindOf = ({ group, version, kind }: Resource) => ({ group, kind, version })

const schemaName = ({ group, version, kind }: Resource): string =>
  `io.k8s.api.${group === '' ? 'core' : group.split('.')[0]}.${version}.${kind}`

function operations(resource: Resource): object {
  const { group, version, name, namespaced } = resource
  const prefix = `/${pathOf({ group, version })}/${namespaced ? 'namespaces/{namespace}/' : ''}${name}`
  const mark = { 'x-kubernetes-group-version-kind': kindOf(resource) }
  const schema = { schema: { $ref: `#/components/schemas/${schemaName(resource)}` } }
  const parameters = ['fieldManager', 'fieldValidation'].map(each => ({
    ...{ name: each, in: 'query', schema: { type: 'string', uniqueItems: true } },
  }))
  const responses = { 200: { description: 'OK', content: { 'application/json': schema } } }
  return {
    [prefix]: {
      post: {
        ...{ description: `create a ${resource.kind}`, 'x-kubernetes-action': 'post', ...mark },
        ...{ parameters, requestBody: { content: { '*/*': schema } }, responses },
      },
    },
    [`${prefix}/{name}`]: {
      patch: {
        ...{ description: `change a ${resource.kind}`, 'x-kubernetes-action': 'patch', ...mark },
        ...{ parameters, responses },
      },
    },
  }
}

/** The document of a group. */
export function openApiOf(of: GroupVersion): object {
  const served = RESOURCES.filter(
    ({ group, version, verbs, subresource }) =>
      group === of.group && version === of.version && verbs.includes('create') && subresource === undefined,
  )
  const schemas = served.map(each => [
    schemaName(each),
    { ...(SCHEMAS[each.kind] ?? { type: 'object' }), 'x-kubernetes-group-version-kind': [kindOf(each)] },
  ])
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: '1.32' },
    paths: Object.assign({}, ...served.map(operations)) as object,
    components: { schemas: Object.fromEntries(schemas) },
  }
}
