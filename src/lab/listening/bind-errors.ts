import { TransportError, UsageError, type UserError } from '../../protocol/errors.js'
import type { StateHome } from '../state/state-folder.js'
import { portOwner } from './port-owner.js'

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

/** True for the error of a port that another program listens on. */
export const isBusy = (error: unknown): boolean => codeOf(error) === 'EADDRINUSE'

/** True for the error of an address that is not one of this machine. */
export const noSuchAddress = (error: unknown): boolean =>
  ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'].includes(codeOf(error) ?? '')

/** The address and port that could not be bound. */
export interface Wanted {
  readonly host: string
  readonly port: number
  /** The option that set the port, such as `--port`. */
  readonly portOption: string
  /** The command that was typed; left out: serve. */
  readonly command?: string
  readonly home: StateHome
}

/** The message for an error of `listen`: the owner of the port, and the next move. */
export async function bindError(
  error: unknown,
  { host, port, portOption, command = 'serve', home }: Wanted,
): Promise<UserError> {
  const code = codeOf(error)
  if (code === 'EADDRINUSE') {
    const owner = await portOwner(home, port)
    return new TransportError(
      `port ${port} of ${host} is in use${owner === undefined ? '' : ` by ${owner}`}`,
      code,
      [`Pick a free port:  oauth-lab ${command} ${portOption} 0`],
    )
  }
  if (code === 'EACCES') {
    return new TransportError(`port ${port} of ${host} may not be opened by this user`, code, [
      `Use a port above 1023:  oauth-lab ${command} ${portOption} 8443`,
    ])
  }
  if (noSuchAddress(error) || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new UsageError(`${host} is not an address of this machine (${code})`, [
      'Every address:  --host 0.0.0.0    this machine only:  --host 127.0.0.1',
    ])
  }
  return new TransportError(
    `cannot listen on port ${port} of ${host}: ${code ?? String(error)}`,
    code ?? 'ELISTEN',
  )
}
