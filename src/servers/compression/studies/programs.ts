import type { Ask } from '../client/ask.js'
import { type AnswerBytes, totalBytes } from '../client/weigh.js'
import { type AskingProgram, GATEWAY, PROGRAMS } from './offers.js'

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
