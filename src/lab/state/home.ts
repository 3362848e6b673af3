import { userInfo } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { UsageError } from '../../protocol/errors.js'

/**
 * OAUTH_LAB_HOME, else `oauth-lab` in the user's data folder (XDG Base Directory Specification). It is not made.
 * @throws UsageError where there is no home folder
 */
export function labHome(env: NodeJS.ProcessEnv = process.env): string {
  if (env.OAUTH_LAB_HOME) return resolve(env.OAUTH_LAB_HOME)
  if (process.platform === 'win32' && env.LOCALAPPDATA) return join(env.LOCALAPPDATA, 'oauth-lab')
  const data = env.XDG_DATA_HOME
  const base = data && isAbsolute(data) ? data : join(env.HOME || ownFolder(), '.local', 'share')
  return join(base, 'oauth-lab')
}

/** HOME may be empty. */
function ownFolder(): string {
  try {
    return userInfo().homedir
  } catch {
    throw new UsageError(
      'there is no home folder: HOME is not set, and the system knows no home folder of this user',
      ['Name a folder for the state:  OAUTH_LAB_HOME=/path/to/folder'],
    )
  }
}
