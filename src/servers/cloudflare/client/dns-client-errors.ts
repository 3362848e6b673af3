import { UserError } from '../../../protocol/errors.js'
import type { Exchange } from '../../../protocol/http/exchange.js'

/** One error of an answer. The code may be missing. */
export interface GivenError {
  readonly code?: number
  readonly message: string
  readonly chain: readonly GivenError[]
}

/** A refusal of the service. */
export class ApiRefusal extends UserError {
  override name = 'ApiRefusal'
  /** The message is the service's own. */
  override readonly label = 'error'
  constructor(
    /** The errors of the answer, at least one. */
    readonly errors: readonly GivenError[],
    /** The HTTP status. */
    readonly status: number,
    readonly exchange: Exchange,
    hints: readonly string[] = [],
  ) {
    const [first, ...more] = errors.flatMap(error => [error, ...error.chain])
    super(sentence(first, status), 'refused', [...more.map(each => sentence(each)), ...hints])
  }

  /** True when one of the errors has this code. */
  has(code: number): boolean {
    return this.errors.some(error => error.code === code)
  }
}

/** A refusal by this program, in the form of an error of the service. */
export class ClientRefusal extends UserError {
  override name = 'ClientRefusal'
  override readonly label = 'error'
  constructor(message: string, hints: readonly string[] = []) {
    super(message, 'refused', hints)
  }
}

/** The longest message that is shown, in characters. */
const MAX_MESSAGE = 500

function sentence(error: GivenError | undefined, status?: number): string {
  const { message = 'no message', code } = error ?? {}
  const shown = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message
  const facts = [
    ...(code === undefined ? [] : [String(code)]),
    ...(status === undefined ? [] : [`HTTP ${status}`]),
  ]
  return facts.length === 0 ? shown : `${shown} (${facts.join(', ')})`
}
