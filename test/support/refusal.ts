import { expect } from 'vitest'
import { OAuthError } from '../../src/protocol/oauth/oauth-error.js'

/** The error that a promise is rejected with; undefined where it is not. */
export const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

/** The OAuthError of what must be refused. */
export async function refusal(promise: Promise<unknown>): Promise<OAuthError> {
  const result = await promise.then(
    value => ({ accepted: value }),
    (error: unknown) => error,
  )
  expect(result).toBeInstanceOf(OAuthError)
  return result as OAuthError
}

/** Description and evidence in one line, to look for the reason in. */
export async function reason(promise: Promise<unknown>): Promise<string> {
  const { code, description, evidence = '' } = await refusal(promise)
  return `${code}: ${description} (${evidence})`
}

/** The error that a call throws, of a class that it must be of. */
export function thrown<E extends Error = OAuthError>(
  call: () => unknown,
  kind: abstract new (...parts: never[]) => E = OAuthError as never,
): E {
  let result: unknown
  try {
    result = { returned: call() }
  } catch (error) {
    result = error
  }
  expect(result).toBeInstanceOf(kind)
  return result as E
}
