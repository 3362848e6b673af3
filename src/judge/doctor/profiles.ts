import type { Severity } from '../../protocol/rules/finding.js'
import type { Citation } from '../../protocol/rules/rule.js'
import type { DoctorCheck, Publication } from './facts.js'
import { type Finding, notApplicable } from './finding.js'
import { fapi2Checks, openIdChecks } from './profile-checks.js'

/** The profiles that a server can be examined by. */
export const DOCTOR_PROFILES = ['oauth21', 'fapi2', 'oidc', 'bcp'] as const

/** A profile that a server can be examined by. */
export type DoctorProfile = (typeof DOCTOR_PROFILES)[number]

/** A profile as data: the rules that it adds, makes heavier or lighter, and does not have. */
interface ProfileRules {
  /** The name for people. */
  readonly title: string
  /** Checks that only this profile makes. */
  readonly adds: readonly DoctorCheck<Publication>[]
  /** The weight of a broken rule, and the section of the profile, by finding. */
  readonly weighs: Readonly<Record<string, { readonly severity: Severity; readonly rule: Citation }>>
  /** Findings, and beginnings of rules, that the profile does not ask for. */
  readonly leavesOut: readonly string[]
}

const weigh = (severity: Severity, rule: Citation, ...names: readonly string[]) =>
  Object.fromEntries(names.map(name => [name, { severity, rule }]))

/** Moves that compare redirect addresses. */
const ADDRESSES = [
  'unregistered-redirect-uri',
  'redirect-uri-user-info',
  'redirect-uri-look-alike',
  'redirect-uri-path',
  'redirect-uri-query',
]

const IN_QUERY = ['token-in-query', 'resource-token-in-query']

/** Every profile. */
export const PROFILE_RULES: Readonly<Record<DoctorProfile, ProfileRules>> = {
  oauth21: {
    title: 'OAuth 2.1',
    adds: [],
    weighs: {
      ...weigh('fault', 'draft-ietf-oauth-v2-1 §1.8', 'password-not-announced'),
      ...weigh('fault', 'draft-ietf-oauth-v2-1 §10.1', 'implicit-not-announced'),
      ...weigh('fault', 'draft-ietf-oauth-v2-1 §4.1.1', 'pkce-announced', 'no-challenge', 'downgrade-pkce'),
      ...weigh('fault', 'draft-ietf-oauth-v2-1 §2.3.1', ...ADDRESSES),
      ...weigh('fault', 'draft-ietf-oauth-v2-1 §5.1', ...IN_QUERY),
    },
    leavesOut: ['OpenID Connect'],
  },
  fapi2: {
    title: 'the FAPI 2.0 Security Profile',
    adds: fapi2Checks,
    weighs: {
      ...weigh('fault', 'FAPI 2.0 Security Profile §5.3.2.1-2', 'password-not-announced'),
      ...weigh('fault', 'FAPI 2.0 Security Profile §5.3.2.2-1', 'implicit-not-announced'),
      ...weigh('fault', 'FAPI 2.0 Security Profile §5.3.2.2-5', 'pkce-announced', 'plain-challenge'),
      ...weigh('fault', 'FAPI 2.0 Security Profile §5.3.2.2-7', 'iss-sent'),
      ...weigh('fault', 'FAPI 2.0 Security Profile §5.3.2.2-3', 'par-required'),
      ...weigh('fault', 'FAPI 2.0 Security Profile §5.3.2.2-12', 'par-lifetime'),
      ...weigh('fault', 'FAPI 2.0 Security Profile §5.3.4-2', ...IN_QUERY),
    },
    leavesOut: [],
  },
  oidc: {
    title: 'OpenID Connect',
    adds: openIdChecks,
    weighs: {
      ...weigh('fault', 'OpenID Connect Core §3.1.2.1', 'max-age-honoured'),
      ...weigh('fault', 'OpenID Connect Core §5.3.1', 'userinfo-takes-token'),
      ...weigh('fault', 'OpenID Connect Discovery §3', 'rs256-offered'),
      // OpenID Connect Core asks for no PKCE, and for no iss.
      ...weigh('remark', 'RFC 9700 §2.1.1', 'pkce-announced', 'no-challenge'),
      ...weigh('remark', 'RFC 9207 §2', 'iss-sent'),
    },
    // Implicit and hybrid responses are part of it (OpenID Connect Core §3.2, §3.3).
    leavesOut: ['implicit-not-announced'],
  },
  bcp: {
    title: 'RFC 9700',
    adds: [],
    weighs: {
      ...weigh('fault', 'RFC 9700 §2.4', 'password-not-announced'),
      ...weigh('weakness', 'RFC 9700 §2.1.2', 'implicit-not-announced'),
      ...weigh('fault', 'RFC 9700 §2.1.1', 'pkce-announced', 'no-challenge'),
      ...weigh('fault', 'RFC 9700 §4.3.2', ...IN_QUERY),
    },
    leavesOut: ['OpenID Connect'],
  },
}

const BROKEN: readonly Finding['result'][] = ['fault', 'weakness', 'remark']

/** A finding by the rules of a profile. A refusal in another form stays a remark. */
function weighed(finding: Finding, profile: DoctorProfile): Finding {
  const { title, weighs, leavesOut } = PROFILE_RULES[profile]
  const { name, rule, result, detail } = finding
  if (leavesOut.some(each => each === name || rule.startsWith(each)))
    return { ...finding, ...notApplicable(`${title} does not ask for it: ${detail}`) }
  const own = Object.hasOwn(weighs, name) ? weighs[name] : undefined
  if (own === undefined) return finding
  const isBroken = BROKEN.includes(result) && !detail.startsWith('refused otherwise')
  return { ...finding, rule: own.rule, result: isBroken ? own.severity : result }
}

/** Findings by the rules of a profile; without one as they are. */
export async function* byProfile(
  findings: AsyncIterable<Finding>,
  profile: DoctorProfile | undefined,
): AsyncGenerator<Finding, void, void> {
  for await (const finding of findings) yield profile === undefined ? finding : weighed(finding, profile)
}
