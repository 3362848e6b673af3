import type { HeaderList } from '../../../protocol/http/message.js'
import { RecordError } from '../records/record-error.js'
import type { ApiError } from '../shapes.js'

/** A refused request: the status and the errors of the answer. */
export class Refusal extends Error {
  override name = 'Refusal'
  constructor(
    readonly status: number,
    readonly errors: readonly ApiError[],
    readonly headers: HeaderList = [],
  ) {
    super(errors[0]?.message ?? '')
  }
}

/** Creates a refusal with one error. */
export function refusal(status: number, code: number, message: string, headers: HeaderList = []): Refusal {
  return new Refusal(status, [{ code, message }], headers)
}

/** Our code for an unreadable parameter. The code of the service is unknown. */
const BAD_PARAMETER = 10400

export const badParameter = (message: string): Refusal => refusal(400, BAD_PARAMETER, message)

/** Returns the refusal of a path with a malformed identifier. */
export const noSuchIdentifier = (path: string): Refusal =>
  refusal(404, 7003, `Could not route to ${path.slice(0, 200)}, perhaps your object identifier is invalid?`)

export const noRoute = (): Refusal => refusal(404, 7000, 'No route for that URI')

export const noSuchRecord = (): Refusal => refusal(404, 81044, 'Record does not exist.')

/** Runs `read`. Converts a RecordError to a refusal. */
export function orRefuse<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof RecordError) throw refusal(400, error.code, error.message)
    throw error
  }
}
