import { type AnswerBytes, type Ask, totalBytes, type Weighed } from '../client/ask.js'
import { brokenRule } from './verdict.js'

/** A URL and its name in a table. */
interface GridTarget {
  readonly name: string
  readonly url: string
}

/** The answer of one URL to one offer. */
export interface GridCell {
  readonly target: string
  readonly status: number
  readonly contentEncoding: string | null
  readonly vary: string | null
  readonly bytes: AnswerBytes
  /** The rule that the answer breaks. Absent for a correct answer. */
  readonly broken?: string
}

/** An offer, and the answer of each URL to it. */
export interface GridRow {
  /** Value of Accept-Encoding. null for none. */
  readonly offer: string | null
  readonly cells: readonly GridCell[]
}

/**
 * Sends every offer to every URL, one request after another.
 * @throws TransportError, TimeoutError
 */
export async function gridOf(
  offers: readonly (string | null)[],
  targets: readonly GridTarget[],
  ask: (url: string, offer: string | null) => Promise<Weighed>,
): Promise<GridRow[]> {
  const rows: GridRow[] = []
  for (const offer of offers) {
    const cells: GridCell[] = []
    for (const { name, url } of targets) {
      const { status, contentEncoding, vary, bytes } = await ask(url, offer)
      const broken = brokenRule(offer, { status, contentEncoding, vary })
      const cell = { target: name, status, contentEncoding, vary, bytes }
      cells.push(broken === undefined ? cell : { ...cell, broken })
    }
    rows.push({ offer, cells })
  }
  return rows
}

/** Values of Accept-Encoding that show how a server reads the field. null sends no such field. */
export const OFFERS: readonly (string | null)[] = [
  null,
  '',
  'identity',
  'deflate',
  'gzip',
  'br',
  'zstd',
  'gzip, br',
  'br;q=1, gzip;q=0.5',
  'br;q=0.5, gzip',
  '*',
  'gzip;q=0',
  'gzip;q=0, *',
  '*;q=0',
  'identity;q=0',
  'x-gzip',
  'gzip;q=abc',
]

/** A program and its default offer. */
interface AskingProgram {
  readonly name: string
  /** Accept-Encoding as the program sends it. null for none. */
  readonly offer: string | null
  /** True when the program decodes the body for its user. */
  readonly decodes: boolean
}

/**
 * A federated graph gateway that calls its services. Observed with @apollo/gateway 2.14.4 (RemoteGraphQLDataSource), over
 * http and over https.
 */
export const GATEWAY: AskingProgram = { name: 'graph gateway', offer: 'gzip,deflate', decodes: true }

/** Other programs. Observed with their default settings. */
export const PROGRAMS: readonly AskingProgram[] = [
  { name: 'Chrome, Firefox', offer: 'gzip, deflate, br, zstd', decodes: true },
  { name: 'Safari, Googlebot', offer: 'gzip, deflate, br', decodes: true },
  { name: 'curl', offer: null, decodes: false },
  { name: 'curl --compressed', offer: 'deflate, gzip, br, zstd', decodes: true },
  { name: 'wget', offer: 'identity', decodes: false },
  { name: 'Python urllib', offer: 'identity', decodes: false },
  { name: 'node:https, undici.request', offer: null, decodes: false },
  { name: 'fetch of Node, https', offer: 'br, gzip, deflate', decodes: true },
  { name: 'fetch of Node 26, https', offer: 'br, gzip, deflate, zstd', decodes: true },
  { name: 'fetch of Node, http', offer: 'gzip, deflate', decodes: true },
  { name: 'node-fetch 3, got 14', offer: 'gzip, deflate, br', decodes: true },
  { name: 'axios', offer: 'gzip, compress, deflate, br', decodes: true },
]

/** A program, and the answer to its default offer. */
export interface ProgramAnswer extends AskingProgram {
  readonly status: number
  readonly contentEncoding: string | null
  readonly vary: string | null
  readonly bytes: AnswerBytes
  /** Body bytes as they travelled. */
  readonly wireBytes: number
  /** All bytes of the answer: head, body, framing and TLS. */
  readonly totalBytes: number
}

/** The answers of one URL to a graph gateway and to other programs. */
export interface ProgramAnswers {
  readonly url: string
  readonly gateway: ProgramAnswer
  readonly others: readonly ProgramAnswer[]
}

/**
 * Sends the default offers of a graph gateway and of other programs, one request after another.
 * @throws TransportError, TimeoutError
 */
export async function askAsPrograms(url: string, ask: Ask): Promise<ProgramAnswers> {
  const answerTo = async (program: AskingProgram): Promise<ProgramAnswer> => {
    const { status, contentEncoding, vary, bytes } = await ask(url, { offer: program.offer })
    return {
      ...program,
      status,
      contentEncoding,
      vary,
      bytes,
      wireBytes: bytes.coded,
      totalBytes: totalBytes(bytes),
    }
  }
  const gateway = await answerTo(GATEWAY)
  const others: ProgramAnswer[] = []
  for (const program of PROGRAMS) others.push(await answerTo(program))
  return { url, gateway, others }
}
