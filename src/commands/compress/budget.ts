import { existsSync } from 'node:fs'
import { measureBudget } from '../../compression/budget.js'
import { readInputBytes } from '../../input/input-file.js'
import { MAX_INPUT, readStdin } from '../../input/stdin.js'
import { budgetLines } from '../../render/compression/budget-lines.js'
import type { Globals } from '../globals.js'
import { print, printJson } from '../output.js'
import { asker } from './ask.js'
import { upstreamInUse } from './upstream.js'

/** Most bytes of a body: brotli 11 takes a second for each of them. */
const MAX_BODY = 16 * MAX_INPUT

/** The body that was meant: a file, stdin, an address, or a path of the lab. */
async function bodyOf(target: string, globals: Globals): Promise<Uint8Array> {
  if (target === '-') return readStdin('the body', MAX_BODY)
  const ofLab = target.startsWith('/') && !existsSync(target)
  if (!ofLab && !/^https?:\/\//i.test(target)) return readInputBytes('the body', target, MAX_BODY)
  const lab = await upstreamInUse(target, globals)
  try {
    return (await asker(lab, globals)(lab.url, { offer: null, once: true })).content
  } finally {
    await lab.stop()
  }
}

/**
 * What every codec makes of a body, and how long it takes.
 * @throws UsageError, TransportError, TimeoutError
 */
export async function runBudget(target: string, globals: Globals): Promise<void> {
  const body = await bodyOf(target, globals)
  const results = await measureBudget(body)
  if (globals.json) printJson({ bytes: body.length, codecs: results })
  else print(...budgetLines(results, globals))
}
