import type { Citation } from '../../../../protocol/rules/rule.js'

/** The verifiers that the doctor knows. */
export const VERIFIERS = ['api', 'vault', 'aws', 'gcp'] as const

/** A verifier by its short name. */
export type Verifier = (typeof VERIFIERS)[number]

/** The result of one check. */
export interface Checked {
  /** The result of the check. `look` is not a fault: it depends on something that this program cannot see. */
  readonly result: 'pass' | 'fault' | 'look' | 'not_applicable'
  /** The reason. It may contain text of the token or of a server, so it is untrusted. */
  readonly detail: string
  /** The command that helps, as a list of arguments. */
  readonly fix?: readonly string[]
}

/** The documents that make the rules of a verifier of cluster tokens, beside the RFCs. */
export type VerifierRule =
  | 'authentication.k8s.io/v1 TokenReview'
  | 'authentication.k8s.io/v1 SelfSubjectReview'
  | 'Kubernetes: service account tokens'
  | 'Vault: Kubernetes auth method'
  | 'IAM: AssumeRoleWithWebIdentity'
  | 'IAM: workload identity federation'

/** One line of the doctor's report. */
export interface Finding extends Checked {
  /** The name of the check, kebab-case. Names stay stable because scripts use them. */
  readonly name: string
  readonly rule: Citation | VerifierRule
}

/** Names a result, and the rule behind it. */
export const findingOf = (name: string, rule: Finding['rule'], checked: Checked): Finding => ({
  name,
  rule,
  ...checked,
})

export const pass = (detail: string): Checked => ({ result: 'pass', detail })
export const remark = (detail: string): Checked => ({ result: 'look', detail })
export const notApplicable = (detail: string): Checked => ({ result: 'not_applicable', detail })
export const fault = (detail: string, fix?: readonly string[]): Checked => ({
  result: 'fault',
  detail,
  ...(fix && { fix }),
})
