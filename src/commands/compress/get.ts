import { statSync } from 'node:fs'
import { UsageError } from '../../protocol/errors.js'
import { dictionaryCodings, NO_DICTIONARY } from '../../protocol/http/codings.js'
import { parseAcceptEncoding } from '../../protocol/http/negotiation.js'
import { type Ask, checkOffer } from '../../servers/compression/client/ask.js'
import { measureAnswer } from '../../servers/compression/studies/answer.js'
import { gridOf, OFFERS } from '../../servers/compression/studies/offers.js'
import { checkPage } from '../../servers/compression/studies/verdict.js'
import { readInputBytes } from '../../session/input/input.js'
import { getLines } from '../../show/render/compression/get-lines.js'
import { hexLines } from '../../show/render/compression/hex-lines.js'
import { tableLines } from '../../show/render/compression/table-lines.js'
import { narrate } from '../output/output.js'
import type { Globals } from '../program/globals.js'
import type { GetFlags } from './options.js'
import { studyUrl } from './study.js'

/** The offer of Chromium to a server whose dictionary it has. */
const BROWSER_OFFER = 'gzip, deflate, br, zstd, dcb, dcz'

/** Most bytes of a dictionary. */
const MAX_DICTIONARY = 16 * 1024 * 1024

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true

/** Reads a dictionary from a file, or from the server of `url`, which need not offer it as one. */
async function readDictionary(text: string, url: string, ask: Ask): Promise<Uint8Array> {
  if (!/^(?:https?:\/)?\//i.test(text) || isFile(text)) {
    return readInputBytes('the dictionary', text, MAX_DICTIONARY)
  }
  const from = new URL(text, url)
  if (from.origin !== new URL(url).origin) {
    throw new UsageError('--dictionary is of another origin, where no dictionary may come from', [
      'A dictionary has the scheme, host and port of the answers that use it (RFC 9842 §2.1.1)',
    ])
  }
  const answer = await ask(from.href, { offer: null })
  checkPage(from.href, answer)
  return answer.content ?? answer.body
}

/** Refuses a dictionary of no bytes, with which nothing is coded. @throws UsageError */
function checkDictionary(dictionary: Uint8Array): Uint8Array {
  if (dictionary.length > 0) return dictionary
  throw new UsageError('--dictionary has no bytes: nothing can be coded with it', [
    'Name a body with content, as in --dictionary /kb/2',
  ])
}

/** Says that answers with a dictionary are counted and not decoded, when the request offers them. */
async function narrateDictionaries(offer: string | null): Promise<void> {
  const offered = parseAcceptEncoding(offer === null ? [] : [offer]) ?? []
  const codings: readonly string[] = await dictionaryCodings()
  const missing = ['dcb', 'dcz'].filter(
    each => !codings.includes(each) && offered.some(({ coding }) => coding === each),
  )
  if (missing.length > 0)
    narrate(`No ${missing.join(' and ')}: ${NO_DICTIONARY}. Answers are counted, not decoded`)
}

/** `compress get`: asks once, or with every offer, and shows the parts of the answer's bytes. */
export async function runGet(target: string, flags: GetFlags, globals: Globals): Promise<void> {
  checkOffer(flags.offer)
  const method = flags.head ? 'HEAD' : 'GET'
  const httpVersion = flags['http1.0'] ? '1.0' : '1.1'
  if (flags.offers === 'all') {
    return studyUrl(
      target,
      globals,
      async (url, ask) => {
        const targets = [{ name: new URL(url).pathname, url }]
        const rows = await gridOf(OFFERS, targets, (to, offer) => ask(to, { method, httpVersion, offer }))
        return { method, url, offers: rows.map(({ offer, cells: [cell] }) => ({ offer, ...cell! })) }
      },
      {
        lines: ({ offers }, globals) =>
          tableLines(
            offers.map(({ offer, ...cell }) => ({ offer, cells: [cell] })),
            globals,
          ),
      },
      flags,
    )
  }
  let hex: string[] = []
  return studyUrl(
    target,
    globals,
    async (url, ask) => {
      const { dictionary: named } = flags
      const dictionary =
        named === undefined ? undefined : checkDictionary(await readDictionary(named, url, ask))
      const offer = flags.offer ?? (dictionary === undefined ? null : BROWSER_OFFER)
      await narrateDictionaries(offer)
      const asked = { method, httpVersion, offer, dictionary } as const
      const { answer, body } = await measureAnswer(url, asked, ask)
      if (flags.hex) hex = ['', ...hexLines(body, answer.contentEncoding)]
      return answer
    },
    { lines: (answer, globals) => [...getLines(answer, globals), ...hex] },
    flags,
  )
}
