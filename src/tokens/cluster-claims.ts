import { isJsonObject } from '../oauth/json-object.js'
import type { ExplainedMember } from './explained-member.js'

// The members of the claim `kubernetes.io` in the token of a service account.

const meanings: Readonly<Record<string, string>> = {
  namespace: 'namespace of the service account',
  serviceaccount: 'service account',
  pod: 'pod: the token dies with it',
  secret: 'secret: the token dies with it',
  node: 'node',
  warnafter: 'should be renewed, though it lives on',
}

function innerClaims(name: string, value: unknown): ExplainedMember[] {
  const meaning = Object.hasOwn(meanings, name) ? meanings[name]! : ''
  if (name === 'warnafter' && typeof value === 'number') {
    const date = new Date(value * 1000)
    const time = Number.isNaN(date.getTime()) ? {} : { time: date.toISOString() }
    return [{ name, value, meaning, inner: true, ...time }]
  }
  if (isJsonObject(value) && typeof value.name === 'string' && typeof value.uid === 'string') {
    return [
      { name, value: value.name, meaning, inner: true },
      { name: 'uid', value: value.uid, meaning: `of this ${meaning.split(':')[0]}`, inner: true },
    ]
  }
  return [{ name, value, meaning, inner: true }]
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
