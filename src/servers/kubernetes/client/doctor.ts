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
  | 'Microsoft Entra: workload identity federation'
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
export const USUAL_AUDIENCE: Readonly<Record<Verifier, string | RegExp | undefined>> = {
  api: undefined,
  vault: undefined,
  aws: 'sts.amazonaws.com',
  azure: 'api://AzureADTokenExchange',
  gcp: /^(https:)?\/\/iam\.googleapis\.com\/projects\/\d+\/locations\/global\/workloadIdentityPools\/[\w-]+\/providers\/[\w-]+$/,
}

const CLOUD: readonly Verifier[] = ['aws', 'azure', 'gcp']

/** The verifiers that fetch the public documents of a cluster. Vault does so in its JWT auth method. */
const FETCHING: readonly Verifier[] = [...CLOUD, 'vault']

/** Returns the command that creates a token of the same account with these audiences. */
const mintWords = ({ token }: DoctorFacts, audiences: readonly string[]): string[] | undefined =>
  token && mintCommand(token, audiences)

/** The algorithms that each verifier takes of those that an API server signs by. Entra supports RS256 alone. */
const ALGORITHMS: Readonly<Record<Verifier, readonly string[]>> = {
  api: ['RS256', 'ES256', 'ES384', 'ES512'],
  vault: ['RS256', 'ES256', 'ES384', 'ES512'],
  aws: ['RS256', 'ES256'],
  azure: ['RS256'],
  gcp: ['RS256', 'ES256'],
}

/** The longest issuer, subject and audience of a federated credential of Entra, in characters. */
const MAX_ENTRA = 600

/** Names and addresses that cannot be reached from the internet (RFC 1918, RFC 4193, RFC 6598, RFC 6762, RFC 8375). */
const INSIDE =
  /^(?:localhost|127\.|10\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|\[::1\]|\[f[cd]|\[fe80|[^.:[\]]+$)|\.(?:localhost|local|internal|lan|intranet|home\.arpa|svc|test|example|invalid)$|\.svc\./i

function algorithm({ jwt, verifier }: DoctorFacts): Checked {
  const allowed = ALGORITHMS[verifier]
  const text = String(jwt.header.alg)
  if (!allowed.includes(text)) {
    return fault(`${text} is not one of ${allowed.join(', ')}: let the API server sign by a key of that kind`)
  }
  return verifier === 'vault' && text !== 'RS256'
    ? remark(`${text}: in a JWT auth method name it in jwt_supported_algs; RS256 alone is the default`)
    : pass(text)
}

function issuer({ token, verifier }: DoctorFacts): Checked {
  const iss = token?.issuer
  if (iss === undefined || !isUrl(iss)) return fault(`iss is ${iss ?? 'not there'}, no address`)
  const { protocol, search, hash, port, hostname } = new URL(iss)
  if (protocol !== 'https:') return fault(`${iss} is not https`)
  if (search !== '' || hash !== '') return fault(`${iss} has a query or fragment`)
  if (verifier === 'api') return pass(iss)
  if (isInside(hostname)) {
    if (verifier === 'gcp') {
      return remark(
        `${iss} cannot be reached from outside: upload the keys (oauth-lab k8s jwks > keys.json) to the provider`,
      )
    }
    if (verifier === 'vault') {
      return remark(
        `${iss} can be reached by a Vault of the same network alone; the Kubernetes auth method asks the API server and needs no public issuer`,
      )
    }
    return fault(
      `${iss} cannot be reached from outside: the API server's --service-account-issuer has to be a public address`,
    )
  }
  if (verifier === 'azure' && iss.length > MAX_ENTRA)
    return fault(`${iss.length} characters: an issuer has at most ${MAX_ENTRA}`)
  if (verifier === 'aws' && port !== '')
    return fault(`${iss} has a port; the provider's address must not have one`)
  return pass(
    `${iss}: the provider has to name it exactly so, ${iss.endsWith('/') ? 'with' : 'without'} a slash at its end`,
  )
}

const isInside = (hostname: string): boolean => INSIDE.test(hostname)

function subject({ token, jwt, verifier }: DoctorFacts): Checked {
  const { sub } = jwt.claims
  if (token === undefined || typeof sub !== 'string')
    return fault(`sub is ${String(sub)}, no service account`)
  const wanted = `system:serviceaccount:${token.namespace}:${token.account.name}`
  if (sub !== wanted) return fault(`sub says ${sub}, kubernetes.io says ${wanted}`)
  if (verifier === 'gcp' && Buffer.byteLength(sub) > 127) return fault('google.subject has at most 127 bytes')
  if (verifier === 'azure') {
    return sub.length > MAX_ENTRA
      ? fault(`${sub.length} characters: a subject has at most ${MAX_ENTRA}`)
      : pass(`${sub}: name it to the letter, without wildcards; an application has at most 20 of them`)
  }
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
    return remark(`${shown}: has to be among the bound_audiences of the role; --audience NAME checks it`)
  const ok = has.some(each => (typeof wanted === 'string' ? each === wanted : wanted.test(each)))
  if (ok) return pass(shown)
  if (typeof wanted === 'string') {
    const bare = (address: string) => withoutEnd(address.replace(/^https?:\/\//, ''), '/')
    const near = has.find(each => bare(each) === bare(wanted))
    const why = near === undefined ? '' : `: ${near} is nearly it, but it has to be exact`
    return fault(`aud is ${shown}, not ${wanted}${why}`, mintWords(facts, [wanted]))
  }
  if (facts.minted) {
    return remark(
      'an audience has to be the provider: --audience //iam.googleapis.com/projects/NUMBER/locations/global/workloadIdentityPools/POOL/providers/PROVIDER',
    )
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

/** Returns the result for unreadable keys. They are not a fault for a verifier that takes the keys in another way. */
function unread({ verifier }: DoctorFacts, problem: string): Checked {
  const forbidden = /403|forbidden/i.test(problem)
  const fix = forbidden ? BINDING : undefined
  if (verifier === 'gcp') {
    const upload = 'without it the keys have to be uploaded (oauth-lab k8s jwks > keys.json)'
    return helped(remark(`${problem}; ${upload}`), fix)
  }
  if (verifier === 'vault')
    return helped(remark(`${problem}; a JWT auth method then needs jwt_validation_pubkeys`), fix)
  return fault(problem, fix)
}

function discovery(facts: DoctorFacts): Checked {
  const { discovery: fetched, token } = facts
  const { document, problem, url } = fetched
  if (document === undefined) return unread(facts, problem ?? `${url} has no document`)
  const { issuer, id_token_signing_alg_values_supported: announced } = document
  const { alg } = facts.jwt.header
  if (Array.isArray(announced) && !announced.includes(alg)) {
    return fault(`${url} announces ${announced.join(', ')}, and the token is signed by ${String(alg)}`)
  }
  if (issuer !== token?.issuer) {
    return fault(
      `${url} says issuer ${JSON.stringify(issuer)}, the token says ${token?.issuer ?? 'none'}: they have to be the same string`,
    )
  }
  return pass(`${url} answers without credentials, and names the same issuer`)
}

/** Most keys of a set that AWS reads. */
const MAX_AWS_KEYS = 100

function published(facts: DoctorFacts): Checked {
  const { document, problem, url } = facts.keys
  if (document === undefined) return unread(facts, problem ?? `${url} has no keys`)
  const { keys } = document
  if (!Array.isArray(keys)) return fault(`${url} holds no JWK Set`)
  if (keys.length === 0)
    return fault(`${url} holds no key: check the API server's --service-account-key-file`)
  if (facts.verifier === 'aws' && keys.length > MAX_AWS_KEYS) {
    return fault(
      `${keys.length} keys at ${url}: AWS reads ${MAX_AWS_KEYS} at most; take out those of expired tokens`,
    )
  }
  return pass(`${keys.length} at ${url}`)
}

/** The address of the keys: an API server without --service-account-jwks-uri names its own, which is often inside. */
function keysAddress(facts: DoctorFacts): Checked {
  const { keys, discovery, token, verifier } = facts
  if (discovery.document === undefined) return notApplicable('the metadata cannot be read')
  const { url } = keys
  const help = "set the API server's --service-account-jwks-uri to a public https address"
  if (!isUrl(url) || new URL(url).protocol !== 'https:') return fault(`${url} is no https address: ${help}`)
  const { hostname } = new URL(url)
  if (!isInside(hostname)) return pass(url)
  // The issuer has said so already.
  const iss = token?.issuer
  const isSame = iss !== undefined && isUrl(iss) && new URL(iss).hostname === hostname
  if (isSame || verifier === 'vault') return remark(`${url} cannot be reached from outside, like the issuer`)
  return verifier === 'gcp'
    ? remark(`${url} cannot be reached from outside: upload the keys, or ${help}`)
    : fault(`${url} cannot be reached from outside: ${help}`)
}

/** The longest time in which a verifier may not see a new key, in seconds. */
const LONG_CACHE = 86_400

function caching({ keys, discovery }: DoctorFacts): Checked {
  if (keys.document === undefined) return notApplicable('the keys cannot be read')
  const { cache = discovery.cache } = keys
  const age = /(?:^|[\s,])max-age=(\d{1,9})(?:$|[\s,;])/i.exec(cache ?? '')?.[1]
  const publish = 'publish a new key before it signs, and keep the old one until its last token has expired'
  if (cache === undefined || age === undefined || /\bno-(?:store|cache)\b/i.test(cache)) {
    return remark(
      `Cache-Control is ${cache ?? 'missing'}: each service keeps the keys as long as it likes; ${publish}`,
    )
  }
  return Number(age) > LONG_CACHE
    ? remark(`max-age=${age}: a new key may stay unknown for ${Math.round(Number(age) / 3600)} h; ${publish}`)
    : pass(`max-age=${age}: a new key is known after ${age} s at the latest; ${publish}`)
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
  azure: 'Microsoft Entra: workload identity federation',
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
  row('discovery', discovery, 'OpenID Connect Discovery §4', FETCHING),
  row('keys-address', keysAddress, undefined, FETCHING),
  row('keys', published, undefined, FETCHING),
  row('cache', caching, 'Kubernetes: service account tokens', FETCHING),
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
