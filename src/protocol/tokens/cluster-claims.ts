import { isJsonObject } from '../oauth/json-object.js'
import { type ExplainedMember, withTime } from './explained-member.js'

// The members of the claim `kubernetes.io` in the token of a service account.

const meanings: ReadonlyMap<string, string> = new Map([
  ['namespace', 'namespace of the service account'],
  ['serviceaccount', 'service account'],
  ['pod', 'pod: the token dies with it'],
  ['secret', 'secret: the token dies with it'],
  ['node', 'node'],
  ['warnafter', 'should be renewed, though it lives on'],
])

function innerClaims(name: string, value: unknown): ExplainedMember[] {
  const meaning = meanings.get(name) ?? ''
  if (isJsonObject(value) && typeof value.name === 'string' && typeof value.uid === 'string') {
    const kind = meaning.split(':')[0] || name
    return [
      { name, value: value.name, meaning, inner: true },
      { name: 'uid', value: value.uid, meaning: `of this ${kind}`, inner: true },
    ]
  }
  const member = { name, value, meaning, inner: true } as const
  return [name === 'warnafter' ? withTime(member, 1) : member]
}

/** Splits the claim `kubernetes.io` into one member for each of its own members. Returns other claims unchanged. */
export function withInnerClaims(claim: ExplainedMember): ExplainedMember[] {
  const { name, value, meaning } = claim
  if (name !== 'kubernetes.io' || !isJsonObject(value)) return [claim]
  return [
    { name, value: '', meaning },
    ...Object.entries(value).flatMap(([inner, each]) => innerClaims(inner, each)),
  ]
}
