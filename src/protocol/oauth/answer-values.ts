import type { Citation } from '../rules/rule.js'
import { OAuthError } from './oauth-error.js'

/** Readers of single members of an answer. Each throws an OAuthError with the rule of the answer. */
export interface AnswerValues {
  /** Reads a text that must be there, and not be empty. */
  text(name: string): string
  /** Reads a number of seconds as milliseconds; undefined where it is absent. */
  milliseconds(name: string): number | undefined
  /** The error for a member that breaks the rule. */
  invalid(description: string): OAuthError
}

/** Prepares reading the members of an answer. */
export function answerValues(members: Readonly<Record<string, unknown>>, rule: Citation): AnswerValues {
  const invalid = (description: string) => new OAuthError('invalid_response', { description, rule })
  return {
    invalid,
    text(name) {
      const value = members[name]
      if (typeof value !== 'string' || value === '') throw invalid(`${name} is missing`)
      return value
    },
    milliseconds(name) {
      const value = members[name]
      if (value === undefined) return undefined
      if (typeof value === 'number' && value >= 0 && value <= 86_400 * 365) return value * 1000
      throw invalid(`${name} is not a number of seconds`)
    },
  }
}
