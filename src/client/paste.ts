import { type AuthorizationRequest, deliveryTo } from '../protocol/oauth/authorization-request.js'
import { OAuthError } from '../protocol/oauth/oauth-error.js'
import type { AskLogin, LoginPrompt } from './login.js'
import type { UserAgent } from './user-agent.js'

/** The ports of an agent whose person pastes the answer. */
export interface PasteParts {
  /** Opens the URL, unless the person passed `--no-open`. Never fails. */
  readonly open: (url: string) => Promise<void>
  /** Shows the URL to the person, before `open` is called. @param purpose such as `log in` */
  readonly show: (url: string, purpose: string) => void
  /** Asks for the address at which the browser ended: a prompt with `pastes`. */
  readonly ask: AskLogin
}

/** Largest address that is read, in characters. */
const LONGEST = 64 * 1024

/** An address as browsers and people pass it on, without blanks and quotes around it. */
function bare(text: string): string {
  return text.trim().replace(/^(["'<])(.*)["'>]$/s, '$2')
}

/** The address before its query and fragment. A browser writes a slash behind a bare origin. */
function place(address: string): string {
  const before = address.split(/[?#]/, 1)[0] ?? ''
  return /^https?:\/\/[^/]*$/i.test(before) ? `${before}/` : before
}

/**
 * Reads the address that a person pasted.
 * @returns the address with the answer, or the problem, as a message
 */
export function pastedAnswer(
  text: string,
  redirectUri: string,
): { readonly landed: string } | { readonly problem: string } {
  const read = pastedAddress(text, redirectUri)
  if ('problem' in read || /[?#]./.test(read.landed)) return read
  return { problem: 'That address has no answer in it: nothing follows ? or #.' }
}

/** Reads an address that begins with the one at which the browser was to end. */
function pastedAddress(text: string, expected: string): ReturnType<typeof pastedAnswer> {
  const landed = bare(text)
  if (landed.length > LONGEST || /[\s\p{Cc}]/u.test(landed)) {
    return { problem: 'That is no address. Copy the whole address from your browser.' }
  }
  if (place(landed) === place(expected)) return { landed }
  return { problem: `That address is not at ${expected}. Copy the one at which your browser ended.` }
}

/** @throws OAuthError for an answer that no address holds */
function refuseForm(request: AuthorizationRequest): void {
  if (deliveryTo(request) !== 'form_post') return
  throw new OAuthError('unknown_page', {
    description: 'an answer that the browser posts stands in no address, and cannot be pasted',
    rule: 'RFC 6749 §4.1.2',
    hints: ['ask for another way: --response-mode query, or fragment'],
  })
}

/** The error where nobody pasted an address. A page that asked nobody may have shown itself instead of returning. */
function nothingPasted(silent: boolean): OAuthError {
  if (silent) {
    return new OAuthError('unknown_page', {
      description: 'nobody pasted an address: the server may have shown a page',
      rule: 'OpenID Connect Core §3.1.2.6',
    })
  }
  return new OAuthError('login_cancelled', {
    description: 'nobody pasted the address with the answer',
    rule: 'RFC 6749 §4.1.2',
    hints: ['start again, and paste the address from the bar of your browser'],
  })
}

/**
 * Creates the user agent for a person who pastes the address at which the browser ended. Nothing listens at the
 * redirect_uri, so it can be at any place: https on another computer, or a scheme of an application.
 */
export function createPasteAgent({ open, show, ask }: PasteParts): UserAgent {
  /** Asks until the person pastes an address that can be read; undefined when they give up. */
  async function pasted(
    { url, signal }: { readonly url: string; readonly signal: AbortSignal },
    prompt: LoginPrompt & { readonly pastes: string },
    read: typeof pastedAnswer,
  ): Promise<string | undefined> {
    let message: string | undefined
    for (;;) {
      signal.throwIfAborted()
      const answer = await ask({ ...prompt, ...(message !== undefined && { message }) })
      if (answer.kind === 'browser') {
        await open(url)
        continue
      }
      if (answer.kind !== 'code') return undefined
      const found = read(answer.code, prompt.pastes)
      if ('landed' in found) return found.landed
      message = found.problem
    }
  }
  return {
    async *authorize({ request, signal, silent = false }) {
      refuseForm(request)
      const { url, redirectUri, clientId } = request
      show(url, silent ? 'show if you are logged in' : 'log in')
      await open(url)
      yield { name: 'login_form', url, note: 'in your browser' }
      const landed = await pasted({ url, signal }, { clientId, pastes: redirectUri }, pastedAnswer)
      if (landed === undefined) throw nothingPasted(silent)
      yield { name: 'login', note: 'in your browser' }
      yield { name: 'authorization_response', landed, note: 'pasted' }
    },
    async *logout({ request, signal }) {
      const { url, clientId = '', postLogoutRedirectUri: back, method } = request
      if (back === undefined || method === 'POST') {
        const missing = back === undefined ? 'without a post_logout_redirect_uri' : 'after a POST'
        throw new OAuthError('unknown_page', {
          description: `your own browser brings nothing back ${missing}`,
          rule: 'OpenID Connect RP-Initiated Logout §2',
        })
      }
      show(url, 'log out')
      await open(url)
      yield { name: 'logout_request', url, note: 'in your browser' }
      // A server that leaves the state out is a result, and no mistake of the person.
      const landed = await pasted({ url, signal }, { clientId, pastes: back }, pastedAddress)
      if (landed !== undefined) yield { name: 'logout_response', landed, note: 'pasted' }
    },
  }
}
