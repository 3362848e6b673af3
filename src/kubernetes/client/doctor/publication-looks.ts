import type { DoctorFacts } from './facts.js'
import { type Finding, type Found, fault, look, notApplicable, pass } from './finding.js'

const BINDING = [
  ...['kubectl', 'create', 'clusterrolebinding', 'oidc-reviewer'],
  ...['--clusterrole=system:service-account-issuer-discovery', '--group=system:unauthenticated'],
]

/** A verifier that cannot fetch keys is not at fault when an administrator can supply them. */
function unread({ verifier }: DoctorFacts, problem: string): Found {
  const forbidden = /403|forbidden/i.test(problem)
  const fix = forbidden ? BINDING : undefined
  if (verifier === 'gcp') {
    const found = look(`${problem}; without it the keys have to be uploaded (oauth-lab k8s jwks > keys.json)`)
    return fix ? { ...found, fix } : found
  }
  return fault(problem, fix)
}

function discovery(facts: DoctorFacts): Found {
  const { discovery: fetched, token } = facts
  const { document, problem, url } = fetched
  if (document === undefined) return unread(facts, problem ?? `${url} has no document`)
  const { issuer } = document
  if (issuer !== token?.issuer) {
    return fault(
      `${url} says issuer ${JSON.stringify(issuer)}, the token says ${token?.issuer ?? 'none'}: they have to be the same string`,
    )
  }
  return pass(`${url} is there for everybody, and names the same issuer`)
}

function published(facts: DoctorFacts): Found {
  const { document, problem, url } = facts.keys
  if (document === undefined) return unread(facts, problem ?? `${url} has no keys`)
  const { keys } = document
  return Array.isArray(keys) ? pass(`${keys.length} at ${url}`) : fault(`${url} holds no JWK Set`)
}

/** The published keys, those of the cluster included where the public cannot read them. */
function keysOf({ keys }: DoctorFacts): readonly Readonly<Record<string, unknown>>[] | undefined {
  const list = keys.document?.keys
  return Array.isArray(list) ? list.filter(each => typeof each === 'object' && each !== null) : undefined
}

function kid(facts: DoctorFacts): Found {
  const keys = keysOf(facts)
  if (keys === undefined) return notApplicable('the keys cannot be read')
  const wanted = facts.jwt.header.kid
  if (keys.some(key => key.kid === wanted)) return pass(String(wanted))
  return fault(
    `none of the ${keys.length} keys is ${String(wanted)}: of another cluster, rotated out, or an old upload`,
  )
}

function members(facts: DoctorFacts): Found {
  const keys = keysOf(facts)
  if (keys === undefined) return notApplicable('the keys cannot be read')
  const bad = ['x5c', 'x5t', 'x5t#S256'].find(name => keys.some(key => name in key))
  return bad === undefined
    ? pass('no x5c and x5t')
    : fault(`a key has ${bad}, which is refused: take it out of the upload`)
}

function signature({ verdict, keys }: DoctorFacts): Found {
  const found = verdict?.checks.find(({ name }) => name === 'signature')
  if (found === undefined) return notApplicable('no keys to check it with')
  const by = keys.document === undefined ? ", by the cluster's own keys" : ''
  return found.ok ? pass(`${found.detail ?? ''}${by}`) : fault(found.detail ?? 'not by a published key')
}

/** The demands on what the cluster publishes. */
export function publicationFindings(facts: DoctorFacts): Finding[] {
  const { verifier } = facts
  const oidc = 'OpenID Connect Discovery §4'
  const needed = verifier === 'aws' || verifier === 'gcp'
  return [
    ...(needed
      ? [
          { name: 'discovery', rule: oidc, ...discovery(facts) },
          { name: 'keys', rule: oidc, ...published(facts) },
          { name: 'kid', rule: 'RFC 7515 §4.1.4', ...kid(facts) },
        ]
      : []),
    ...(verifier === 'gcp'
      ? [{ name: 'key-members', rule: 'IAM: workload identity federation', ...members(facts) }]
      : []),
    { name: 'signature', rule: 'RFC 7515 §5.2', ...signature(facts) },
  ]
}
