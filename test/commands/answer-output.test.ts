import { afterEach, describe, expect, it, vi } from 'vitest'
import { printAnswer } from '../../src/commands/endpoints/call-run.js'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Prints an answer, with stdout a terminal or a pipe. */
async function printed(
  body: Uint8Array,
  { terminal, include = false }: { terminal: boolean; include?: boolean },
) {
  const { isTTY } = process.stdout
  const out: Buffer[] = []
  let said = ''
  vi.spyOn(process.stdout, 'write').mockImplementation(((bytes: Uint8Array, done?: () => void) => {
    out.push(Buffer.from(bytes))
    done?.()
    return true
  }) as typeof process.stdout.write)
  vi.spyOn(process.stderr, 'write').mockImplementation(text => {
    said += String(text)
    return true
  })
  process.stdout.isTTY = terminal
  const request = { method: 'GET', url: 'https://api.example/', headers: [], body: '' }
  const response = { status: 200, headers: [['x-evil', 'a\x1b[2Jb']] as const, body: '' }
  const exchange = { request, response, wireBytes: { request: 0, response: 0 }, bodyBytes: 0, ms: 1 }
  try {
    await printAnswer({ exchange: exchange as never, body }, include, { json: false, ascii: false })
  } finally {
    process.stdout.isTTY = isTTY
  }
  return { out: Buffer.concat(out), said }
}

const HOSTILE = Buffer.from('{\r\n\t"a": "\x1b]0;owned\x07\u202e"\n}')
const BINARY = Buffer.from([0, 255, 254, 27, 91, 50, 74])

describe('the answer of an API', () => {
  it.each([HOSTILE, BINARY])('is in a pipe as it came', async body => {
    expect((await printed(body, { terminal: false })).out).toEqual(body)
  })

  it('is text that a terminal shows and never obeys', async () => {
    const { out } = await printed(HOSTILE, { terminal: true, include: true })
    expect(out.toString()).toBe('HTTP/1.1 200 OK\nx-evil: a␛[2Jb\n\n{\n    "a": "␛]0;owned␇<U+202E>"\n}\n')
  })

  it('is named and not written to a terminal where it is no text', async () => {
    const { out, said } = await printed(BINARY, { terminal: true })
    expect(out).toHaveLength(0)
    expect(said).toContain('The body of 7 bytes is no text.')
  })
})
