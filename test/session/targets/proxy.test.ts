import { afterAll, beforeAll, expect, it } from 'vitest'
import { PROXY_MODES } from '../../../src/servers/compression/proxy/modes.js'
import { CASE_OFFERS, CASE_PATHS, CASES } from '../../../src/servers/compression/studies/cases.js'
import { type BenchTarget, benchTarget } from '../../../src/session/targets/proxy.js'
import { temporaryFolder } from '../../support/program.js'

const home = temporaryFolder()
let bench: BenchTarget
beforeAll(async () => {
  bench = await benchTarget({ home: home.path, timeoutMs: 30_000 }, { narrate: () => {} })
})
afterAll(async () => {
  await bench.stop()
  home.remove()
})

it.each([
  [
    '/kb/200',
    {
      A: ['gzip 935'],
      B: ['gzip 935', 'gzip 935'],
      C: ['gzip 935', 'gzip 935'],
      D: ['gzip 935', 'identity 204800'],
      E: ['identity 204800', 'gzip 929'],
    },
  ],
  [
    '/kb/2',
    {
      A: ['gzip 48'],
      B: ['gzip 48', 'gzip 48'],
      C: ['gzip 48', 'gzip 48'],
      D: ['gzip 48', 'identity 2048'],
      E: ['identity 2048', 'gzip 41'],
    },
  ],
])('measures the five cases of %s as nginx does', async (path, expected) => {
  const measured = await Promise.all(CASES.map(each => bench.measure(each, path)))
  expect(
    Object.fromEntries(
      measured.map(({ name, hops }) => [name, hops.map(({ coding, wireBytes }) => `${coding} ${wireBytes}`)]),
    ),
  ).toEqual(expected)
  expect(measured.map(({ asked }) => asked)).toEqual(['asked', 'asked', 'not asked', 'asked', 'asked'])
  expect(measured[2]!.why.join(' ')).toMatch(
    /asked the server for gzip; the client offered nothing.*Nobody asked/,
  )
  expect(measured[3]!.why.join(' ')).toMatch(/decoded it: it comes as gzip, and the client does not take it/)
})

it('measures and explains every offer, body and mode', async () => {
  const ways = [
    ...CASE_OFFERS.map(offer => ({ path: '/kb/2', offer, mode: 'gzip-strip' as const })),
    ...PROXY_MODES.map(mode => ({ path: '/kb/2', offer: 'br', mode })),
    ...CASE_PATHS.map(path => ({ path, offer: 'gzip', mode: 'gunzip' as const })),
  ]
  for (const { path, offer, mode } of ways) {
    const { status, hops, why } = await bench.measure({ name: 'X', title: '', mode, offer }, path)
    expect([status, hops.length, why.length > 1], `${path} ${offer} ${mode}`).toEqual([200, 2, true])
  }
})
