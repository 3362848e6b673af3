/**
 * The kinds of errors that a person can do something about. `commands` alone turns them into exit codes.
 * - `refused`: the other side said no, or this program does
 * - `usage`: wrong words, such as an unknown client, a bad option or a broken lab file
 * - `transport`: no usable answer from the network
 * - `timeout`: a wait that took too long
 * - `interrupted`: the person ended it
 */
export type ErrorKind = 'refused' | 'usage' | 'transport' | 'timeout' | 'interrupted'

/** An error whose message is meant for a person: one line what happened, and lines that say what to do next. */
export class UserError extends Error {
  override name = 'UserError'
  /** The speaker, before the message: this program, or `error` when the message is a service's own. */
  readonly label: string = 'oauth-lab'
  /**
   * @param message what happened, one line, no full stop needed
   * @param hints what to do next, one line each
   */
  constructor(
    message: string,
    readonly kind: ErrorKind,
    readonly hints: readonly string[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** Wrong words: an unknown client, a bad option, a broken lab file. */
export class UsageError extends UserError {
  override name = 'UsageError'
  constructor(message: string, hints: readonly string[] = []) {
    super(message, 'usage', hints)
  }
}

/** No answer from the network: refused connection, foreign certificate, busy port. */
export class TransportError extends UserError {
  override name = 'TransportError'
  /** @param code the system's or TLS library's code, such as ECONNREFUSED */
  constructor(
    message: string,
    readonly code: string,
    hints: readonly string[] = [],
    options?: ErrorOptions,
  ) {
    super(message, 'transport', hints, options)
  }
}

/** A wait that took longer than `--timeout`. */
export class TimeoutError extends UserError {
  override name = 'TimeoutError'
  constructor(message: string, hints: readonly string[] = []) {
    super(message, 'timeout', hints)
  }
}

/** The codes of the system that people meet with files, as people say them. */
const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
  EACCES: 'you have no permission',
  EPERM: 'the system does not allow it',
  EEXIST: 'it exists already',
  EROFS: 'the file system can only be read',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead in a circle',
}

/**
 * Returns the reason why a file cannot be read or written, as people say it.
 * @param missing for a file or folder that is not there
 */
export function fileProblem(error: unknown, missing = 'there is no such file'): string {
  const { code, message } = error as NodeJS.ErrnoException
  return code === 'ENOENT' ? missing : (FILE_PROBLEMS[code ?? ''] ?? code ?? message)
}

/** The reason for a file that cannot be written where there is no folder for it. */
export const NO_FOLDER = 'there is no folder for it'
