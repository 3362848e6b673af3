import { transportError } from '../../../client/transport-errors.js'
import { TimeoutError, TransportError, UserError } from '../../../protocol/errors.js'
import { AnswerError } from './answer-reader.js'

/** The error of a server that did not answer in time. */
export function lateError({ origin }: URL, timeoutMs: number): TimeoutError {
  return new TimeoutError(`no answer from ${origin} within ${timeoutMs / 1000} s`, [
    'Wait longer:   --timeout 2m',
  ])
}

/** The error of an answer that did not come, or cannot be read, for a person. */
export function answerFailure(error: unknown, { origin }: URL): UserError {
  if (error instanceof UserError) return error
  return error instanceof AnswerError
    ? new TransportError(`the answer of ${origin} cannot be read: ${error.message} (EBADMSG)`, 'EBADMSG')
    : transportError(error, origin)
}
