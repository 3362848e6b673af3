import { isJsonObject } from '../protocol/values.js'
import type { ReadPage } from './login-page.js'

/** The longest text that is taken from a page, in characters. */
const MAX_TEXT = 300

/** A code, unlike the sentences that some frameworks put into `error`. */
const CODE = /^[\w.-]{1,80}$/

function textOf(...values: readonly unknown[]): string | undefined {
  const found = values.find(each => typeof each === 'string' && each.trim() !== '')
  return typeof found === 'string' ? found.trim().slice(0, MAX_TEXT).toWellFormed() : undefined
}

/**
 * Reads an error that a server shows to a browser as JSON: with the members of OAuth (RFC 6749 §5.2), of problem details (RFC 9457 §3.1), or of a
 * framework.
 */
export function readJsonPage(body: string): ReadPage {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    value = undefined
  }
  if (!isJsonObject(value)) return { text: body.slice(0, MAX_TEXT).trim() }
  const { error, error_description: described, detail, title, message } = value
  const inner = isJsonObject(error) ? error : {}
  const errorCode = typeof error === 'string' && CODE.test(error) ? error : undefined
  const named = errorCode === undefined ? error : undefined
  const text = textOf(described, detail, message, inner.message, title, named)
  if (errorCode === undefined) return { text: text ?? body.slice(0, MAX_TEXT).trim() }
  return { errorCode, text: text ?? 'the server gives no reason' }
}
