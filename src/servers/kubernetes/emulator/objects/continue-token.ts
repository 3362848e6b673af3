import { ApiError, badRequest, refusal } from '../api-error.js'

/** The place where the next page of a list begins. */
export interface Position {
  /** The version that the list shows; -1 for the present one. */
  readonly version: number
  /** The place of the last object of the page before, and a zero character. */
  readonly start: string
}

const API_VERSION = 'meta.k8s.io/v1'

const invalidToken = (problem: string): ApiError =>
  badRequest(`invalid continue token: continue key is not valid${problem}`)

/** Writes a position as the token that `continue` takes. */
export function continueToken({ version, start }: Position): string {
  return Buffer.from(JSON.stringify({ v: API_VERSION, rv: version, start })).toString('base64url')
}

function parsed(token: string): { v?: unknown; rv?: unknown; start?: unknown } {
  const strange = /[^A-Za-z0-9_-]/.exec(token)
  if (strange !== null) throw invalidToken(`: illegal base64 data at input byte ${strange.index}`)
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'))
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // Go names the character; clients only show the text.
  }
  throw invalidToken(': invalid character in the token')
}

/** Reads the token of a page. @throws ApiError 400 for a token that no server wrote */
export function positionOf(token: string): Position {
  const { v, rv, start } = parsed(token)
  if (v !== API_VERSION) throw invalidToken(': server does not recognize this encoded version null')
  if (typeof rv !== 'number' || !Number.isSafeInteger(rv) || rv === 0) {
    throw invalidToken(`: incorrect encoded start resourceVersion (version ${API_VERSION})`)
  }
  if (typeof start !== 'string' || start === '') {
    throw invalidToken(`: encoded start key empty (version ${API_VERSION})`)
  }
  return { version: rv, start }
}

const TOO_OLD = 'The provided continue parameter is too old to display a consistent list result. '

/** The refusal of a token whose version is forgotten. It has a token that goes on with the present objects. */
export function expiredToken({ start }: Position): ApiError {
  const advice =
    'You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.'
  const { status } = refusal(410, 'Expired', `${TOO_OLD}${advice}`)
  return new ApiError({ ...status, metadata: { continue: continueToken({ version: -1, start }) } })
}
