import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { examineClient } from '../../../../src/learn/capstones/client/examine.js'
import { drawFaults, FAULTS, type FaultName } from '../../../../src/learn/capstones/client/faults.js'
import { clientText } from '../../../../src/learn/skeletons.js'

const folder = mkdtempSync(join(tmpdir(), 'oauth-lab-client-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const TIME = { timeout: 120_000 }

const HONEST = await clientText([])

/** Examines a client with these faults, after a change of its text. */
async function examined(
  faults: readonly FaultName[],
  change = (text: string) => text,
): Promise<readonly string[]> {
  writeFileSync(join(folder, 'client.mjs'), change(await clientText(faults)))
  const { signal } = new AbortController()
  return (await examineClient({ command: [process.execPath, 'client.mjs'], folder }, signal)).faults
}

/** Puts other lines in the place of one that the text must hold. */
const mended = (line: string, other: string) => (text: string) => {
  expect(text).toContain(line)
  return text.replace(line, other)
}

describe('the examination of a client', () => {
  it('passes the client without faults', TIME, async () => {
    expect(await examined([])).toEqual([])
  })

  it.each(FAULTS.map(({ name }) => name))('finds %s alone', TIME, async name => {
    expect(await examined([name])).toEqual([name])
  })

  it.each([1, 2, 3, 4])('finds the four of seed %i', TIME, async seed => {
    expect(await examined(drawFaults(seed))).toEqual(drawFaults(seed))
  })
})

/** Mends that are not enough: each leaves the property broken. */
const HALF: readonly (readonly [name: string, fault: FaultName, line: string, other: string])[] = [
  ['compares no state', 'no-state', "answer.get('state') !== login.state", 'false'],
  [
    'takes any state that it sent to anybody',
    'no-state',
    "answer.get('state') !== login.state",
    "![...logins.values(), login].some(each => each.state === answer.get('state'))",
  ],
  [
    'compares a state only when there is one',
    'no-state',
    "answer.get('state') !== login.state",
    "answer.has('state') && answer.get('state') !== login.state",
  ],
  ['uses one verifier for ever', 'no-pkce', 'verifier: random()', "verifier: hashOf('verifier')"],
  ['uses one nonce for ever', 'nonce-ignored', 'nonce: random()', "nonce: hashOf('nonce')"],
  ['checks a nonce only when there is one', 'nonce-ignored', 'claims.nonce !== nonce', 'false'],
  [
    'checks iss only when there is one',
    'iss-ignored',
    "answer.get('iss') !== ISSUER",
    "answer.has('iss') && answer.get('iss') !== ISSUER",
  ],
  [
    'checks the beginning of iss',
    'iss-ignored',
    "answer.get('iss') !== ISSUER",
    "!answer.get('iss')?.startsWith(ISSUER)",
  ],
  ['takes any path for its own', 'open-redirect', 'page?.origin !== own || ', ''],
  ['takes ID tokens for others', 'id-token-unchecked', '![claims.aud].flat().includes(CLIENT_ID)', 'false'],
  ['takes unsigned ID tokens', 'id-token-unchecked', "alg !== 'RS256' || jwk === undefined", "alg === 'x'"],
]

describe('a mend that is not enough', () => {
  it.each(HALF)('%s: %s', TIME, async (_, fault, line, other) => {
    const change =
      fault === 'id-token-unchecked' && other === "alg === 'x'" ? unsignedTaken : mended(line, other)
    expect(await examined([], change)).toEqual([fault])
  })
})

/** A client that verifies the signature where there is one. */
function unsignedTaken(text: string): string {
  return mended('  const jwk = keys', "  if (alg === 'none') return read(body)\n  const jwk = keys")(text)
}

describe('a client that cannot be examined', () => {
  const failing: readonly (readonly [name: string, text: string, why: RegExp])[] = [
    [
      'ends at once',
      "console.error('I am broken'); process.exit(1)",
      /no address at which it listens.*I am broken/,
    ],
    ['is no program', '{{{', /no address at which it listens/],
    [
      'refuses everybody',
      "import { createServer } from 'node:http'\nconst s = createServer((_, r) => r.writeHead(401).end())\ns.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + s.address().port))",
      /leads nobody from \/login/,
    ],
    [
      'logs nobody in',
      HONEST.replace(
        "'/notes') return showNotes",
        "'/notes') return response.writeHead(401).end() ?? showNotes",
      ),
      /An honest person is not logged in/,
    ],
    [
      'asks for another client',
      HONEST.replace('client_id: CLIENT_ID', "client_id: 'nobody'"),
      /refused the request/,
    ],
  ]
  it.each(failing)('%s', TIME, async (_, text, why) => {
    await expect(examined([], () => text)).rejects.toThrow(why)
  })

  it('is stopped when the examination is interrupted', TIME, async () => {
    const hanging = HONEST.replace('return beginLogin(url, response)', 'return new Promise(() => {})')
    for (const text of [hanging, 'setInterval(() => {}, 1000)']) {
      writeFileSync(join(folder, 'client.mjs'), text)
      const run = examineClient(
        { command: [process.execPath, 'client.mjs'], folder },
        AbortSignal.timeout(2500),
      )
      await expect(run).rejects.toThrow('timeout')
    }
  })
})

describe('drawFaults', () => {
  it('draws four faults of four parts, whatever the seed, and each fault for somebody', () => {
    const drawn = Array.from({ length: 300 }, (_, seed) => drawFaults(seed))
    for (const names of drawn) {
      const parts = FAULTS.filter(({ name }) => names.includes(name)).map(({ part }) => part)
      expect([names.length, new Set(parts).size]).toEqual([4, 4])
    }
    expect(new Set(drawn.flat()).size).toBe(FAULTS.length)
    expect(drawFaults(12)).toEqual(drawFaults(12))
  })
})
