import { STATUS_CODES } from 'node:http'
import { readFields } from '../../protocol/http/form.js'
import { type HeaderList, header, splitUrl } from '../../protocol/http/message.js'
import { defined } from '../../protocol/values.js'
import type { Captured, CapturedBody } from './captured.js'

const named = (pairs: HeaderList) => pairs.map(([name, value]) => ({ name, value }))

const LEFT_OUT = 'not kept by oauth-lab record'

function postDataOf({ method, headers, body, failure }: Captured) {
  // undici reads the body of a request once it is connected.
  const isUnread = method === 'POST' && failure !== undefined && body.size === 0
  if (body.size === 0 && !isUnread) return undefined
  const mimeType = header({ headers }, 'content-type') ?? ''
  return body.text === undefined || isUnread
    ? { mimeType, text: '', comment: LEFT_OUT }
    : { mimeType, text: body.text }
}

function contentOf(headers: HeaderList, { size, text }: CapturedBody) {
  return defined({
    size: text === undefined ? size : Buffer.byteLength(text),
    mimeType: header({ headers }, 'content-type') ?? 'x-unknown',
    text,
    comment: text === undefined && size > 0 ? LEFT_OUT : undefined,
  })
}

function responseOf({ answer, failure }: Captured) {
  const headers = answer?.headers ?? []
  const status = answer?.status ?? 0
  return defined({
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion: 'HTTP/1.1',
    // DevTools shows the cookies of the headers.
    cookies: [],
    headers: named(headers),
    content: contentOf(headers, answer?.body ?? { size: 0 }),
    redirectURL: header({ headers }, 'location') ?? '',
    headersSize: -1,
    bodySize: answer?.body.size ?? -1,
    _error: failure,
  })
}

/** The names of the sides in a recording. */
const SIDES = { client: 'program', server: 'server of the program', browser: 'browser' } as const

/** An entry of an archive (HAR 1.2), which `explain` and DevTools read. */
export function harEntry(captured: Captured) {
  const { method, url, headers, at, ms, body, side, resourceType, comment } = captured
  return defined({
    startedDateTime: new Date(at).toISOString(),
    time: ms,
    request: defined({
      method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: named(headers),
      queryString: named(readFields(splitUrl(url).query).pairs),
      postData: postDataOf(captured),
      headersSize: -1,
      bodySize: body.size,
    }),
    response: responseOf(captured),
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
    comment: comment ?? SIDES[side],
    _resourceType: resourceType,
  })
}

/** An archive of exchanges, as text: an entry a line, so that a large one can be searched. */
export function* archiveLines(entries: readonly Captured[], version: string): Generator<string, void, void> {
  const creator = JSON.stringify({ name: 'oauth-lab record', version })
  yield `{"log":{"version":"1.2","creator":${creator},"pages":[],"entries":[`
  for (const [i, each] of entries.entries()) {
    yield JSON.stringify(harEntry(each)) + (i === entries.length - 1 ? '' : ',')
  }
  yield ']}}'
}
