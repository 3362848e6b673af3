import type { HeaderList } from '../../../protocol/http/message.js'
import { listOf, objectOf, textOf } from '../read/har-entry.js'
import { type Recorded, recordedOf } from '../recorded.js'

/** The body of a cassette: text, or an object with `string` or `base64_string`. */
function bodyOf(value: unknown): string {
  if (typeof value === 'string') return value
  const { string, base64_string: coded } = objectOf(value)
  return typeof coded === 'string' ? Buffer.from(coded, 'base64').toString('utf8') : textOf(string)
}

const headersOf = (value: unknown): HeaderList =>
  Object.entries(objectOf(value)).flatMap(([name, values]) =>
    (Array.isArray(values) ? values : [values]).map(each => [name, String(each)] as const),
  )

/** Reads a VCR cassette, of Ruby or Python; undefined for any other value. */
export function readCassette(value: unknown): readonly Recorded[] | undefined {
  const { http_interactions: ruby, interactions: python } = objectOf(value)
  const interactions = listOf(ruby ?? python)
  if (interactions.length === 0) return undefined
  return interactions.map((each, i) => {
    const [request, response] = [objectOf(each.request), objectOf(each.response)]
    const { code } = objectOf(response.status)
    return recordedOf(
      i + 1,
      {
        method: textOf(request.method).toUpperCase() || 'GET',
        url: textOf(request.uri),
        headers: headersOf(request.headers),
        body: bodyOf(request.body),
      },
      { status: Number(code ?? 0), headers: headersOf(response.headers), body: bodyOf(response.body) },
    )
  })
}

const pairs = (value: unknown): [string, string][] =>
  listOf(value).map(({ key, value: text }) => [textOf(key), textOf(text)])

function postmanAddress(value: unknown): string {
  if (typeof value === 'string') return value
  const { protocol, host, port, path, query, raw } = objectOf(value)
  if (typeof raw === 'string') return raw
  const joined = (list: unknown, by: string) => (Array.isArray(list) ? list.join(by) : textOf(list))
  const search = pairs(query)
    .map(([name, text]) => `${name}=${text}`)
    .join('&')
  return `${textOf(protocol) || 'https'}://${joined(host, '.')}${port ? `:${String(port)}` : ''}/${joined(path, '/')}${search && `?${search}`}`
}

function postmanBody(value: unknown): string {
  const { mode, raw, urlencoded } = objectOf(value)
  return mode === 'urlencoded' ? new URLSearchParams(pairs(urlencoded)).toString() : textOf(raw)
}

/** Reads the report of a run of a Postman collection (newman --reporters json); undefined for any other value. */
export function readPostmanRun(value: unknown): readonly Recorded[] | undefined {
  const executions = listOf(objectOf(objectOf(value).run).executions)
  if (executions.length === 0) return undefined
  return executions.map((each, i) => {
    const [request, response] = [objectOf(each.request), objectOf(each.response)]
    const { data } = objectOf(response.stream)
    const body = Array.isArray(data) ? Buffer.from(data as number[]).toString('utf8') : textOf(response.body)
    return recordedOf(
      i + 1,
      {
        method: textOf(request.method) || 'GET',
        url: postmanAddress(request.url),
        headers: pairs(request.header),
        body: postmanBody(request.body),
      },
      typeof response.code === 'number'
        ? { status: response.code, headers: pairs(response.header), body }
        : undefined,
    )
  })
}
