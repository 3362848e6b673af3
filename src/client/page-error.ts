import { OAuthError, receivedCode } from '../protocol/oauth/oauth-error.js'
import type { ReadPage } from './login-page.js'

/** The longest text that names a page without a heading, in characters. */
const MAX_NAME = 80

/** The heading of a page, else the beginning of its text. */
function nameOf({ heading, text }: ReadPage): string {
  const name = heading || text
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME).toWellFormed()}…` : name
}

/** Returns the error for a page that only a person can answer. */
export function unknownPage(what: string): OAuthError {
  return new OAuthError('unknown_page', {
    description: `the server shows ${what}; only forms with a name and a password can be filled in from here, --browser takes all others`,
    rule: 'RFC 6749 §3.1',
  })
}

/** Returns the error for a page that asks for a one-time code which is not known, or which the server refused. */
export function unknownCode({ alert }: ReadPage, refused: boolean): OAuthError {
  if (refused) {
    const description = `the one-time code was refused: ${alert || 'the server asks again'}`
    return new OAuthError('login_failed', { description, rule: 'RFC 6238 §5.2' })
  }
  return new OAuthError('unknown_page', {
    description: 'the server asks for a one-time code, which is not known here: --otp CODE, or --browser',
    rule: 'RFC 6749 §3.1',
  })
}

/** Returns the error for a page that asks for something else than the password of a user. */
function otherPage(page: ReadPage): OAuthError {
  const name = nameOf(page)
  const named = name === '' ? 'a page' : `the page “${name}”`
  if (!page.asksNewPassword) return unknownPage(`${named}, which asks for something else`)
  return new OAuthError('unknown_page', {
    description: `the server asks for a new password on ${named}; set it once in your own browser: --browser`,
    rule: 'RFC 6749 §3.1',
  })
}

/** Returns the refusal that a page without a login form shows. Such errors are shown and not redirected (RFC 6749 §4.1.2.1). */
export function pageError(status: number | undefined, page: ReadPage): OAuthError {
  const isPlain = status === 200 && page.alert === undefined && page.errorCode === undefined
  if ((isPlain && page.hasControls) || (status === 200 && page.asksNewPassword)) return otherPage(page)
  const { errorCode } = page
  const unnamed = status && status >= 500 ? 'server_error' : 'error_page'
  return new OAuthError(errorCode === undefined ? unnamed : receivedCode(errorCode), {
    description: page.alert || page.text || `the server answered ${status} with an empty page`,
    rule: 'RFC 6749 §4.1.2.1',
    evidence: `status ${status}`,
  })
}
