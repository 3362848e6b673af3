import type { Client } from '../../../protocol/oauth/client.js'
import { cimd, type Rule } from '../../../protocol/rules/rule.js'
import type { CallKind } from '../settings.js'

/** The kind of a failed fetch. `busy`: this server fetches too much now. `network`: no readable answer came. */
type FailureKind = 'address' | 'status' | 'size' | 'busy' | 'network'

/** A document of a client that cannot be had. The message is the problem in one line. */
export class FetchFailure extends Error {
  override name = 'FetchFailure'
  constructor(
    readonly kind: FailureKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

const RULES: Readonly<Record<FailureKind, Rule>> = {
  address: cimd('8.6'),
  status: cimd('5'),
  size: cimd('8.7'),
  busy: cimd('5.1'),
  network: cimd('5.1'),
}

/** Returns the rule of the draft on client ID metadata documents by which a failed fetch refuses its client. */
export function failureRule(error: unknown): Rule {
  return RULES[error instanceof FetchFailure ? error.kind : 'network']
}

/** Returns the kind of the addresses that a client names in its registration. A stranger may have chosen them. */
export function documentKind({ introduced }: Pick<Client, 'introduced'>): CallKind {
  return introduced === undefined ? 'registered' : 'introduced'
}
