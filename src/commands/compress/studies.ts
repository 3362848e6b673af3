import type { HeaderList } from '../../protocol/http/message.js'
import { type Ask, type AskOptions, createAsk, readFields } from '../../servers/compression/client/ask.js'
import { urlTarget } from '../../session/targets/page.js'
import { type Target, withTarget } from '../../session/targets/target.js'
import { narrate, print, printJson } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import type { RequestFlags } from './options.js'

/** How the result of a study is printed and judged. */
export interface StudyOutput<Result> {
  readonly lines: (result: Result, globals: Globals) => readonly string[]
  /** True when no answer was compressed, although one was asked for. */
  readonly allRaw?: (result: Result) => boolean
  /** True when a rule is broken: the exit code is 1 then. */
  readonly fails?: (result: Result) => boolean
}

/** Returns the options of all requests to a target. @throws UsageError */
export function askOptions(
  { caPem, headers = [] }: Pick<Target, 'caPem'> & { readonly headers?: HeaderList },
  { timeoutMs }: Globals,
  { header = [], follow }: RequestFlags,
): AskOptions {
  const typed = readFields(header)
  const named = typed.some(([name]) => name.toLowerCase() === 'authorization')
  return { caPem, timeoutMs, follow: follow === true, headers: named ? typed : [...headers, ...typed] }
}

/** The narration after a study in which no answer was compressed. */
export const NOT_COMPRESSING =
  'Nothing came compressed: a running lab does so with --compression or ENABLE_COMPRESSION=1'

/**
 * Runs a study of a target, prints its result and sets the exit code.
 * @throws UsageError, TransportError, TimeoutError
 */
export function studyTarget<Found extends Target, Result>(
  target: Promise<Found>,
  globals: Globals,
  study: (target: Found, ask: Ask) => Promise<Result>,
  { lines, allRaw, fails }: StudyOutput<Result>,
  flags: RequestFlags = {},
): Promise<void> {
  return withTarget(target, async found => {
    const ask = createAsk(askOptions(found, globals, flags))
    const result = await study(found, ask)
    if (globals.json) printJson(result)
    else print(...lines(result, globals))
    if (allRaw?.(result)) narrate(NOT_COMPRESSING)
    process.exitCode = fails?.(result) ? EXIT.refused : EXIT.done
  })
}

/** Runs a study of an address, or of a path of the lab in use. Bad flags are refused before a lab starts. Otherwise as `studyTarget`. */
export function studyUrl<Result>(
  text: string,
  globals: Globals,
  study: (url: string, ask: Ask) => Promise<Result>,
  output: StudyOutput<Result>,
  flags: RequestFlags = {},
): Promise<void> {
  readFields(flags.header ?? [])
  const target = urlTarget(text, globals, { narrate })
  return studyTarget(target, globals, ({ address }, ask) => study(address, ask), output, flags)
}
