import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { UsageError } from '../../../protocol/errors.js'

type Environment = Readonly<Record<string, string | undefined>>

/** Names of Chromium and its relatives in PATH. */
const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
]

/** Their places on macOS and Windows, where PATH does not have them. */
const PLACES: Readonly<Partial<Record<NodeJS.Platform, (env: Environment) => readonly string[]>>> = {
  darwin: ({ HOME = '' }) =>
    ['Google Chrome', 'Chromium', 'Microsoft Edge'].flatMap(name =>
      ['/Applications', join(HOME, 'Applications')].map(
        folder => `${folder}/${name}.app/Contents/MacOS/${name}`,
      ),
    ),
  win32: env =>
    ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'].flatMap(file =>
      [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA].flatMap(folder =>
        folder ? [`${folder}\\${file}`] : [],
      ),
    ),
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Finds Chromium, Chrome or Edge: CHROME_PATH, else PATH, else the usual places.
 * @throws UsageError where none is there
 */
export function findChromium(env: Environment, platform: NodeJS.Platform): string {
  const { CHROME_PATH: named } = env
  if (named) {
    if (isProgram(named)) return named
    throw new UsageError(`CHROME_PATH ${named} is not a program`)
  }
  const folders = (env.PATH ?? '').split(delimiter).filter(folder => folder !== '')
  const inPath = NAMES.flatMap(name => folders.map(folder => join(folder, name)))
  const found = [...inPath, ...(PLACES[platform]?.(env) ?? [])].find(isProgram)
  if (found !== undefined) return found
  throw new UsageError('no Chromium, Chrome or Edge was found for --browser', [
    'Install one, or name it:  CHROME_PATH=/path/to/chrome oauth-lab record --browser URL',
    'Or record with the DevTools of your own browser:  oauth-lab explain --help',
  ])
}
