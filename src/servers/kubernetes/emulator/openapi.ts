import { createHash } from 'node:crypto'
import { apiVersionOf, CORE, GROUPS, type GroupVersion, RESOURCES, type Resource } from './resources.js'

// The parts of OpenAPI v3 that kubectl needs. A PATCH operation with the parameter `fieldValidation` means to kubectl
// that the server validates fields. The operation itself is not served.

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

// The descriptions that `kubectl explain` prints for the served kinds.

/** A part of an OpenAPI 3.0 schema. */
interface Schema {
  readonly type: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema | PartReference>>
  readonly items?: Schema
  readonly additionalProperties?: Schema
}

/** A property whose schema is a named part of the same kind. */
interface PartReference {
  readonly part: string
  readonly description: string
}

const string = (description: string): Schema => ({ type: 'string', description })
const strings = (description: string): Schema => ({ type: 'array', items: { type: 'string' }, description })
const stringMap = (description: string): Schema => ({
  type: 'object',
  additionalProperties: { type: 'string' },
  description,
})
const object = (description: string, properties: NonNullable<Schema['properties']>): Schema => ({
  type: 'object',
  description,
  properties,
})

const typed = (description: string, properties: NonNullable<Schema['properties']> = {}): Schema =>
  object(description, {
    apiVersion: string('The version of the schema that this object follows.'),
    kind: string('The type of this object.'),
    metadata: { part: 'ObjectMeta', description: 'The metadata of every object.' },
    ...properties,
  })

const objectMeta = object('The name, namespace and identity of an object.', {
  name: string('The name, unique in its namespace.'),
  generateName: string('The prefix of a name that the server completes.'),
  namespace: string('The namespace of the object.'),
  uid: string('Distinguishes objects that have the same name at different times.'),
  creationTimestamp: string('The time of creation.'),
  labels: stringMap('Labels to select by.'),
  annotations: stringMap('Notes of any kind.'),
})

const tokenReviewSpec = object('TokenReviewSpec is a description of the token authentication request.', {
  audiences: strings(
    'Audiences is a list of the identifiers that the resource server presented with the token identifies as. Audience-aware token authenticators will verify that the token was intended for at least one of the audiences in this list. If no audiences are provided, the audience will default to the audience of the Kubernetes apiserver.',
  ),
  token: string('Token is the opaque bearer token.'),
})

const tokenReviewStatus = object('The result of the review.', {
  authenticated: { type: 'boolean', description: 'True when the token belongs to a known user.' },
  audiences: strings('The requested audiences that the token is valid for.'),
  error: string('The reason why the token was not accepted.'),
  user: { part: 'UserInfo', description: 'The user of the token.' },
})

const userInfo = object('A user.', {
  username: string('The name of the user.'),
  uid: string('Distinguishes users that have the same name at different times.'),
  groups: strings('The groups of the user.'),
})

/** A kind with the named parts it is made of. */
interface KindSchema {
  readonly whole: Schema
  readonly parts?: Readonly<Record<string, Schema>>
}

/** The part that every kind has. */
const OBJECT_META = objectMeta

/** Schemas by kind. */
const SCHEMAS: Readonly<Record<string, KindSchema>> = {
  TokenReview: {
    whole: typed('TokenReview attempts to authenticate a token to a known user.', {
      spec: {
        part: 'TokenReviewSpec',
        description: 'Spec holds information about the request being evaluated',
      },
      status: { part: 'TokenReviewStatus', description: 'Status is the result of the review' },
    }),
    parts: { TokenReviewSpec: tokenReviewSpec, TokenReviewStatus: tokenReviewStatus, UserInfo: userInfo },
  },
  SelfSubjectReview: { whole: typed('The user who sent the request.') },
  SelfSubjectAccessReview: { whole: typed('The permission of the sender for one action.') },
  SelfSubjectRulesReview: { whole: typed('The permissions of the sender in a namespace.') },
  Namespace: { whole: typed('A namespace of other objects.') },
  Node: { whole: typed('A node that pods run on.') },
  Pod: {
    whole: typed('A pod that tokens can be bound to.', {
      spec: { part: 'PodSpec', description: 'The desired state of the pod.' },
    }),
    parts: {
      PodSpec: object('The service account and the node of a pod.', {
        serviceAccountName: string('The service account of the pod.'),
        nodeName: string('The node of the pod.'),
      }),
    },
  },
  Secret: {
    whole: typed('A secret that tokens can be bound to.', { type: string('The purpose of the secret.') }),
  },
  ServiceAccount: { whole: typed('An account for programs.') },
}
