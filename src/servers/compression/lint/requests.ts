import { TransportError } from '../../../protocol/errors.js'
import { type HeaderList, header } from '../../../protocol/http/message.js'
import type { Check } from '../../../protocol/oauth/check.js'
import type { Ask, Asked, Weighed } from '../client/ask.js'
import { checkPage } from '../studies/verdict.js'

const BARE: LintRequest = { offer: null, to: 'a client that offers nothing' }
const GZIP: LintRequest = { offer: 'gzip', to: 'Go, which offers gzip' }

/** The offers of real programs, as they send them, and offers that show how a server reads the field. */
const OTHERS: readonly LintRequest[] = [
  { offer: 'br', to: 'a client that offers br alone' },
  { offer: 'deflate', to: 'a client that offers deflate alone' },
  { offer: 'zstd', to: 'a client that offers zstd alone' },
  { offer: 'identity', to: 'wget, which offers identity' },
  { offer: 'gzip;q=0', to: 'a client that refuses gzip (gzip;q=0)' },
  { offer: 'identity, *;q=0', to: 'a client that refuses all codings (identity, *;q=0)' },
  { offer: 'gzip, deflate, br, zstd', to: 'Chrome and Firefox (gzip, deflate, br, zstd)' },
  { offer: 'gzip, deflate, br', to: 'Safari and Googlebot (gzip, deflate, br)' },
  { offer: 'deflate, gzip, br, zstd', to: 'curl --compressed (deflate, gzip, br, zstd)' },
  { offer: 'gzip, deflate', to: 'python-requests (gzip, deflate)' },
  { offer: 'gzip', headers: [['Via', '1.1 lint.example']], to: 'a client behind a proxy (gzip, Via)' },
  { offer: 'gzip', httpVersion: '1.0', to: 'an HTTP/1.0 client that offers gzip' },
]

const HEAD: LintRequest = { method: 'HEAD', offer: 'gzip', to: 'HEAD with the offer gzip' }

/** The requested range, in bytes, and the shortest body for which it is requested. */
export const RANGE = { first: 3, last: 34 }
const LEAST_FOR_RANGE = 64

/**
 * Sends all requests of a lint, one after another.
 * @throws UserError when the resource is no page to measure; TransportError when the first answer does not come; TimeoutError
 */
export async function requestAll(url: string, ask: Ask): Promise<LintResults> {
  async function result(request: LintRequest): Promise<LintResult> {
    const { to: _, ...asked } = request
    try {
      return { request, answer: await ask(url, { ...asked, lenient: true }) }
    } catch (error) {
      if (!(error instanceof TransportError)) throw error
      const kind = error.code === 'EBADMSG' ? 'cut' : 'none'
      return { request, failure: { kind, message: error.message } }
    }
  }

  const bare = await result(BARE)
  // 406 is judged: a server may not refuse a client that offers nothing.
  if (bare.answer && bare.answer.status !== 406) checkPage(url, bare.answer)
  if (bare.failure?.kind === 'none') await ask(url, BARE)
  const gzip = await result(GZIP)
  const again = await result(BARE)
  const others: LintResult[] = []
  for (const request of OTHERS) others.push(await result(request))
  const found = {
    compressedFile: /\.(?:t?gz|zst|br|Z)$/i.test(new URL(url).pathname),
    bare,
    again,
    gzip,
    others,
  }
  const results = { ...found, head: await result(HEAD) }
  const tag = gzip.answer && header(gzip.answer, 'etag')
  const ranges = (bare.answer?.body.length ?? 0) >= LEAST_FOR_RANGE
  return {
    ...results,
    ...(tag !== undefined && {
      fresh: await result({ ...GZIP, headers: [['If-None-Match', tag]], to: 'If-None-Match' }),
    }),
    ...(ranges && {
      range: await result({
        ...GZIP,
        headers: [['Range', `bytes=${RANGE.first}-${RANGE.last}`]],
        to: 'a client that asks for a range and offers gzip',
      }),
    }),
  }
}

/** The servers for which a check names directives. */
export type MendedServer = 'nginx' | 'Apache' | 'Caddy' | 'HAProxy'

/** A check of a server's content codings. */
export interface LintCheck extends Check {
  /** The directive that mends the fault, for each server that has one. Present for a failed check. */
  readonly mend?: Readonly<Partial<Record<MendedServer, string>>>
}

/** One request of a lint, and its name for people. */
interface LintRequest extends Asked {
  /** Ends a sentence that begins with "gzip to", such as `a client that offers nothing`. */
  readonly to: string
}

/** The parts of an answer that the checks read. */
export type LintAnswer = Pick<
  Weighed,
  'status' | 'headers' | 'contentEncoding' | 'body' | 'content' | 'invalid'
>

/** A request and its answer, or the reason why there is none. */
export type LintResult = {
  readonly request: LintRequest
  readonly answer?: LintAnswer
  /** Present without an answer. `cut`: the answer is not as long as it says. */
  readonly failure?: { readonly kind: 'cut' | 'none'; readonly message: string }
}

/** The results of all requests for one resource. */
export interface LintResults {
  /** True for an address that ends as compressed files do, so that coded bytes are its content. */
  readonly compressedFile: boolean
  /** Without Accept-Encoding. `again` repeats this request: a page that differs here differs without a coding. */
  readonly bare: LintResult
  readonly again: LintResult
  /** With the offer `gzip`. */
  readonly gzip: LintResult
  /** GET requests with all other offers, with the offers of real programs, through a proxy, and in HTTP/1.0. */
  readonly others: readonly LintResult[]
  /** HEAD with the offer `gzip`. */
  readonly head: LintResult
  /** If-None-Match with the ETag of the gzip answer. Absent when that answer has no ETag. */
  readonly fresh?: LintResult
  /** A range of the gzip answer. Absent when the body is too short. */
  readonly range?: LintResult
}

/** A result with an answer of status 200 or 2xx, and its coding. */
export interface Read {
  readonly request: LintRequest
  readonly answer: LintAnswer
  /** In lower case; `identity` for a raw answer. */
  readonly coding: string
  readonly headers: HeaderList
}
