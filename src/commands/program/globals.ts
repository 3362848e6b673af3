import { resolve } from 'node:path'
import type { Command } from 'commander'
import { parseDuration } from '../../lab/lab-file/duration.js'
import { labHome } from '../../lab/state/home.js'
import { UsageError } from '../../protocol/errors.js'
import { baseUrl, quotedUrl } from '../../protocol/http/address.js'
import { withoutEnd } from '../../protocol/values.js'
import type { OptionRow } from '../../session/options/option.js'
import { ROOM } from '../../session/room/room-name.js'
import { asciiOnly } from '../output/output-mode.js'
import { EVERYWHERE, globalOptions } from './global-options.js'

/** Options that every command understands, checked. A flag beats the environment. */
export interface Globals {
  readonly json: boolean
  /** `--config`, absolute; left out: `./oauth-lab.yaml` if there, else the built-in lab. */
  readonly config?: string
  /** `--server`: base URL without trailing slash, or `room` for the lab of the room that the person is in. */
  readonly server?: string
  /** The option or the variable that set `server`. */
  readonly serverBy?: string
  /** `--cacert`, absolute. */
  readonly cacert?: string
  /** Milliseconds a network wait may take. */
  readonly timeoutMs: number
  /** Milliseconds that a person may take; left out: no option and no variable says so. */
  readonly patience?: number
  readonly showSecrets: boolean
  /** True when colours are allowed; the terminal may still have no colours. */
  readonly color: boolean
  /** True when only ASCII is drawn, by option or because the terminal shows nothing else. */
  readonly ascii: boolean
  /** The state folder. */
  readonly home: string
}

const DEFAULT_TIMEOUT = '30s'

/** The options of every command. People type them after the subcommand, or before it. */
export const everywhere: readonly OptionRow<never, never, false>[] = globalOptions.map(([flags, meaning]) => {
  return { flags, meaning, group: EVERYWHERE }
})

/** The value that was typed, on this command or one above it. */
function typed(command: Command, name: string): unknown {
  for (let here: Command | null = command; here; here = here.parent) {
    if (here.getOptionValueSource(name) === 'cli') return here.getOptionValue(name)
  }
  return undefined
}

/** A value with the name of what set it, for messages. */
function setting(
  command: Command,
  name: string,
  env: NodeJS.ProcessEnv,
): { text: string; by: string } | undefined {
  const flag = typed(command, name)
  if (typeof flag === 'string') return { text: flag, by: `--${name}` }
  const variable = `OAUTH_LAB_${name.toUpperCase()}`
  const value = env[variable]
  return value ? { text: value, by: variable } : undefined
}

function serverUrl({ text, by }: { text: string; by: string }): string {
  if (text === ROOM) return text
  if (baseUrl(text)?.protocol === 'https:') return withoutEnd(text, '/')
  throw new UsageError(`${by} ${quotedUrl(text)} is not the https base URL of a lab`, [
    'It looks like https://localhost:8443',
    'The lab of the room that you are in:  --server room',
  ])
}

function timeout({ text, by }: { text: string; by: string }): number {
  const ms = parseDuration(text)
  if (ms === undefined || ms > 86_400_000) {
    throw new UsageError(`${by} ${JSON.stringify(text)} is not a duration up to one day`, [
      'Write it as 90s, 15m, 1h',
    ])
  }
  return ms
}

/** The checked values of the options that every command understands. @throws UsageError */
export function readGlobals(command: Command, env: NodeJS.ProcessEnv = process.env): Globals {
  const config = setting(command, 'config', env)
  const server = setting(command, 'server', env)
  const cacert = setting(command, 'cacert', env)
  const wait = setting(command, 'timeout', env)
  const timeoutMs = timeout(wait ?? { text: DEFAULT_TIMEOUT, by: '--timeout' })
  return {
    json: typed(command, 'json') === true,
    ...(config && { config: resolve(config.text) }),
    ...(server && { server: serverUrl(server), serverBy: server.by }),
    ...(cacert && { cacert: resolve(cacert.text) }),
    timeoutMs,
    ...(wait && { patience: timeoutMs }),
    showSecrets: typed(command, 'showSecrets') === true,
    color: typed(command, 'color') !== false && !env.NO_COLOR,
    ascii: typed(command, 'ascii') === true || asciiOnly(env),
    home: labHome(env),
  }
}
