import { type Command, Option } from 'commander'
import type { Fault } from '../authorization-server/endpoints/fault-list.js'
import { STAGE_NAMES, STAGES, type StageName } from '../authorization-server/stages/stages.js'
import { UsageError } from '../errors.js'
import { type ClockSetting, parseInstant } from '../lab/clock.js'
import type { LabConfig } from '../lab/config.js'
import { isLoopback } from '../lab/names.js'

/** Flags of `serve` that change how the authorization server behaves. A flag beats the lab file. */
export interface ModeFlags {
  readonly host?: string
  readonly stage?: StageName
  readonly profile?: 'standard' | 'reference'
  readonly responseTypeErrors?: 'page' | 'redirect'
  readonly compression?: true
  readonly fail?: readonly string[]
  readonly seed?: number
  /** Milliseconds since the epoch. */
  readonly now?: number
  readonly explain?: true
}

function seed(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new UsageError(`--seed ${JSON.stringify(text)} is not a whole number`, ['It looks like --seed 7'])
}

/** Adds the options that change how the authorization server behaves. */
export function withModeOptions(command: Command): Command {
  return command
    .addOption(new Option('--stage <stage>', 'how far the server is built').choices(STAGE_NAMES))
    .addOption(
      new Option('--profile <profile>', 'standard: the RFCs; reference: the reference behaviour').choices([
        'standard',
        'reference',
      ]),
    )
    .option('--compression', 'compress what clients offer to take compressed (or ENABLE_COMPRESSION=1)')
    .option('--explain', 'print what the stage and the profile do otherwise and why, and exit')
    .addOption(
      new Option('--response-type-errors <how>', 'answer to an unsupported response_type').choices([
        'page',
        'redirect',
      ]),
    )
    .option(
      '--fail <endpoint:error[:times]>',
      'make an endpoint answer an error: once, a number of times, or always (default); repeat it',
      (text: string, before: readonly string[] = []) => [...before, text],
    )
    .addOption(
      new Option(
        '--seed <number>',
        'INSECURE: the same codes, tokens and values in every run; with --now the clock stands still',
      ).argParser(seed),
    )
    .addOption(
      new Option(
        '--now <time>',
        'what the lab’s clock shows at the start: an ISO date, or seconds since 1970',
      ).argParser(parseInstant),
    )
}

/** The lab file with the flags and the environment put over it. `ENABLE_COMPRESSION` is on when it is not empty, whatever it says. */
export function withFlags(
  config: LabConfig,
  flags: ModeFlags,
  env: NodeJS.ProcessEnv = process.env,
): LabConfig {
  const { stage, profile, responseTypeErrors } = flags
  const compression = flags.compression ?? (env.ENABLE_COMPRESSION ? true : config.compression)
  return {
    ...config,
    ...(stage && { stage }),
    ...(profile && { profile }),
    ...(responseTypeErrors && { responseTypeErrors }),
    compression,
  }
}

/** The lab's clock; undefined: the real one. */
export function clockSetting({ now, seed: chosen }: ModeFlags): ClockSetting | undefined {
  return now === undefined ? undefined : { from: now, since: Date.now(), still: chosen !== undefined }
}

/** What `--seed`, `--now` and `--fail` make of a lab. */
export interface Mode {
  readonly clock: ClockSetting | undefined
  readonly random?: (length: number) => Uint8Array
  readonly faults: readonly Fault[]
}

/**
 * Reads the flags that are no part of the lab file.
 * @throws UsageError
 */
export async function readMode(flags: ModeFlags): Promise<Mode> {
  const { host, seed: chosen, fail = [] } = flags
  if (chosen !== undefined && host !== undefined && !isLoopback(host)) {
    throw new UsageError(`--seed is for this machine only, not for --host ${host}`, [
      'Everybody who knows the seed can compute the codes',
    ])
  }
  const { parseFault } = await import('./fault-option.js')
  const { seededRandom } = await import('../lab/seeded-random.js')
  return {
    clock: clockSetting(flags),
    ...(chosen !== undefined && { random: seededRandom(chosen) }),
    faults: fail.map(parseFault),
  }
}

/** What a person should know of the way the server behaves. */
export async function modeWarnings(config: LabConfig, flags: ModeFlags): Promise<string[]> {
  const found: string[] = []
  if (config.profile === 'reference') {
    const { REFERENCE_WARNING } = await import('../authorization-server/reference/pages.js')
    const line = '!'.repeat(72)
    found.push(
      line,
      `!! ${REFERENCE_WARNING}`,
      '!! What it does otherwise:  oauth-lab serve --profile reference --explain',
      line,
    )
  }
  const { ENABLE_COMPRESSION: enable = '' } = process.env
  if (['0', 'false'].includes(enable.toLowerCase())) {
    found.push(
      `note: ENABLE_COMPRESSION=${enable} switches compression on; only an empty value leaves it off`,
    )
  }
  if (flags.seed !== undefined) {
    found.push(
      'warning: --seed makes every code, token and csrf value predictable; it is for transcripts only',
    )
  }
  if (flags.now !== undefined) {
    const shown = new Date(flags.now).toISOString()
    found.push(`note: the lab's clock ${flags.seed === undefined ? 'runs from' : 'stands still at'} ${shown}`)
  }
  const { differences } = STAGES[config.stage]
  if (differences.length > 0) {
    found.push(
      `note: stage ${config.stage} leaves things out; see oauth-lab serve --stage ${config.stage} --explain`,
    )
  }
  return found
}
