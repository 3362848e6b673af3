import { existsSync, statSync } from 'node:fs'
import { UsageError } from '../../protocol/errors.js'
import { dictionaryCodings, hasZstd, NO_DICTIONARY, NO_ZSTD } from '../../protocol/http/codings.js'
import type { HeaderList } from '../../protocol/http/message.js'
import { type Coding, negotiate, parseAcceptEncoding } from '../../protocol/http/negotiation.js'
import { isBreach } from '../../protocol/oauth/check.js'
import { defined } from '../../protocol/values.js'
import {
  type Ask,
  type AskOptions,
  checkOffer,
  createAsk,
  readFields,
} from '../../servers/compression/client/ask.js'
import { CODINGS } from '../../servers/compression/compress-response.js'
import { lintResource } from '../../servers/compression/lint/lint.js'
import { MAX_KB } from '../../servers/compression/payload.js'
import { measureAnswer } from '../../servers/compression/studies/answer.js'
import { loginPath, studyBreach } from '../../servers/compression/studies/breach.js'
import { CODECS, dictionaryCodecs, measureBudget } from '../../servers/compression/studies/budget.js'
import { askAsPrograms, gridOf, OFFERS } from '../../servers/compression/studies/offers.js'
import { otherServers } from '../../servers/compression/studies/other-servers.js'
import { studyCache } from '../../servers/compression/studies/shared-cache.js'
import { checkPage } from '../../servers/compression/studies/verdict.js'
import { MAX_INPUT, readInputBytes, readStdin } from '../../session/input/input.js'
import { labTarget } from '../../session/targets/lab.js'
import { urlTarget } from '../../session/targets/proxy.js'
import { type Target, withTarget } from '../../session/targets/target.js'
import { getLines, hexLines } from '../../show/render/compression/get-lines.js'
import {
  breachLines,
  budgetLines,
  cacheLines,
  explainLines,
  gatewayLines,
  lintLines,
  tableLines,
} from '../../show/render/compression/study-lines.js'
import { narrate, print, printJson } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import type { GetFlags, RequestFlags } from './options.js'

/** How the result of a study is printed and judged. */
interface StudyOutput<Result> {
  readonly lines: (result: Result, globals: Globals) => readonly string[]
  /** True when no answer was compressed, although one was asked for. */
  readonly allRaw?: (result: Result) => boolean
  /** True when a rule is broken: the exit code is 1 then. */
  readonly fails?: (result: Result) => boolean
}

/** Returns the options of all requests to a target. @throws UsageError */
function askOptions(
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
function studyTarget<Found extends Target, Result>(
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
function studyUrl<Result>(
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

/** `compress breach`: a secret guessed by lengths. Refused when the lab's own page gives its csrf value away. */
export function runBreach({ coding }: { coding: Coding }, globals: Globals): Promise<void> {
  if (coding === 'zstd' && !hasZstd) throw new UsageError(NO_ZSTD, ['Take another coding:   --coding br'])
  return studyTarget(
    labTarget(globals, { narrate, compression: true }),
    globals,
    ({ urls, config }, ask) => studyBreach(urls.authorization + loginPath(config.clients), coding, ask),
    { lines: breachLines, fails: ({ masked }) => masked.givesAway },
  )
}

/** `compress cache`: a shared cache with Vary and without. Refused when an answer is unreadable although Vary is honoured. */
export function runCache(target: string, flags: RequestFlags, globals: Globals): Promise<void> {
  return studyUrl(
    target,
    globals,
    studyCache,
    {
      lines: cacheLines,
      allRaw: ({ heeded }) => heeded.every(each => each.contentEncoding === null),
      fails: ({ heeded }) => heeded.some(each => each.broken !== undefined),
    },
    flags,
  )
}

/** `compress gateway`: the answers to a graph gateway and to other programs. */
export function runGateway(target: string, flags: RequestFlags, globals: Globals): Promise<void> {
  return studyUrl(
    target,
    globals,
    askAsPrograms,
    {
      lines: gatewayLines,
      allRaw: ({ gateway, others }) => [gateway, ...others].every(each => each.contentEncoding === null),
    },
    flags,
  )
}

/** `compress lint`: asks for one resource in several ways and compares. Refused when a check fails. */
export function runLint(target: string, flags: RequestFlags, globals: Globals): Promise<void> {
  return studyUrl(
    target,
    globals,
    async (url, ask) => {
      const { server, checks } = await lintResource(url, ask)
      const verdict = checks.some(isBreach) ? 'refused' : 'accepted'
      return { ...defined({ url, verdict, server }), checks }
    },
    {
      lines: ({ url, server, checks }, globals) => lintLines(url, { server, checks }, globals),
      fails: ({ verdict }) => verdict === 'refused',
    },
    flags,
  )
}

/** Most sizes of one table. */
const MAX_SIZES = 6

/** The sizes of `--kb`. @throws UsageError */
export function readSizes(text: string): number[] {
  const sizes = text.split(',').map(each => (/^\d{1,5}$/.test(each.trim()) ? Number(each) : Number.NaN))
  if (sizes.length <= MAX_SIZES && sizes.every(size => size <= MAX_KB)) return sizes
  throw new UsageError(
    `--kb ${JSON.stringify(text)} is not a list of at most ${MAX_SIZES} sizes from 0 to ${MAX_KB}`,
    ['Write it as --kb 1,2,200'],
  )
}

/** `compress table`: offers and sizes of `/kb/<kb>`. Refused when an answer breaks a rule. */
export async function runTable(
  { kb, offer }: { readonly kb: string; readonly offer?: readonly string[] },
  globals: Globals,
): Promise<void> {
  const sizes = readSizes(kb)
  offer?.forEach(checkOffer)
  return studyUrl(
    '/',
    globals,
    async (root, ask) => {
      const url = root.replace(/\/$/, '')
      const targets = sizes.map(size => ({ name: `/kb/${size}`, url: `${url}/kb/${size}` }))
      const rows = await gridOf(offer ?? OFFERS, targets, (to, each) => ask(to, { offer: each }))
      return { url, rows }
    },
    {
      lines: ({ rows }, globals) => tableLines(rows, globals),
      allRaw: ({ rows }) =>
        offer === undefined && rows.every(({ cells }) => cells.every(cell => cell.contentEncoding === null)),
      fails: ({ rows }) => rows.some(({ cells }) => cells.some(cell => cell.broken !== undefined)),
    },
  )
}

/** `compress explain`: reads an Accept-Encoding field, of one line or several, and shows the result. */
export async function runExplain(
  first: string,
  more: readonly string[],
  _flags: unknown,
  globals: Globals,
): Promise<void> {
  const lines = [first, ...more]
  const members = parseAcceptEncoding(lines) ?? []
  const codings = await dictionaryCodings()
  const dictionaries =
    codings.length > 0
      ? { codings, why: 'only to a client whose Available-Dictionary names a dictionary of this server' }
      : { codings, why: NO_DICTIONARY }
  const explained = {
    lines,
    members,
    ...negotiate(members, CODINGS),
    others: otherServers(lines),
    dictionaries,
  }
  if (globals.json) printJson(explained)
  else print(...explainLines(explained, globals))
}

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
