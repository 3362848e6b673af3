// The descriptions that `kubectl explain` prints for the served kinds.

/** A part of an OpenAPI 3.0 schema. */
export interface Schema {
  readonly type: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema | PartReference>>
  readonly items?: Schema
  readonly additionalProperties?: Schema
}

/** A property whose schema is a named part of the same kind. */
export interface PartReference {
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
export interface KindSchema {
  readonly whole: Schema
  readonly parts?: Readonly<Record<string, Schema>>
}

/** The part that every kind has. */
export const OBJECT_META = objectMeta

/** Schemas by kind. */
export const SCHEMAS: Readonly<Record<string, KindSchema>> = {
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
