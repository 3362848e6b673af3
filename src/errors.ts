/** Exit codes of every command (see the README, "Exit codes"). */
export const EXIT = {
  done: 0,
  refused: 1,
  usage: 2,
  transport: 3,
  bug: 70,
  timeout: 124,
  interrupted: 130,
  terminated: 143,
} as const

/** An error whose message is meant for a person: one line what happened, and lines that say what to do next. */
export class UserError extends Error {
  override name = 'UserError'
  /** The speaker, before the message: this program, or `error` when the message is a service's own. */
  readonly label: string = 'oauth-lab'
  /**
   * @param message what happened, one line, no full stop needed
   * @param exitCode one of EXIT
   * @param hints what to do next, one line each
   */
  constructor(
    message: string,
    readonly exitCode: number,
    readonly hints: readonly string[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** Wrong words: an unknown client, a bad option, a broken lab file. Exit code 2. */
export class UsageError extends UserError {
  override name = 'UsageError'
  constructor(message: string, hints: readonly string[] = []) {
    super(message, EXIT.usage, hints)
  }
}

/** No answer from the network: refused connection, foreign certificate, busy port. Exit code 3. */
export class TransportError extends UserError {
  override name = 'TransportError'
  /** @param code the system's or TLS library's code, such as ECONNREFUSED */
  constructor(
    message: string,
    readonly code: string,
    hints: readonly string[] = [],
    options?: ErrorOptions,
  ) {
    super(message, EXIT.transport, hints, options)
  }
}

/** A wait that took longer than `--timeout`. Exit code 124. */
export class TimeoutError extends UserError {
  override name = 'TimeoutError'
  constructor(message: string, hints: readonly string[] = []) {
    super(message, EXIT.timeout, hints)
  }
}
