import { UsageError } from '../../protocol/errors.js'
import { nearestHint } from '../../protocol/nearest.js'
import { parseSpan } from '../../servers/cloudflare/client/events/event-query.js'
import type { Hook } from '../../servers/cloudflare/client/webhook/poster.js'
import { readFileOrStdin } from '../../session/input/input.js'
import { refuse } from '../../session/options/option.js'
import { COUNTED_FIELDS, type CountedField } from '../../show/render/events/events-list.js'
import { narrate } from '../output/output.js'
import type { EventFlags } from './options.js'

/** The checked options beside filter and period. */
export interface EventSettings {
  readonly limit: number
  /** True when the limit was typed. */
  readonly limited: boolean
  readonly top: number | undefined
  readonly groupBy: readonly CountedField[] | undefined
  readonly follow: boolean
  /** Milliseconds. */
  readonly interval: number
  readonly batch: number
}

const USUAL_LIMIT = 10_000
const MAX_LIMIT = 100_000
const MAX_BATCH = 100

function count(option: string, text: string, most: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (value >= 1 && value <= most) return value
  throw new UsageError(`${option} ${JSON.stringify(text.slice(0, 40))} is no whole number from 1 to ${most}`)
}

function interval(text = '5s'): number {
  const ms = parseSpan(text)
  if (ms !== undefined && ms <= 3_600_000) return ms
  throw new UsageError(`--interval ${JSON.stringify(text.slice(0, 40))} is no time from 1s to 1h`)
}

function fieldsOf(text: string): CountedField[] {
  return [...new Set(text.split(',').map(each => each.trim()))].map(word => {
    const known = COUNTED_FIELDS.find(field => field === word.toLowerCase())
    if (known !== undefined) return known
    throw new UsageError(
      `--group-by ${JSON.stringify(word.slice(0, 40))} is not one of ${COUNTED_FIELDS.join(', ')}`,
      nearestHint(word, COUNTED_FIELDS),
    )
  })
}

/** @throws UsageError for options that contradict each other, or that need another one */
function checkTogether(flags: EventFlags, hook: HookSource | undefined): void {
  const chat = ['channel', 'username', 'iconUrl', 'batch', 'dryRun'] as const
  const stray = chat.find(name => flags[name] !== undefined)
  const spelt = stray?.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
  const counted = flags.top === undefined ? flags.groupBy && '--group-by' : '--top'
  const other = counted || (flags.output && '-o')
  refuse([
    [
      hook === undefined && stray !== undefined,
      `--${spelt} is for posts to a chat`,
      'Name the chat:   --webhook-file FILE   (or OAUTH_LAB_WEBHOOK)',
    ],
    [
      flags.follow && Boolean(counted),
      `${counted} counts what there is, --follow shows what comes`,
      'Leave one out',
    ],
    [flags.follow && flags.until !== undefined, '--follow has no end, --until names one', 'Leave one out'],
    [
      flags.follow && flags.output === 'json',
      '-o json is one array, and --follow never comes to its end',
      'One object a line:   -o jsonl',
    ],
    [
      hook !== undefined && Boolean(other),
      `${other} is for lists, and ${hook?.from} posts instead`,
      'Leave one out',
    ],
  ])
}

/**
 * Checks the options of `cf events` that need no service.
 * @param hook the chat webhook of the run
 * @throws UsageError
 */
export function readSettings(flags: EventFlags, hook: HookSource | undefined): EventSettings {
  checkTogether(flags, hook)
  return {
    limit: flags.limit === undefined ? USUAL_LIMIT : count('--limit', flags.limit, MAX_LIMIT),
    limited: flags.limit !== undefined,
    top: flags.top === undefined ? undefined : count('--top', flags.top, 1000),
    groupBy: flags.groupBy === undefined ? undefined : fieldsOf(flags.groupBy),
    follow: flags.follow === true,
    interval: interval(flags.interval),
    batch: count('--batch', flags.batch ?? '20', MAX_BATCH),
  }
}

/** True when the options name an API that knows only the values of REST: the lab's, or `--api rest`. */
export function restIsMeant(flags: EventFlags, env: NodeJS.ProcessEnv): boolean {
  if (flags.api !== 'auto') return flags.api === 'rest'
  const elsewhere = [flags.apiUrl, flags.keyFile, flags.tokenFile, env.CLOUDFLARE_BASE_URL]
  return [...elsewhere, env.CLOUDFLARE_API_TOKEN, env.CLOUDFLARE_API_KEY].every(each => !each)
}

/** The source of the address of a chat webhook. */
export type HookSource =
  | { readonly from: string; readonly address: string }
  | { readonly from: string; readonly file: string }

/** The largest file with an address, in bytes. */
const MAX_FILE = 64 * 1024

/** The variable that names a webhook without an option. */
const VARIABLE = 'OAUTH_LAB_WEBHOOK'

/** True when the options ask for a list or for counts. Then the variable starts no posts. */
const lists = ({ output, top, groupBy, plain }: EventFlags): boolean =>
  [output, top, groupBy, plain].some(each => each !== undefined)

/**
 * Finds the chat webhook of a run: an option, else the variable.
 * @returns undefined for a run that posts nothing
 * @throws UsageError for two options
 */
export function hookSource(flags: EventFlags, env: NodeJS.ProcessEnv): HookSource | undefined {
  const { webhook, webhookFile } = flags
  if (webhook !== undefined && webhookFile !== undefined) {
    throw new UsageError('--webhook and --webhook-file are two ways', ['Leave one out'])
  }
  if (webhookFile !== undefined) return { from: '--webhook-file', file: webhookFile }
  if (webhook !== undefined) return { from: '--webhook', address: webhook }
  const address = env[VARIABLE]?.trim()
  return address && !lists(flags) ? { from: VARIABLE, address } : undefined
}

async function addressOf(source: HookSource): Promise<string> {
  if ('address' in source) return source.address
  return (await readFileOrStdin('the address of the webhook', source.file, MAX_FILE)).trim()
}

/**
 * Reads the chat webhook of a run. A line on stderr names the variable when that starts the posts.
 * @throws UsageError that does not repeat the address
 */
export async function readNamedHook(source: HookSource): Promise<Hook> {
  const { readHook } = await import('../../servers/cloudflare/client/webhook/poster.js')
  const hook = readHook(await addressOf(source), source.from)
  if (source.from === VARIABLE) narrate(`Posting to the chat webhook of ${VARIABLE}.`)
  return hook
}
