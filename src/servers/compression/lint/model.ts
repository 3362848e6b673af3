import type { HeaderList } from '../../../protocol/http/message.js'
import type { Check } from '../../../protocol/oauth/check.js'
import type { Asked } from '../client/ask.js'
import type { Weighed } from '../client/weigh.js'

/** The servers for which a check names directives. */
export type MendedServer = 'nginx' | 'Apache' | 'Caddy' | 'HAProxy'

/** A check of a server's content codings. */
export interface LintCheck extends Check {
  /** The directive that mends the fault, for each server that has one. Present for a failed check. */
  readonly mend?: Readonly<Partial<Record<MendedServer, string>>>
}

/** One request of a lint, and its name for people. */
export interface LintRequest extends Asked {
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
