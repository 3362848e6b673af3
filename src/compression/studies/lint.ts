import { TransportError } from '../../errors.js'
import { type HeaderList, header, headerValues, mediaType } from '../../http/message.js'
import { advice, type Check, check } from '../../oauth/check.js'
import type { Ask, Asked } from '../client/ask.js'
import type { Weighed } from '../client/weigh.js'
import { compressible } from '../compress-response.js'
import { checkPage } from './page.js'
import { codingOf, varies } from './verdict.js'

/** The parts of an answer that the checks read. */
export interface LintAnswer {
  readonly status: number
  readonly headers: HeaderList
  readonly contentEncoding: string | null
  /** The decoded body. */
  readonly content: Uint8Array
  /** `coded`: body bytes as they travelled. */
  readonly bytes: { readonly coded: number }
}

/** The answers of one resource to several requests. */
export interface LintAnswers {
  /** Without Accept-Encoding. `again` repeats this request: a page that differs here differs without a coding. */
  readonly bare: LintAnswer
  readonly again: LintAnswer
  readonly gzip: LintAnswer
  readonly br: LintAnswer
  /** To a request that refuses all codings: `identity, *;q=0`. */
  readonly refused: LintAnswer
  /** To a HEAD request that offers gzip. */
  readonly head: LintAnswer
  /** To a request with If-None-Match: the ETag of the gzip answer. Absent when that answer has no ETag. */
  readonly fresh?: LintAnswer
}

const isCoded = (answer: LintAnswer): boolean => codingOf(answer) !== 'identity'
const all = (answer: LintAnswer, name: string): string => headerValues(answer, name).join(', ')
const same = (a: LintAnswer, b: LintAnswer): boolean => Buffer.compare(a.content, b.content) === 0

function asked(name: string, answer: LintAnswer, offer: string): Check {
  const rule = 'RFC 9110 §12.5.3'
  return isCoded(answer)
    ? check(name, false, rule, `${codingOf(answer)} to ${offer}, which may not be able to decode it`)
    : check(name, true, rule, `raw to ${offer}`)
}

function varyChecks({ bare, gzip, br }: LintAnswers): Check[] {
  const rule = 'RFC 9110 §12.5.5'
  const coded = [gzip, br].filter(isCoded)
  if (coded.length === 0) return []
  const without = coded.filter(each => !varies(all(each, 'vary'))).map(codingOf)
  return [
    without.length === 0
      ? check('vary', true, rule, 'the coded answers have Vary: Accept-Encoding')
      : check(
          'vary',
          false,
          rule,
          `${without.join(' and ')} without Vary: Accept-Encoding: a cache may send it to clients that cannot decode it`,
        ),
    varies(all(bare, 'vary'))
      ? advice('vary_raw', true, rule, 'the raw answer has it too')
      : advice(
          'vary_raw',
          false,
          rule,
          'the raw answer does not have it: a cache may send it to every client',
        ),
  ]
}

function tagChecks({ bare, gzip, fresh }: LintAnswers): Check[] {
  const [tag, rawTag] = [all(gzip, 'etag'), all(bare, 'etag')]
  if (!isCoded(gzip) || tag === '') return []
  const rule = 'RFC 9110 §8.8.1'
  const checks = [
    tag === rawTag && !tag.startsWith('W/')
      ? check('etag', false, rule, `raw and gzip have the same strong ETag ${tag}`)
      : check('etag', true, rule, `${tag} in gzip, ${rawTag || 'none'} raw`),
  ]
  if (fresh !== undefined) {
    const detail = `${fresh.status} to If-None-Match with the ETag of the coded answer`
    checks.push(advice('if_none_match', fresh.status === 304, 'RFC 9110 §13.1.2', detail))
  }
  return checks
}

function bodyChecks({ bare, again, gzip, br }: LintAnswers): Check[] {
  const rule = 'RFC 9110 §8.4'
  const coded = [gzip, br].filter(isCoded)
  const types = new Set([bare, ...coded].map(each => all(each, 'content-type')))
  const statuses = new Set([bare, gzip, br].map(each => each.status))
  const checks = [
    check('status', statuses.size === 1, rule, [...statuses].join(' and ')),
    check('content_type', types.size === 1, rule, [...types].map(type => type || 'none').join(' and ')),
  ]
  if (coded.length === 0) return checks
  if (!same(bare, again)) {
    return [...checks, check('body', true, rule, 'it differs each time, so the codings cannot be compared')]
  }
  const other = coded.filter(each => !same(each, bare)).map(codingOf)
  const body =
    other.length === 0
      ? check('body', true, rule, 'the same in every coding, once decoded')
      : check('body', false, rule, `another body in ${other.join(' and ')}`)
  return [...checks, body]
}

function savingChecks({ bare, gzip, br }: LintAnswers): Check[] {
  const rule = 'RFC 9110 §8.4.1'
  // The decoded length, because a server may send the bare answer coded as well.
  const raw = bare.content.length
  const sizes = new Map([gzip, br].filter(isCoded).map(each => [codingOf(each), each.bytes.coded]))
  if (sizes.size === 0) {
    const type = mediaType(bare)
    return raw > 0 && compressible(type)
      ? [advice('savings', false, rule, `${type} of ${raw} bytes, never compressed`)]
      : [advice('savings', true, rule, 'no content here gets smaller by compression')]
  }
  return [...sizes].map(([coding, size]) => {
    const name = `savings_${coding}`
    if (size > raw) return advice(name, false, rule, `${size} bytes for ${raw}: larger than raw`)
    const percent = raw === 0 ? 0 : Math.round((1 - size / raw) * 1000) / 10
    return advice(name, true, rule, `${size} of ${raw} bytes: ${percent} % saved`)
  })
}

function headChecks({ gzip, head }: LintAnswers): Check[] {
  const differing = ['content-encoding', 'vary', 'content-type', 'etag'].filter(
    name => all(gzip, name) !== all(head, name),
  )
  const rule = 'RFC 9110 §9.3.2'
  return [
    differing.length === 0
      ? advice('head', true, rule, 'HEAD has the fields of GET')
      : advice('head', false, rule, `HEAD and GET differ in ${differing.join(', ')}`),
  ]
}

/** Compares bodies as they travelled where they cannot be decoded. */
const wholeOf = (answer: Weighed): LintAnswer => ({ ...answer, content: answer.content ?? answer.body })

/** Checks the content codings of one resource. */
export function lintCodings(answers: LintAnswers): Check[] {
  return [
    ...bodyChecks(answers),
    asked('unasked', answers.bare, 'a client that offers nothing'),
    asked('refused', answers.refused, 'a client that refuses all'),
    ...varyChecks(answers),
    ...tagChecks(answers),
    ...headChecks(answers),
    ...savingChecks(answers),
  ]
}

/**
 * Requests one resource in several ways and checks its answers. A body that contradicts its Content-Encoding is a failed check.
 * @throws TransportError when no answer comes, TimeoutError
 */
export async function lintResource(url: string, ask: Ask): Promise<Check[]> {
  const asked = async (offer: string | null, more: Partial<Asked> = {}) =>
    wholeOf(await ask(url, { offer, ...more }))
  try {
    const bare = await asked(null)
    checkPage(url, bare)
    const gzip = await asked('gzip')
    const answers = {
      bare,
      gzip,
      again: await asked(null),
      br: await asked('br'),
      refused: await asked('identity, *;q=0'),
      head: await asked('gzip', { method: 'HEAD' }),
    }
    const tag = header(gzip, 'etag')
    if (tag === undefined) return lintCodings(answers)
    return lintCodings({ ...answers, fresh: await asked('gzip', { headers: [['If-None-Match', tag]] }) })
  } catch (error) {
    if (!(error instanceof TransportError && error.code === 'EBADMSG')) throw error
    return [check('body', false, 'RFC 9110 §8.4', error.message)]
  }
}
