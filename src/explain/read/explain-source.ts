import { defined } from '../../defined.js'
import { UsageError } from '../../errors.js'
import { isJsonObject } from '../../oauth/json-object.js'
import { createExplainer, type Explainer } from '../explain.js'
import type { Explanation } from '../explanation.js'
import { readHarEntry } from './har-entry.js'
import { HarEnd, harItems } from './har-items.js'
import { jsonLines } from './json-lines.js'
import { openRecording } from './source.js'
import { readStepLine } from './step-line.js'

const HOW = [
  'Record a login:  DevTools > Network > Preserve log, log in, then "Export HAR (with sensitive data)"',
  'Or a run of this lab:  oauth-lab flow code --json > run.jsonl',
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
): Promise<Explanation> {
  let entries = 0
  let creator: string | undefined
  let problem: string | undefined
  try {
    for await (const { part, value } of harItems(bytes)) {
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
    problem = `The recording is broken after entry ${entries} (${error.message}): what comes before is explained.`
  }
  if (entries === 0) throw new UsageError(`${name} has no entries (log.entries of HAR 1.2)`, HOW)
  return explainer.end(defined({ creator, problem }))
}

async function explainLines(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  explainer: Explainer,
): Promise<Explanation> {
  let steps = 0
  let broken = 0
  let isLab = false
  for await (const { value } of jsonLines(bytes)) {
    if (value === undefined) broken += 1
    if (value?.type === 'lab.ready' || value?.type === 'request.answered') isLab = true
    if (value?.type !== 'step') continue
    steps += 1
    const recorded = readStepLine(value, steps)
    if (recorded) explainer.add(recorded)
  }
  if (steps === 0 && isLab) {
    throw new UsageError(`${name} holds the events of a lab, which name their rules themselves`, [
      'Show them:  oauth-lab play FILE',
    ])
  }
  if (steps === 0) throw new UsageError(`${name} holds no exchanges`, HOW)
  const problem = broken === 0 ? undefined : `${broken} line${broken === 1 ? '' : 's'} could not be read.`
  return explainer.end(defined({ creator: 'oauth-lab', problem }))
}

/**
 * Explains a recording that comes as a stream, in bounded memory.
 * @param name the file, for messages
 * @throws UsageError for a file that is no recording
 */
export async function explainSource(source: AsyncIterable<Uint8Array>, name: string): Promise<Explanation> {
  const { kind, hint, bytes } = await openRecording(source)
  if (kind === undefined) {
    throw new UsageError(`${name} is not a recording: it is not JSON`, hint === undefined ? HOW : [hint])
  }
  const explainer = createExplainer()
  return kind === 'har' ? explainHar(bytes, name, explainer) : explainLines(bytes, name, explainer)
}
