import type { Ask } from '../client/ask.js'
import { type AnswerBytes, wireBytes } from '../client/weigh.js'
import { type AskingProgram, GATEWAY, PROGRAMS } from './offers.js'

/** A program, and the answer to its default offer. */
export interface ProgramAnswer extends AskingProgram {
  readonly status: number
  readonly contentEncoding: string | null
  readonly vary: string | null
  readonly bytes: AnswerBytes
  /** Everything that travelled for the answer. */
  readonly wireBytes: number
}

/** The answers of one address to a graph gateway and to other programs. */
export interface ProgramAnswers {
  readonly url: string
  readonly gateway: ProgramAnswer
  readonly others: readonly ProgramAnswer[]
}

/**
 * Asks as a graph gateway asks the services behind it, and as other programs do without settings.
 * @throws TransportError, TimeoutError
 */
export async function askAsPrograms(url: string, ask: Ask): Promise<ProgramAnswers> {
  const answerTo = async (program: AskingProgram): Promise<ProgramAnswer> => {
    const { status, contentEncoding, vary, bytes } = await ask(url, { offer: program.offer })
    return { ...program, status, contentEncoding, vary, bytes, wireBytes: wireBytes(bytes) }
  }
  const gateway = await answerTo(GATEWAY)
  const others: ProgramAnswer[] = []
  for (const program of PROGRAMS) others.push(await answerTo(program))
  return { url, gateway, others }
}
