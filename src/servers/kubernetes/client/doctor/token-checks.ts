import { isUrl } from '../../../../protocol/http/address.js'
import { withoutEnd } from '../../../../protocol/values.js'
import { mintCommand } from '../mint-command.js'
import type { DoctorFacts } from './facts.js'
import {
  type Checked,
  type Finding,
  fault,
  notApplicable,
  pass,
  remark,
  type Verifier,
  type VerifierRule,
} from './finding.js'

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
  const { alg } = jwt.header
  const allowed =
    verifier === 'gcp' || verifier === 'aws' ? ['RS256', 'ES256'] : ['RS256', 'ES256', 'ES384', 'ES512']
  const text = String(alg)
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

/** Checks the token itself. */
export function tokenFindings(facts: DoctorFacts): Finding[] {
  const sources: Readonly<Record<Verifier, VerifierRule>> = {
    api: 'Kubernetes: service account tokens',
    vault: 'Vault: Kubernetes auth method',
    aws: 'IAM: AssumeRoleWithWebIdentity',
    gcp: 'IAM: workload identity federation',
  }
  const rule = sources[facts.verifier]
  return [
    { name: 'algorithm', rule: 'RFC 7518 §3.1', ...algorithm(facts) },
    { name: 'issuer', rule, ...issuer(facts) },
    { name: 'subject', rule, ...subject(facts) },
    { name: 'audience', rule, ...audience(facts) },
    { name: 'dates', rule: 'RFC 7519 §4.1.4', ...dates(facts) },
    { name: 'lifetime', rule, ...lifetime(facts) },
  ]
}
