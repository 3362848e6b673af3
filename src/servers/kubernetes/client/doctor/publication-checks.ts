import type { DoctorFacts } from './facts.js'
import { type Checked, type Finding, fault, findingOf, notApplicable, pass, remark } from './finding.js'

const BINDING = [
  ...['kubectl', 'create', 'clusterrolebinding', 'oidc-reviewer'],
  ...['--clusterrole=system:service-account-issuer-discovery', '--group=system:unauthenticated'],
]

/** Returns the result for unreadable keys. They are not a fault for a verifier that accepts uploaded keys. */
function unread({ verifier }: DoctorFacts, problem: string): Checked {
  const forbidden = /403|forbidden/i.test(problem)
  const fix = forbidden ? BINDING : undefined
  if (verifier === 'gcp') {
    const checked = remark(
      `${problem}; without it the keys have to be uploaded (oauth-lab k8s jwks > keys.json)`,
    )
    return fix ? { ...checked, fix } : checked
  }
  return fault(problem, fix)
}

function discovery(facts: DoctorFacts): Checked {
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

function published(facts: DoctorFacts): Checked {
  const { document, problem, url } = facts.keys
  if (document === undefined) return unread(facts, problem ?? `${url} has no keys`)
  const { keys } = document
  return Array.isArray(keys) ? pass(`${keys.length} at ${url}`) : fault(`${url} holds no JWK Set`)
}

/** Returns the published keys. */
function keysOf({ keys }: DoctorFacts): readonly Readonly<Record<string, unknown>>[] | undefined {
  const list = keys.document?.keys
  return Array.isArray(list) ? list.filter(each => typeof each === 'object' && each !== null) : undefined
}

function kid(facts: DoctorFacts): Checked {
  const keys = keysOf(facts)
  if (keys === undefined) return notApplicable('the keys cannot be read')
  const wanted = facts.jwt.header.kid
  if (keys.some(key => key.kid === wanted)) return pass(String(wanted))
  return fault(
    `none of the ${keys.length} keys is ${String(wanted)}: of another cluster, rotated out, or an old upload`,
  )
}

function members(facts: DoctorFacts): Checked {
  const keys = keysOf(facts)
  if (keys === undefined) return notApplicable('the keys cannot be read')
  const bad = ['x5c', 'x5t', 'x5t#S256'].find(name => keys.some(key => name in key))
  return bad === undefined
    ? pass('no x5c and x5t')
    : fault(`a key has ${bad}, which is refused: take it out of the upload`)
}

function signature({ verdict, keys }: DoctorFacts): Checked {
  const checked = verdict?.checks.find(({ name }) => name === 'signature')
  if (checked === undefined) return notApplicable('no keys to check it with')
  const by = keys.document === undefined ? ", by the cluster's own keys" : ''
  return checked.ok ? pass(`${checked.detail ?? ''}${by}`) : fault(checked.detail ?? 'not by a published key')
}

/** Checks the public documents of the cluster. */
export function publicationFindings(facts: DoctorFacts): Finding[] {
  const { verifier } = facts
  const oidc = 'OpenID Connect Discovery §4'
  const needed = verifier === 'aws' || verifier === 'gcp'
  return [
    ...(needed
      ? [
          findingOf('discovery', oidc, discovery(facts)),
          findingOf('keys', oidc, published(facts)),
          findingOf('kid', 'RFC 7515 §4.1.4', kid(facts)),
        ]
      : []),
    ...(verifier === 'gcp'
      ? [findingOf('key-members', 'IAM: workload identity federation', members(facts))]
      : []),
    findingOf('signature', 'RFC 7515 §5.2', signature(facts)),
  ]
}
