import { fieldsOf } from '../../../protocol/http/form.js'
import type { Finding as AnyFinding, Severity } from '../../../protocol/rules/finding.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import { isSecretName } from '../../../protocol/safe-output/secret-names.js'
import { defined } from '../../../protocol/values.js'
import { createExplainer } from '../explain.js'
import type { Explanation } from '../explanation.js'
import { adviceOn, knownError } from '../known-errors.js'
import type { Recorded } from '../recorded.js'
import { quoted, type ServerWords } from '../words.js'
import { meaningOf } from './parameters.js'

/** A value of a pasted text, with its meaning. */
export interface FragmentPart {
  readonly name: string
  readonly value: string
  readonly meaning: string
  readonly isSecret: boolean
}

/** A mistake in a pasted text. */
export type FragmentFinding = AnyFinding & { readonly words?: string }

/** A text that somebody pasted, recognised and explained. Nothing in it was verified. */
export interface Fragment {
  /** Stable, in snake_case: `callback`, `token_error`. */
  readonly what: string
  /** The same for people: `the callback of a login, as an address`. */
  readonly title: string
  readonly parts: readonly FragmentPart[]
  readonly findings: readonly FragmentFinding[]
  /** The likeliest causes of an error, the most frequent first. */
  readonly causes?: readonly string[]
  /** The next command. */
  readonly next?: string
  /** Other pieces that stand in the same text. */
  readonly more?: readonly Fragment[]
  /** The exchanges of a text that holds some, explained as a recording. */
  readonly explanation?: Explanation
}

/** Reads a text in one form. Undefined: it is in another one. */
export type Reader = (text: string) => Fragment | undefined | Promise<Fragment | undefined>

/** Makes a part. The names of secrets are known. */
export const part = (name: string, value: unknown, meaning = meaningOf(name)): FragmentPart => ({
  name,
  value: typeof value === 'string' ? value : JSON.stringify(value),
  meaning,
  // Programs number their errors.
  isSecret: isSecretName(name) && !(name === 'code' && typeof value === 'number'),
})

/** Makes a finding about a text. */
export const about = (
  severity: Severity,
  name: string,
  rule: Citation,
  text: string,
  next?: string,
  words?: string,
): FragmentFinding => defined({ severity, name, rule, text, next, words })

/** Returns the findings that hold; the others are false. */
export const present = (...findings: readonly (FragmentFinding | false)[]): FragmentFinding[] =>
  findings.filter(each => each !== false)

/** Explains exchanges that were read out of a text. */
export function explainExchanges(exchanges: readonly Recorded[]): Promise<Explanation> {
  const explainer = createExplainer()
  for (const each of exchanges) explainer.add(each)
  return explainer.end({})
}

/** Explains an error by its code and its sentence. */
export function explainError(
  words: ServerWords,
  { what, title, parts }: Pick<Fragment, 'what' | 'title' | 'parts'>,
): Fragment {
  const named = knownError(words)
  const said = quoted(words)
  const sent = fieldsOf(parts.map(({ name, value }) => [name, value] as const))
  const next = adviceOn(words, { fields: sent })
  const ofServer = what !== 'error_message' && !named?.where.startsWith('a message of')
  const finding = about(
    'fault',
    what.replaceAll('_', '-'),
    named?.rule ?? 'RFC 6749 §5.2',
    `${ofServer ? 'the server said' : 'it says'} ${said}`,
    next,
    said,
  )
  return defined({ what, title, parts, findings: [finding], causes: named?.causes })
}
