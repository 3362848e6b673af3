import type { Place } from './recipe.js'

/** Scope of the login in a collection. */
const SCOPE = 'openid profile email offline_access'

/** The address to return to, which the window of the program watches for. */
export const CALLBACK = 'http://localhost/callback'

type Attribute = {
  readonly key: string
  readonly value: string | boolean
  readonly type: 'string' | 'boolean'
}

/** Values as Postman writes the attributes of an authorization. */
const attributes = (values: Readonly<Record<string, string | boolean>>): Attribute[] =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value,
    type: typeof value === 'boolean' ? 'boolean' : 'string',
  }))

const script = (listen: 'test', exec: readonly string[]) => ({
  listen,
  script: { type: 'text/javascript', exec },
})

/** The check that an answer has status 200. */
const OK = "pm.test('status 200', () => pm.response.to.have.status(200))"

/**
 * A collection of Postman, format 2.1, which Bruno imports too: the login of a person for all requests, and one folder that a runner can play without a
 * browser.
 */
export function postmanCollection({ issuer, resource, clientId }: Place, secret: string): object {
  const url = (raw: string) => ({
    raw,
    host: [raw.slice(0, raw.indexOf('/'))],
    path: raw.split('/').slice(1),
  })
  const person = attributes({
    tokenName: 'oauth-lab',
    grant_type: 'authorization_code_with_pkce',
    challengeAlgorithm: 'S256',
    authUrl: '{{issuer}}/authorization',
    accessTokenUrl: '{{issuer}}/token',
    refreshTokenUrl: '{{issuer}}/token',
    redirect_uri: CALLBACK,
    useBrowser: false,
    clientId: '{{client_id}}',
    clientSecret: '{{client_secret}}',
    client_authentication: 'header',
    scope: SCOPE,
    addTokenTo: 'header',
    headerPrefix: 'Bearer',
  })
  const request = (name: string, raw: string, more: object = {}) => ({
    name,
    event: [script('test', [OK])],
    request: { method: 'GET', header: [], url: url(raw), ...more },
  })
  return {
    info: {
      name: 'oauth-lab',
      description: `Requests to the lab at ${issuer}. The variable client_secret is a secret.`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'oauth2', oauth2: person },
    variable: [
      { key: 'issuer', value: issuer, type: 'string' },
      { key: 'resource', value: resource, type: 'string' },
      { key: 'client_id', value: clientId, type: 'string' },
      { key: 'client_secret', value: secret, type: 'string' },
      { key: 'access_token', value: '', type: 'string' },
    ],
    item: [
      {
        name: 'As a person',
        description: 'Get New Access Token, in the authorization of the collection, opens the login page.',
        item: [request('userinfo', '{{issuer}}/userinfo'), request('resource', '{{resource}}/resource')],
      },
      {
        name: 'As the client',
        description: 'The client credentials grant, which needs nobody.',
        item: [
          request('metadata', '{{issuer}}/.well-known/openid-configuration', { auth: { type: 'noauth' } }),
          {
            name: 'token',
            event: [
              script('test', [
                OK,
                "pm.collectionVariables.set('access_token', pm.response.json().access_token)",
              ]),
            ],
            request: {
              method: 'POST',
              header: [],
              auth: {
                type: 'basic',
                basic: attributes({ username: '{{client_id}}', password: '{{client_secret}}' }),
              },
              body: {
                mode: 'urlencoded',
                urlencoded: [
                  { key: 'grant_type', value: 'client_credentials', type: 'text' },
                  { key: 'scope', value: 'records:read', type: 'text' },
                ],
              },
              url: url('{{issuer}}/token'),
            },
          },
          request('records', '{{resource}}/records', {
            auth: { type: 'bearer', bearer: attributes({ token: '{{access_token}}' }) },
          }),
        ],
      },
    ],
  }
}
