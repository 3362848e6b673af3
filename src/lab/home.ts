import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

/**
 * The state folder: OAUTH_LAB_HOME, else `oauth-lab` in the user's data folder (XDG Base Directory
 * Specification; a relative XDG_DATA_HOME is to be ignored). Nothing is made yet.
 */
export function labHome(env: NodeJS.ProcessEnv = process.env): string {
  if (env.OAUTH_LAB_HOME) return resolve(env.OAUTH_LAB_HOME)
  if (process.platform === 'win32' && env.LOCALAPPDATA) return join(env.LOCALAPPDATA, 'oauth-lab')
  const data = env.XDG_DATA_HOME
  const base = data && isAbsolute(data) ? data : join(env.HOME || homedir(), '.local', 'share')
  return join(base, 'oauth-lab')
}
