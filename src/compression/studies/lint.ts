import { TransportError } from '../../errors.js'
import { type HeaderList, header, headerValues, mediaType } from '../../http/message.js'
import { advice, type Check, check } from '../../oauth/check.js'
import type { Ask, Asked } from '../client/ask.js'
import { compressible } from '../compress-response.js'
import { varies } from './verdict.js'

/** One answer, decoded. */
export interface LintAnswer {
  readonly status: number
  readonly headers: HeaderList
  readonly contentEncoding: string | null
  /** The body, decoded; `coded` counts the bytes that travelled. */
  readonly content: Uint8Array
  readonly bytes: { readonly coded: number }
}

/** The answers of one resource that was asked in several ways. */
export interface LintAnswers {
  /** Without Accept-Encoding, twice: a difference between them does not come from a coding. */
  readonly bare: LintAnswer
  readonly again: LintAnswer
  readonly gzip: LintAnswer
  readonly br: LintAnswer
  /** All codings refused: `identity, *;q=0`. */
  readonly refused: LintAnswer
  /** HEAD with gzip. */
  readonly head: LintAnswer
  /** With gzip and the ETag of the gzip answer; absent when that answer has none. */
  readonly fresh?: LintAnswer
}

const codingOf = ({ contentEncoding }: LintAnswer): string | undefined =>
  contentEncoding === null || contentEncoding.trim().toLowerCase() === 'identity'
    ? undefined
    : contentEncoding.trim().toLowerCase()
const all = (answer: LintAnswer, name: string): string => headerValues(answer, name).join(', ')
const same = (a: LintAnswer, b: LintAnswer): boolean => Buffer.compare(a.content, b.content) === 0

function asked(name: string, answer: LintAnswer, offer: string): Check {
  const coding = codingOf(answer)
  return check(
    name,
    coding === undefined,
    'RFC 9110 §12.5.3',
    coding === undefined ? `raw to ${offer}` : `${coding} to ${offer}: such a client may not read it`,
  )
}

function varyChecks({ bare, gzip, br }: LintAnswers): Check[] {
  const coded = [gzip, br].filter(each => codingOf(each) !== undefined)
  if (coded.length === 0) return []
  const without = coded.filter(each => !varies(all(each, 'vary'))).map(codingOf)
  return [
    check(
      'vary',
      without.length === 0,
      'RFC 9110 §12.5.5',
      without.length === 0
        ? 'the coded answers say Vary: Accept-Encoding'
        : `${without.join(' and ')} without Vary: Accept-Encoding: a cache gives it to clients that cannot read it`,
    ),
    advice(
      'vary_raw',
      varies(all(bare, 'vary')),
      'RFC 9110 §12.5.5',
      varies(all(bare, 'vary'))
        ? 'the raw answer says so too'
        : 'the raw answer does not say so: a cache may keep it for everybody',
    ),
  ]
}

function tagChecks({ bare, gzip, fresh }: LintAnswers): Check[] {
  const tag = all(gzip, 'etag')
  if (codingOf(gzip) === undefined || tag === '') return []
  const strong = !tag.startsWith('W/') && tag === all(bare, 'etag')
  return [
    check(
      'etag',
      !strong,
      'RFC 9110 §8.8.1',
      strong
        ? `raw and gzip have the same strong ETag ${tag}`
        : `${tag} in gzip, ${all(bare, 'etag') || 'none'} raw`,
    ),
    ...(fresh === undefined
      ? []
      : [
          advice(
            'if_none_match',
            fresh.status === 304,
            'RFC 9110 §13.1.2',
            fresh.status === 304
              ? '304 to the ETag of the coded answer'
              : `${fresh.status} to the ETag of the coded answer, not 304`,
          ),
        ]),
  ]
}

function bodyChecks({ bare, again, gzip, br }: LintAnswers): Check[] {
  const rule = 'RFC 9110 §8.4'
  const coded = [gzip, br].filter(each => codingOf(each) !== undefined)
  const types = new Set([bare, ...coded].map(each => all(each, 'content-type')))
  const statuses = new Set([bare, gzip, br].map(each => each.status))
  const other = coded.filter(each => !same(each, bare)).map(codingOf)
  return [
    check('status', statuses.size === 1, rule, `${[...statuses].join(', ')} to all offers`),
    check('content_type', types.size === 1, rule, [...types].map(type => type || 'none').join(' and ')),
    ...(coded.length === 0
      ? []
      : same(bare, again)
        ? [
            check(
              'body',
              other.length === 0,
              rule,
              other.length === 0 ? 'the same, once decoded' : `another body in ${other.join(' and ')}`,
            ),
          ]
        : [check('body', true, rule, 'another one each time, so the variants cannot be compared')]),
  ]
}

function savingChecks({ bare, gzip, br }: LintAnswers): Check[] {
  const rule = 'RFC 9110 §8.4.1'
  // The decoded length, not the wire bytes: a server may code an answer unasked.
  const raw = bare.content.length
  const codings = new Set([gzip, br].map(codingOf).filter(coding => coding !== undefined))
  const coded = [...codings].map(coding => [gzip, br].find(each => codingOf(each) === coding)!)
  if (coded.length === 0) {
    const worth = raw > 0 && compressible(mediaType(bare))
    return [
      advice(
        'savings',
        !worth,
        rule,
        worth ? `${mediaType(bare)} of ${raw} bytes, never compressed` : 'nothing here that is worth it',
      ),
    ]
  }
  return coded.map(each => {
    const size = each.bytes.coded
    const percent = raw === 0 ? 0 : Math.round((1 - size / raw) * 1000) / 10
    return advice(
      `savings_${codingOf(each)}`,
      size <= raw,
      rule,
      size <= raw
        ? `${size} of ${raw} bytes: ${percent} % saved`
        : `${size} bytes for ${raw}: larger than raw`,
    )
  })
}

function headChecks({ gzip, head }: LintAnswers): Check[] {
  const differing = ['content-encoding', 'vary', 'content-type', 'etag'].filter(
    name => all(gzip, name) !== all(head, name),
  )
  return [
    advice(
      'head',
      differing.length === 0,
      'RFC 9110 §9.3.2',
      differing.length === 0
        ? 'HEAD has the fields of GET'
        : `HEAD has another ${differing.join(', ')} than GET`,
    ),
  ]
}

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
 * Asks for one resource in several ways and checks its answers. A body that is not what Content-Encoding says is a failed check.
 * @throws TransportError when no answer comes, TimeoutError
 */
export async function lintResource(url: string, ask: Ask): Promise<Check[]> {
  const asked = (offer: string | null, more: Partial<Asked> = {}) => ask(url, { offer, once: true, ...more })
  try {
    const bare = await asked(null)
    const gzip = await asked('gzip')
    const tag = header(gzip, 'etag')
    return lintCodings({
      bare,
      gzip,
      again: await asked(null),
      br: await asked('br'),
      refused: await asked('identity, *;q=0'),
      head: await asked('gzip', { method: 'HEAD' }),
      ...(tag !== undefined && { fresh: await asked('gzip', { headers: [['If-None-Match', tag]] }) }),
    })
  } catch (error) {
    if (!(error instanceof TransportError && error.code === 'EBADMSG')) throw error
    return [check('body', false, 'RFC 9110 §8.4', error.message)]
  }
}
