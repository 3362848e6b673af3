// The descriptions that `kubectl explain` prints for the served kinds.

/** A part of an OpenAPI 3.0 schema. `part` names another one of the same kind. */
export interface Schema {
  readonly type: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema | PartReference>>
  readonly items?: Schema
  readonly additionalProperties?: Schema
}

/** A property whose type has a name of its own. */
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
    apiVersion: string('The version of the form that this object is written in.'),
    kind: string('What this object is.'),
    metadata: { part: 'ObjectMeta', description: 'What every object has.' },
    ...properties,
  })

const objectMeta = object('Name, place and identity of an object.', {
  name: string('The name, unique in its namespace.'),
  generateName: string('The beginning of a name that the server completes.'),
  namespace: string('The namespace it lies in.'),
  uid: string('Distinguishes objects that have the same name at different times.'),
  creationTimestamp: string('When it was created.'),
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
  authenticated: { type: 'boolean', description: 'Whether the token belongs to a known user.' },
  audiences: strings('Which of the audiences that were asked for the token is good for.'),
  error: string('Why the token was not taken.'),
  user: { part: 'UserInfo', description: 'Whose token it is.' },
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
  SelfSubjectReview: { whole: typed('Who the sender of the request is.') },
  SelfSubjectAccessReview: { whole: typed('Whether the sender of the request may do something.') },
  SelfSubjectRulesReview: { whole: typed('What the sender of the request may do in a namespace.') },
  Namespace: { whole: typed('A namespace, which other objects lie in.') },
  Node: { whole: typed('A node, which pods run on.') },
  Pod: {
    whole: typed('A pod, as far as tokens are bound to it.', {
      spec: { part: 'PodSpec', description: 'How the pod is to be.' },
    }),
    parts: {
      PodSpec: object('What a pod runs as, and where.', {
        serviceAccountName: string('The service account it runs as.'),
        nodeName: string('The node it runs on.'),
      }),
    },
  },
  Secret: {
    whole: typed('A secret, as far as tokens are bound to it.', { type: string('What the secret is for.') }),
  },
  ServiceAccount: { whole: typed('An account for programs.') },
}
