import { createHash } from 'node:crypto'
import { apiVersionOf } from './kinds.js'
import { OBJECT_META, type PartReference, SCHEMAS, type Schema } from './openapi-schemas.js'
import { GROUPS, RESOURCES, type Resource } from './resources.js'

// The parts of OpenAPI v3 that kubectl needs. A PATCH operation with the parameter `fieldValidation` means to kubectl
// that the server validates fields. The operation itself is not served.

type GroupVersion = { readonly group: string; readonly version: string }

const CORE: GroupVersion = { group: '', version: 'v1' }

const pathOf = (of: GroupVersion): string =>
  of.group === '' ? `api/${of.version}` : `apis/${apiVersionOf(of)}`

/** The addresses of the documents (`/openapi/v3`). The hash lets clients keep them. */
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

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'

/** The name of a kind, or of a part of it, among the schemas of a document. */
function schemaName({ group, version }: GroupVersion, part: string): string {
  if (part === 'ObjectMeta') return META
  return `io.k8s.api.${group === '' ? 'core' : group.split('.')[0]}.${version}.${part}`
}

const reference = (of: GroupVersion, part: string) => ({
  $ref: `#/components/schemas/${schemaName(of, part)}`,
})

/** A schema as OpenAPI writes it: named parts by reference. */
function written(of: GroupVersion, { properties, ...rest }: Schema): object {
  if (properties === undefined) return rest
  const property = (value: Schema | PartReference): object =>
    'part' in value
      ? { allOf: [reference(of, value.part)], default: {}, description: value.description }
      : written(of, value)
  const entries = Object.entries(properties).map(([name, value]) => [name, property(value)])
  return { ...rest, properties: Object.fromEntries(entries) }
}

/** The schemas of a kind by their names. */
function schemasOf(resource: Resource): [name: string, schema: object][] {
  const { whole, parts = {} } = SCHEMAS[resource.kind] ?? { whole: { type: 'object' } }
  const mark = { 'x-kubernetes-group-version-kind': [kindOf(resource)] }
  return [
    [schemaName(resource, resource.kind), { ...written(resource, whole), ...mark }],
    ...Object.entries(parts).map(([name, part]): [string, object] => [
      schemaName(resource, name),
      written(resource, part),
    ]),
  ]
}

function operations(resource: Resource): object {
  const { group, version, name, namespaced } = resource
  const prefix = `/${pathOf({ group, version })}/${namespaced ? 'namespaces/{namespace}/' : ''}${name}`
  const mark = { 'x-kubernetes-group-version-kind': kindOf(resource) }
  const schema = { schema: reference(resource, resource.kind) }
  const parameters = ['fieldManager', 'fieldValidation'].map(each => ({
    name: each,
    in: 'query',
    schema: { type: 'string', uniqueItems: true },
  }))
  const responses = { 200: { description: 'OK', content: { 'application/json': schema } } }
  return {
    [prefix]: {
      post: {
        description: `create a ${resource.kind}`,
        'x-kubernetes-action': 'post',
        ...mark,
        parameters,
        requestBody: { content: { '*/*': schema } },
        responses,
      },
    },
    [`${prefix}/{name}`]: {
      patch: {
        description: `change a ${resource.kind}`,
        'x-kubernetes-action': 'patch',
        ...mark,
        parameters,
        responses,
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
  const schemas = [[META, written(of, OBJECT_META)], ...served.flatMap(schemasOf)]
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: '1.32' },
    paths: Object.assign({}, ...served.map(operations)) as object,
    components: { schemas: Object.fromEntries(schemas) },
  }
}
