import { describe, expect, it } from 'vitest'
import type { HeaderList } from '../../../../src/protocol/http/message.js'
import { freshFor } from '../../../../src/servers/authorization-server/client-documents/documents.js'

const NOW = Date.parse('2026-11-23T15:00:00Z')
const at = (seconds: number) => new Date(NOW + seconds * 1000).toUTCString()

describe('the time that a document is fresh', () => {
  it.each<[string, HeaderList, number]>([
    ['without headers', [], 60],
    ['by max-age', [['Cache-Control', 'public, max-age=300']], 300],
    ['by a quoted max-age', [['cache-control', 'max-age="300"']], 300],
    ['by max-age in capitals', [['cache-control', 'Max-Age=300']], 300],
    [
      'by max-age less the age',
      [
        ['cache-control', 'max-age=300'],
        ['age', '100'],
      ],
      200,
    ],
    [
      'by the first max-age',
      [
        ['cache-control', 'max-age=300'],
        ['cache-control', 'max-age=900'],
      ],
      300,
    ],
    [
      'by max-age before Expires',
      [
        ['expires', at(900)],
        ['cache-control', 'max-age=300'],
      ],
      300,
    ],
    ['by Expires', [['expires', at(300)]], 300],
    [
      'by Expires and Date of a wrong clock',
      [
        ['expires', at(10_300)],
        ['date', at(10_000)],
      ],
      300,
    ],
    ['not longer than an hour', [['cache-control', 'max-age=31536000']], 3600],
    ['not longer than an hour by huge numbers', [['cache-control', `max-age=${'9'.repeat(400)}`]], 3600],
    ['at least ten seconds', [['cache-control', 'max-age=1']], 10],
    ['not at all with no-store', [['cache-control', 'no-store, max-age=300']], 0],
    [
      'not at all with no-cache',
      [
        ['cache-control', 'max-age=300'],
        ['cache-control', 'No-Cache'],
      ],
      0,
    ],
    ['not at all with max-age=0', [['cache-control', 'max-age=0']], 0],
    [
      'not at all when it is old already',
      [
        ['cache-control', 'max-age=300'],
        ['age', '301'],
      ],
      0,
    ],
    ['not at all with a past Expires', [['expires', at(-1)]], 0],
    ['not at all with Expires: 0', [['expires', '0']], 0],
    ['not at all with a malformed max-age', [['cache-control', 'max-age=-5']], 0],
    ['as usual with unknown directives', [['cache-control', 'public, x="a,b", ,=']], 60],
  ])('is counted %s', (_name, headers, seconds) => {
    expect(freshFor(headers, NOW)).toBe(seconds * 1000)
  })
})
