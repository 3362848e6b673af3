import { expect, it } from 'vitest'
import type { HeaderList } from '../../../../src/protocol/http/message.js'
import { freshFor } from '../../../../src/servers/authorization-server/client-documents/documents.js'

const NOW = Date.parse('2026-11-23T15:00:00Z')
const at = (seconds: number) => new Date(NOW + seconds * 1000).toUTCString()

const control = (...values: string[]): HeaderList => values.map(each => ['cache-control', each])
const WRONG_CLOCK = Object.entries({ expires: at(10_300), date: at(10_000) })

it.each(
  Object.entries<[HeaderList, number]>({
    'without headers': [[], 60],
    'by max-age': [[['Cache-Control', 'public, max-age=300']], 300],
    'by a quoted max-age': [control('max-age="300"'), 300],
    'by max-age in capitals': [control('Max-Age=300'), 300],
    'by max-age less the age': [[...control('max-age=300'), ['age', '100']], 200],
    'by the first max-age': [control('max-age=300', 'max-age=900'), 300],
    'by max-age before Expires': [[['expires', at(900)], ...control('max-age=300')], 300],
    'by Expires': [[['expires', at(300)]], 300],
    'by Expires and Date of a wrong clock': [WRONG_CLOCK, 300],
    'not longer than an hour': [control('max-age=31536000'), 3600],
    'not longer than an hour by huge numbers': [control(`max-age=${'9'.repeat(400)}`), 3600],
    'at least ten seconds': [control('max-age=1'), 10],
    'not at all with no-store': [control('no-store, max-age=300'), 0],
    'not at all with no-cache': [control('max-age=300', 'No-Cache'), 0],
    'not at all with max-age=0': [control('max-age=0'), 0],
    'not at all when it is old already': [[...control('max-age=300'), ['age', '301']], 0],
    'not at all with a past Expires': [[['expires', at(-1)]], 0],
    'not at all with Expires: 0': [[['expires', '0']], 0],
    'not at all with a malformed max-age': [control('max-age=-5'), 0],
    'as usual with unknown directives': [control('public, x="a,b", ,='), 60],
  }),
)('the time that a document is fresh is counted %s', (_name, [headers, seconds]) => {
  expect(freshFor(headers, NOW)).toBe(seconds * 1000)
})
