import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Bench, openBench } from '../../../src/commands/compress/lab-bench.js'
import { LAB_CASES, LAB_OFFERS, LAB_PATHS } from '../../../src/commands/compress/lab-cases.js'
import { PROXY_MODES } from '../../../src/compression/proxy/modes.js'
import { jsonLines, temporaryFolder } from '../../support/program.js'
import { programInHome } from '../support.js'

const home = temporaryFolder()
let bench: Bench
beforeAll(async () => {
  const globals = { json: true, timeoutMs: 30_000, showSecrets: false, color: false, ascii: false }
  bench = await openBench({ ...globals, home: home.path })
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
])('the five cases of %s are as measured with nginx', async (path, expected) => {
  const found = await Promise.all(LAB_CASES.map(each => bench.measure(each, path)))
  expect(
    Object.fromEntries(
      found.map(({ name, hops }) => [name, hops.map(({ coding, wireBytes }) => `${coding} ${wireBytes}`)]),
    ),
  ).toEqual(expected)
  expect(found.map(({ asked }) => asked)).toEqual(['asked', 'asked', 'not asked', 'asked', 'asked'])
  expect(found[2]!.why.join(' ')).toMatch(
    /asked the server for gzip; the client offered nothing.*Nobody asked/,
  )
  expect(found[3]!.why.join(' ')).toMatch(/decoded it: it comes as gzip, and the client does not take it/)
})

it('has an answer and reasons for every offer, body and proxy', async () => {
  const ways = [
    ...LAB_OFFERS.map(offer => ({ path: '/kb/2', offer, mode: 'gzip-strip' as const })),
    ...PROXY_MODES.map(mode => ({ path: '/kb/2', offer: 'br', mode })),
    ...LAB_PATHS.map(path => ({ path, offer: 'gzip', mode: 'gunzip' as const })),
  ]
  for (const { path, offer, mode } of ways) {
    const { status, hops, why } = await bench.measure({ name: 'X', title: '', mode, offer }, path)
    expect([status, hops.length, why.length > 1], `${path} ${offer} ${mode}`).toEqual([200, 2, true])
  }
})

const { oauthLab } = programInHome()

it('without a terminal the cases are printed, with --json one a line', async () => {
  const [plain, json, wrong] = await Promise.all([
    oauthLab('compress'),
    oauthLab('compress', '--json'),
    oauthLab('compress', 'gte'),
  ])
  expect(plain.code).toBe(0)
  expect(plain.stdout).toMatch(/^GET \/kb\/200$/m)
  expect(plain.stdout).toMatch(/^ {2}C {2}proxy forces gzip upstream +offer nothing$/m)
  expect(plain.stdout).toMatch(/^ {5}proxy → client {3}gzip +935 B {2}\S+ {2}! not asked for$/m)
  expect(jsonLines(json.stdout)).toMatchObject(
    [...'ABCDE'].map(name => ({ name, path: '/kb/200', status: 200 })),
  )
  expect(wrong).toMatchObject({ code: 2, stdout: '' })
  expect(wrong.stderr).toMatch(/unknown command 'gte'\n +Did you mean get\?/)
})
