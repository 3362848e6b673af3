import { UsageError } from '../../protocol/errors.js'
import type { Hook } from '../../servers/cloudflare/client/webhook/poster.js'
import { readFileOrStdin } from '../../session/input/input.js'
import { narrate } from '../output/output.js'
import type { EventFlags } from './options.js'

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
