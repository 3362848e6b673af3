import { existsSync } from 'node:fs'
import { hasZstd, NO_DICTIONARY, NO_ZSTD } from '../../protocol/http/codings.js'
import { createAsk, readFields } from '../../servers/compression/client/ask.js'
import { CODECS, dictionaryCodecs, measureBudget } from '../../servers/compression/studies/budget.js'
import { checkPage } from '../../servers/compression/studies/verdict.js'
import { MAX_INPUT, readInputBytes, readStdin } from '../../session/input/input.js'
import { urlTarget } from '../../session/targets/page.js'
import { withTarget } from '../../session/targets/target.js'
import { budgetLines } from '../../show/render/compression/budget-lines.js'
import { narrate, print, printJson } from '../output/output.js'
import type { Globals } from '../program/globals.js'
import type { RequestFlags } from './options.js'
import { askOptions } from './study.js'

/** Most bytes of a body: brotli 11 needs about a second for 1 MiB. */
const MAX_BODY = 16 * MAX_INPUT

/** Reads the body from a file, stdin, an address, or a path of the lab. */
async function readBody(text: string, globals: Globals, flags: RequestFlags): Promise<Uint8Array> {
  if (text === '-') return readStdin('the body', MAX_BODY)
  const ofLab = text.startsWith('/') && !existsSync(text)
  if (!ofLab && !/^https?:\/\//i.test(text)) return readInputBytes('the body', text, MAX_BODY)
  readFields(flags.header ?? [])
  return withTarget(urlTarget(text, globals, { narrate }), async target => {
    const ask = createAsk(askOptions(target, globals, flags))
    const answer = await ask(target.address, { offer: null })
    checkPage(target.address, answer)
    return answer.content ?? answer.body
  })
}

/** `compress budget`: the size of a body in every codec, and the time each takes. */
export async function runBudget(
  text: string,
  flags: RequestFlags & { readonly dictionary?: string },
  globals: Globals,
): Promise<void> {
  const body = await readBody(text, globals, flags)
  const { dictionary: file } = flags
  const withDictionary =
    file === undefined ? [] : await dictionaryCodecs(await readInputBytes('the dictionary', file, MAX_BODY))
  const codecs = await measureBudget(body, { codecs: [...CODECS, ...withDictionary] })
  if (globals.json) printJson({ bytes: body.length, codecs })
  else print(...budgetLines(codecs, globals))
  if (!hasZstd) narrate(`No zstd: ${NO_ZSTD}`)
  if (file !== undefined && withDictionary.length === 0) narrate(`No dcb and dcz: ${NO_DICTIONARY}`)
}
