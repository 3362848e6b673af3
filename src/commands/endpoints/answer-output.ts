import { STATUS_CODES } from 'node:http'
import type { Exchange } from '../../protocol/http/exchange.js'
import { makeSafe } from '../../protocol/safe-output/safe.js'
import { narrate, printJson } from '../output/output.js'
import type { Globals } from '../program/globals.js'

/** An answer of an API, with its body as it came. */
export interface Answer {
  readonly exchange: Exchange
  readonly body: Uint8Array
}

/** The text of a body; undefined where it is no UTF-8. */
function textOf(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    return undefined
  }
}

async function write(bytes: Uint8Array): Promise<void> {
  if (bytes.length === 0) return
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(bytes, error => (error ? reject(error) : resolve()))
  })
}

/** Lines from outside, as a terminal shows and never obeys them. */
function safeLines(text: string, ascii: boolean): string {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
  return `${lines.map(line => makeSafe(line.replaceAll('\t', '    '), { ascii })).join('\n')}\n`
}

/** Prints a body for a person at a terminal: text alone, because other bytes can be commands to the terminal. */
async function show(body: Uint8Array, ascii: boolean): Promise<void> {
  if (body.length === 0) return
  const text = textOf(body)
  if (text === undefined || text.includes('\0')) {
    narrate(`The body of ${body.length.toLocaleString('en-US')} bytes is no text. To keep it:  … > FILE`)
    return
  }
  await write(Buffer.from(safeLines(text, ascii)))
}

function headOf({ exchange: { response } }: Answer): string {
  const { status, headers } = response ?? { status: 0, headers: [] }
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** Prints an answer: byte by byte into a pipe or a file, and made safe on a terminal. */
export async function printAnswer(
  answer: Answer,
  include: boolean,
  { json, ascii }: Pick<Globals, 'json' | 'ascii'>,
): Promise<void> {
  const { exchange, body } = answer
  const { request, response, ms } = exchange
  if (json) {
    const { status, headers } = response ?? { status: 0, headers: [] }
    const text = textOf(body)
    const members =
      text === undefined ? { body_base64: Buffer.from(body).toString('base64') } : { body: text }
    printJson({ method: request.method, url: request.url, status, headers, ...members, ms })
    return
  }
  const isTerminal = process.stdout.isTTY
  if (include) {
    const head = headOf(answer)
    await write(isTerminal ? Buffer.from(safeLines(head, ascii)) : Buffer.from(head, 'latin1'))
  }
  await (isTerminal ? show(body, ascii) : write(body))
}
