import { isJsonObject } from '../../../protocol/values.js'

// The shapes of answers. The program relies on the types of answers. An answer with another shape comes from a server that is not an API server, and
// becomes an error.

/** The shape of a JSON value, as far as the program reads it. `null` means absent, as in Go, except within a list. */
export type Shape =
  | 'text'
  | 'number'
  | 'boolean'
  | { readonly list: Shape }
  | { readonly map: Shape }
  | { readonly members: Readonly<Record<string, Shape>> }

const texts: Shape = { list: 'text' }
const members = (of: Readonly<Record<string, Shape>>): Shape => ({ members: of })

const metadata = members({
  name: 'text',
  namespace: 'text',
  uid: 'text',
  creationTimestamp: 'text',
})
const user = members({ username: 'text', uid: 'text', groups: texts, extra: { map: texts } })
const object = members({ metadata })
const pod = members({ metadata, spec: members({ serviceAccountName: 'text', nodeName: 'text' }) })

/** The shapes of answers by kind. */
export const SHAPES = {
  TokenRequest: members({
    spec: members({ audiences: texts, expirationSeconds: 'number' }),
    status: members({ token: 'text', expirationTimestamp: 'text' }),
  }),
  TokenReview: members({
    status: members({ authenticated: 'boolean', user, audiences: texts, error: 'text' }),
  }),
  SelfSubjectReview: members({ status: members({ userInfo: user }) }),
  ServiceAccount: object,
  Pod: pod,
  ServiceAccountList: members({ items: { list: object } }),
  PodList: members({ items: { list: pod } }),
} as const satisfies Readonly<Record<string, Shape>>

/** The shape of the discovery document. */
export const discoveryShape = members({ issuer: 'text', jwks_uri: 'text' })

/** The shape of a refusal. */
export const statusShape = members({
  message: 'text',
  reason: 'text',
  details: members({ name: 'text', kind: 'text' }),
})

/**
 * Returns the first difference between a value and its shape, such as `status.user.groups is no list`.
 * @param path the path of the value, for the message; empty for the whole
 */
export function shapeProblem(value: unknown, shape: Shape, path = ''): string | undefined {
  const isNo = (what: string) => `${path || 'it'} is no ${what}`
  if (typeof shape === 'string') {
    const right = typeof value === (shape === 'text' ? 'string' : shape)
    return right ? undefined : isNo(shape)
  }
  if ('list' in shape) {
    if (!Array.isArray(value)) return isNo('list')
    return first(value.map((each, i) => () => shapeProblem(each, shape.list, `${path}[${i}]`)))
  }
  if (!isJsonObject(value)) return isNo('object')
  const below = (name: string) => (path === '' ? name : `${path}.${name}`)
  const inner: readonly (readonly [string, Shape])[] =
    'map' in shape ? Object.keys(value).map(name => [name, shape.map]) : Object.entries(shape.members)
  return first(
    inner
      .filter(([name]) => value[name] !== undefined && value[name] !== null)
      .map(
        ([name, of]) =>
          () =>
            shapeProblem(value[name], of, below(name)),
      ),
  )
}

/** Returns the first problem that a check reports. */
function first(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const problem = check()
    if (problem !== undefined) return problem
  }
  return undefined
}
