// What `kubectl explain` tells of the kinds that are served.

/** A part of an OpenAPI 3.0 schema. */
interface Schema {
  readonly type: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly additionalProperties?: Schema
  readonly required?: readonly string[]
}

const string = (description: string): Schema => ({ type: 'string', description })
const strings = (description: string): Schema => ({ type: 'array', items: { type: 'string' }, description })
const object = (description: string, properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  description,
  properties,
})

const typed = (description: string, properties: Readonly<Record<string, Schema>>): Schema =>
  object(description, {
    apiVersion: string('The version of the form that this object is written in.'),
    kind: string('What this object is.'),
    metadata: object('What every object has.', {
      name: string('The name, unique in its namespace.'),
      namespace: string('The namespace it lies in.'),
      labels: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Labels to select by.',
      },
      annotations: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Notes of any kind.',
      },
    }),
    ...properties,
  })

/** Schemas by kind. */
export const SCHEMAS: Readonly<Record<string, Schema>> = {
  TokenReview: typed('TokenReview attempts to authenticate a token to a known user.', {
    spec: object('Spec holds information about the request being evaluated', {
      audiences: strings(
        'Audiences is a list of the identifiers that the resource server presented with the token identifies as. Audience-aware token authenticators will verify that the token was intended for at least one of the audiences in this list. If no audiences are provided, the audience will default to the audience of the Kubernetes apiserver.',
      ),
      token: string('Token is the opaque bearer token.'),
    }),
    status: object('What the server found.', {
      authenticated: { type: 'boolean', description: 'Whether the token belongs to a known user.' },
      audiences: strings('Which of the audiences that were asked for the token is good for.'),
      error: string('Why the token was not taken.'),
      user: object('Whose token it is.', {
        username: string('The name of the user.'),
        uid: string('What tells two users of the same name at different times apart.'),
        groups: strings('The groups of the user.'),
      }),
    }),
  }),
  SelfSubjectReview: typed('Who the sender of the request is.', {}),
  SelfSubjectAccessReview: typed('Whether the sender of the request may do something.', {}),
  SelfSubjectRulesReview: typed('What the sender of the request may do in a namespace.', {}),
  Namespace: typed('A namespace, which other objects lie in.', {}),
  Node: typed('A node, which pods run on.', {}),
  Pod: typed('A pod, as far as tokens are bound to it.', {
    spec: object('How the pod is to be.', {
      serviceAccountName: string('The service account it runs as.'),
      nodeName: string('The node it runs on.'),
    }),
  }),
  Secret: typed('A secret, as far as tokens are bound to it.', {
    type: string('What the secret is for.'),
  }),
  ServiceAccount: typed('An account for programs.', {}),
}
