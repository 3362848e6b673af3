import { UsageError } from '../../../protocol/errors.js'
import { defined, isJsonObject } from '../../../protocol/values.js'
import { createExplainer, type Explainer } from '../explain.js'
import type { Explanation } from '../explanation.js'
import type { Attached } from './attachments.js'
import { explainLines } from './explain-lines.js'
import { readHarEntry } from './har-entry.js'
import { HarEnd, harItems } from './har-items.js'
import { type OpenedSource, openRecording } from './source.js'

const HOW = [
  'Record a login:  DevTools > Network > Preserve log, log in, then "Export HAR (with sensitive data)"',
  'Or a run of this lab:  oauth-lab flow code --json > run.jsonl',
  'Or everything that happens at this lab:  oauth-lab serve --json > lab.jsonl',
]

/** `Firefox 130.0`, from `log.creator` or `log.browser`. */
function programName(value: unknown): string | undefined {
  if (!isJsonObject(value) || typeof value.name !== 'string') return undefined
  return `${value.name} ${typeof value.version === 'string' ? value.version : ''}`.trim().slice(0, 100)
}

async function explainHar(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  explainer: Explainer,
  attached: Attached | undefined,
): Promise<Explanation> {
  let entries = 0
  let creator: string | undefined
  const problems: string[] = []
  try {
    for await (const { part, value } of harItems(bytes, attached)) {
      if (part === 'browser') creator = programName(value) ?? creator
      else if (part === 'creator') creator ??= programName(value)
      if (part !== 'entry') continue
      entries += 1
      const recorded = readHarEntry(value, entries)
      if (recorded) explainer.add(recorded)
    }
  } catch (error) {
    if (!(error instanceof HarEnd)) throw error
    if (entries === 0) throw new UsageError(`${name} is not a recording: ${error.message}`, HOW)
    problems.push(
      `The recording is broken after entry ${entries} (${error.message}): what comes before is explained.`,
    )
  }
  if (entries === 0) throw new UsageError(`${name} has no entries (log.entries of HAR 1.2)`, HOW)
  return explainer.end(defined({ creator, problems }))
}

/**
 * Explains a recording that comes as a stream, in bounded memory.
 * @param name the file, for messages
 * @throws UsageError for a file that is no recording
 */
export async function explainSource(source: AsyncIterable<Uint8Array>, name: string): Promise<Explanation> {
  return explainOpened(await openRecording(source), name)
}

/**
 * Explains a recording whose kind is known.
 * @param attached reads bodies that stand in files beside an archive
 * @throws UsageError for a file that is no recording
 */
export async function explainOpened(
  { kind, hint, bytes }: OpenedSource,
  name: string,
  attached?: Attached,
): Promise<Explanation> {
  if (kind === undefined) {
    throw new UsageError(`${name} is not a recording: it is not JSON`, hint === undefined ? HOW : [hint])
  }
  return kind === 'har'
    ? explainHar(bytes, name, createExplainer(), attached)
    : explainLines(bytes, name, HOW)
}
