import { isUrl } from '../../../protocol/http/address.js'
import {
  fault as broken,
  type Judgement,
  notApplicable,
  pass,
  remark,
} from '../../../protocol/rules/finding.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import { withoutEnd } from '../../../protocol/values.js'
import { VERIFIERS, type Verifier } from '../shapes.js'
import type { DoctorFacts } from './doctor-facts.js'
import { explainReview } from './explain-review.js'
import { mintCommand } from './service-account-token.js'

/** The documents that make the rules of a verifier of cluster tokens, beside the RFCs. */
type VerifierRule =
  | 'authentication.k8s.io/v1 TokenReview'
  | 'authentication.k8s.io/v1 SelfSubjectReview'
  | 'Kubernetes: service account tokens'
  | 'Vault: Kubernetes auth method'
  | 'IAM: AssumeRoleWithWebIdentity'
  | 'IAM: workload identity federation'

/** The result of one check, with the command that helps, as a list of arguments. */
interface Checked extends Judgement<'pass' | 'fault' | 'remark' | 'not_applicable'> {
  readonly fix?: readonly string[]
}

/** One line of the doctor's report. */
export interface Finding {
  /** The name of the check, kebab-case. Names stay stable because scripts use them. */
  readonly name: string
  readonly rule: Citation | VerifierRule
  /** `look` is not a fault: it depends on something that this program cannot see. */
  readonly result: 'pass' | 'fault' | 'look' | 'not_applicable'
  readonly detail: string
  readonly fix?: readonly string[]
}

const helped = (checked: Checked, fix: readonly string[] | undefined): Checked =>
  fix ? { ...checked, fix } : checked

const fault = (detail: string, fix?: readonly string[]): Checked => helped(broken(detail), fix)

// The token itself.

/** The default audience of each verifier. */
const USUAL_AUDIENCE: Readonly<Record<Verifier, string | RegExp | undefined>> = {
  api: undefined,
  vault: undefined,
  aws: 'sts.amazonaws.com',
  gcp: /^(https:)?\/\/iam\.googleapis\.com\/projects\/\d+\/locations\/global\/workloadIdentityPools\/[\w-]+\/providers\/[\w-]+$/,
}

const CLOUD: readonly Verifier[] = ['aws', 'gcp']

/** Returns the command that creates a token of the same account with these audiences. */
const mintWords = ({ token }: DoctorFacts, audiences: readonly string[]): string[] | undefined =>
  token && mintCommand(token, audiences)

function algorithm({ jwt, verifier }: DoctorFacts): Checked {
  const allowed = ['RS256', 'ES256', ...(CLOUD.includes(verifier) ? [] : ['ES384', 'ES512'])]
  const text = String(jwt.header.alg)
  return allowed.includes(text) ? pass(text) : fault(`${text} is not one of ${allowed.join(', ')}`)
}

function issuer({ token, verifier }: DoctorFacts): Checked {
  const iss = token?.issuer
  if (iss === undefined || !isUrl(iss)) return fault(`iss is ${iss ?? 'not there'}, no address`)
  const { protocol, search, hash, port, hostname } = new URL(iss)
  if (protocol !== 'https:') return fault(`${iss} is not https`)
  if (search !== '' || hash !== '') return fault(`${iss} has a query or fragment`)
  if (!CLOUD.includes(verifier)) return pass(iss)
  if (
    /^(localhost|127\.|10\.|192\.168\.|\[?::1)|\.(local|internal|svc)$|^kubernetes\.default/.test(hostname)
  ) {
    return verifier === 'gcp'
      ? remark(
          `${iss} cannot be reached from outside: upload the keys (oauth-lab k8s jwks > keys.json) to the provider`,
        )
      : fault(
          `${iss} cannot be reached from outside: the API server's --service-account-issuer has to be a public address`,
        )
  }
  if (verifier === 'aws' && port !== '')
    return fault(`${iss} has a port; the provider's address must not have one`)
  return pass(
    `${iss}: the provider has to name it exactly so, ${iss.endsWith('/') ? 'with' : 'without'} a slash at its end`,
  )
}

function subject({ token, jwt, verifier }: DoctorFacts): Checked {
  const { sub } = jwt.claims
  if (token === undefined || typeof sub !== 'string')
    return fault(`sub is ${String(sub)}, no service account`)
  const wanted = `system:serviceaccount:${token.namespace}:${token.account.name}`
  if (sub !== wanted) return fault(`sub says ${sub}, kubernetes.io says ${wanted}`)
  if (verifier === 'gcp' && Buffer.byteLength(sub) > 127) return fault('google.subject has at most 127 bytes')
  return pass(`${sub}: what trust policies and roles have to name`)
}

function audience(facts: DoctorFacts): Checked {
  const { verifier, audience: wanted = USUAL_AUDIENCE[verifier], token } = facts
  const has = token?.audiences ?? []
  const shown = has.join(', ') || 'none'
  if (verifier === 'api' && facts.audience === undefined) {
    const iss = token?.issuer
    if (facts.bearer !== undefined) {
      return facts.bearer
        ? pass(`${shown}: the API server accepts it`)
        : fault(
            `aud is ${shown}; the API server does not accept that`,
            mintWords(facts, [...has, ...(iss === undefined ? [] : [iss])]),
          )
    }
    return iss !== undefined && has.includes(iss)
      ? pass(`${shown}: holds the issuer, the usual audience of an API server`)
      : remark(`${shown} does not hold the issuer, the usual audience of an API server`)
  }
  if (wanted === undefined)
    return remark(`${shown}: has to be the bound audience of the role; --audience NAME checks it`)
  const ok = has.some(each => (typeof wanted === 'string' ? each === wanted : wanted.test(each)))
  if (ok) return pass(shown)
  if (typeof wanted === 'string') {
    const bare = (address: string) => withoutEnd(address.replace(/^https?:\/\//, ''), '/')
    const near = has.find(each => bare(each) === bare(wanted))
    const why = near === undefined ? '' : `: ${near} is nearly it, but it has to be exact`
    return fault(`aud is ${shown}, not ${wanted}${why}`, mintWords(facts, [wanted]))
  }
  return fault(
    `aud is ${shown}, not the address of a workload identity provider; where the provider allows other audiences, name one with --audience`,
  )
}

const seconds = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

function dates(facts: DoctorFacts): Checked {
  const { iat, exp } = facts.jwt.claims
  const from = seconds(iat)
  const to = seconds(exp)
  const again = mintWords(facts, facts.token?.audiences ?? [])
  if (to === undefined) return fault('it has no exp: a legacy token of a secret; use token requests', again)
  if (to > 1e11) return fault('exp is in milliseconds; a NumericDate counts seconds')
  const now = facts.now / 1000
  if (now >= to) return fault(`it expired ${Math.round(now - to)} s ago`, again)
  if (from !== undefined && from > now + 60)
    return fault(`iat is ${Math.round(from - now)} s in the future: compare the clocks`)
  return pass(`${Math.floor(to - now)} s left`)
}

function lifetime({ jwt, verifier, token }: DoctorFacts): Checked {
  const from = seconds(jwt.claims.iat)
  const to = seconds(jwt.claims.exp)
  if (from === undefined || to === undefined) return notApplicable('it has no iat and exp')
  const length = to - from
  if (verifier === 'gcp' && length > 86_400) return fault(`${length} s: more than the 24 h that are accepted`)
  if (token?.warnAfter !== undefined)
    return remark(`${length} s, though it should be renewed after ${token.warnAfter - from} s`)
  return pass(`${length} s`)
}

// The public documents of the cluster.

const BINDING = [
  'kubectl',
  'create',
  'clusterrolebinding',
  'oidc-reviewer',
  '--clusterrole=system:service-account-issuer-discovery',
  '--group=system:unauthenticated',
]

/** Returns the result for unreadable keys. They are not a fault for a verifier that accepts uploaded keys. */
function unread({ verifier }: DoctorFacts, problem: string): Checked {
  const forbidden = /403|forbidden/i.test(problem)
  const fix = forbidden ? BINDING : undefined
  if (verifier === 'gcp') {
    const upload = 'without it the keys have to be uploaded (oauth-lab k8s jwks > keys.json)'
    return helped(remark(`${problem}; ${upload}`), fix)
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

// Questions that only the API server can answer.

function review({ review: status, reviewProblem, token, audience }: DoctorFacts): Checked {
  if (status === undefined) return notApplicable(reviewProblem ?? 'no cluster was asked')
  const question = { audiences: audience === undefined ? [] : [audience], ...(token && { token }) }
  const { authenticated, verdict, fix } = explainReview(status, question)
  if (authenticated) return pass(verdict)
  return fault(status.error === undefined ? verdict : `${verdict}; the server says: ${status.error}`, fix)
}

/** Checks whether Vault could review the token. Vault asks the API server with its own token, or else with the client's token. */
function reviewer(facts: DoctorFacts): Checked {
  const { token, bearer } = facts
  const asBearer = bearer ?? (token?.issuer !== undefined && token.audiences.includes(token.issuer))
  if (asBearer) {
    return remark(
      'the API server accepts it too; with disable_local_ca_jwt and no token_reviewer_jwt the account also needs system:auth-delegator',
    )
  }
  const both = [...(token?.audiences ?? []), ...(token?.issuer === undefined ? [] : [token.issuer])]
  const bound = remark(
    'good only where Vault has a token_reviewer_jwt or runs in the cluster: the API server does not accept this token as a bearer',
  )
  return helped(bound, token && mintCommand(token, both))
}

function bearer({ bearer: accepted }: DoctorFacts): Checked {
  if (accepted === undefined) return notApplicable('no cluster was asked')
  return accepted ? pass('the API server knows its sender') : fault('the API server answers 401 to it')
}

/** The rules of each verifier for a token. */
const OWN_RULE: Readonly<Record<Verifier, VerifierRule>> = {
  api: 'Kubernetes: service account tokens',
  vault: 'Vault: Kubernetes auth method',
  aws: 'IAM: AssumeRoleWithWebIdentity',
  gcp: 'IAM: workload identity federation',
}

/** A check and its rule. Without `rule`, the rule is that of the verifier; without `only`, all verifiers need the check. */
const row = (
  name: string,
  check: (facts: DoctorFacts) => Checked,
  rule?: Finding['rule'],
  only: readonly Verifier[] = VERIFIERS,
) => ({ name, check, rule, only })

/** The checks in the order of the report. */
const CHECKS = [
  row('algorithm', algorithm, 'RFC 7518 §3.1'),
  row('issuer', issuer),
  row('subject', subject),
  row('audience', audience),
  row('dates', dates, 'RFC 7519 §4.1.4'),
  row('lifetime', lifetime),
  row('discovery', discovery, 'OpenID Connect Discovery §4', CLOUD),
  row('keys', published, 'OpenID Connect Discovery §4', CLOUD),
  row('kid', kid, 'RFC 7515 §4.1.4', CLOUD),
  row('key-members', members, undefined, ['gcp']),
  row('signature', signature, 'RFC 7515 §5.2'),
  row('review', review, 'authentication.k8s.io/v1 TokenReview', ['api', 'vault']),
  row('bearer', bearer, 'authentication.k8s.io/v1 SelfSubjectReview', ['api']),
  row('reviewer', reviewer, undefined, ['vault']),
]

/** Checks all that a verifier requires of a token, in the order of the verifiers. */
export function examineToken(facts: DoctorFacts): Finding[] {
  const { verifier } = facts
  return CHECKS.filter(({ only }) => only.includes(verifier)).map(
    ({ name, rule = OWN_RULE[verifier], check }) => {
      const { result, ...checked } = check(facts)
      return { name, rule, result: result === 'remark' ? 'look' : result, ...checked }
    },
  )
}
