import type { ExplainedMember } from './explain.js'

// What `kubernetes.io` holds in the token of a service account.

const meanings: Readonly<Record<string, string>> = {
  namespace: 'namespace of the service account',
  serviceaccount: 'service account',
  pod: 'bound to this pod: dies with it',
  secret: 'bound to this secret: dies with it',
  node: 'node',
  warnafter: 'should be renewed, though it lives on',
}

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function innerClaim(name: string, value: unknown): ExplainedMember {
  const meaning = Object.hasOwn(meanings, name) ? meanings[name]! : ''
  if (name === 'warnafter' && typeof value === 'number') {
    const date = new Date(value * 1000)
    const time = Number.isNaN(date.getTime()) ? {} : { time: date.toISOString() }
    return { name, value, meaning, inner: true, ...time }
  }
  if (isObject(value) && typeof value.name === 'string' && typeof value.uid === 'string') {
    return { name, value: value.name, meaning: `${meaning}, uid ${value.uid}`, inner: true }
  }
  return { name, value, meaning, inner: true }
}

/** `kubernetes.io` with a member for each of its own; other claims as they are. */
export function withInnerClaims(claim: ExplainedMember): ExplainedMember[] {
  const { name, value, meaning } = claim
  if (name !== 'kubernetes.io' || !isObject(value)) return [claim]
  return [
    { name, value: '', meaning },
    ...Object.entries(value).map(([inner, each]) => innerClaim(inner, each)),
  ]
}
