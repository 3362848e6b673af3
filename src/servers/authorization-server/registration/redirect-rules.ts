import { isUrl } from '../../../protocol/http/address.js'
import { redirectUriProblem } from '../../../protocol/oauth/redirect-uri.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import { quote } from '../../../protocol/values.js'

/** An address that a client may not register. */
export interface RedirectFault {
  readonly problem: string
  readonly rule: Citation
}

/** The kind of a client (OpenID Connect Registration §2). */
export type ApplicationType = 'web' | 'native'

const schemeOf = (uri: string): string => uri.slice(0, uri.indexOf(':')).toLowerCase()

/** Hosts of the person's own computer. */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
const isLoopback = (uri: string): boolean => isUrl(uri) && LOOPBACK.has(new URL(uri).hostname)

/**
 * Returns the kind of a client that names none: a web site has https addresses alone. OpenID Connect Registration §2 assumes
 * `web`, which would refuse every installed client that leaves the member out.
 */
export function applicationTypeOf(uris: readonly string[]): ApplicationType {
  return uris.every(each => schemeOf(each) === 'https' && !isLoopback(each)) ? 'web' : 'native'
}

function webFault(uri: string, isImplicit: boolean): RedirectFault | undefined {
  const rule = 'OpenID Connect Registration §2'
  if (schemeOf(uri) !== 'https') {
    const problem =
      'a client with application_type web has https addresses alone; an installed one registers application_type native'
    return { problem, rule }
  }
  if (isImplicit && isLoopback(uri)) {
    return { problem: 'a web client with the implicit grant has no address on localhost', rule }
  }
  return undefined
}

function nativeFault(uri: string): RedirectFault | undefined {
  const scheme = schemeOf(uri)
  if (scheme === 'https') {
    // RFC 8252 §7.2: an app claims an https address of its maker, and nobody owns localhost.
    if (!isLoopback(uri)) return undefined
    return { problem: 'the https address of a native client is not on localhost', rule: 'RFC 8252 §7.2' }
  }
  if (scheme === 'http' || scheme.includes('.')) return undefined
  const problem = `the private scheme ${scheme}: has no period; use the reversed domain name of the maker, such as com.example.app:`
  return { problem, rule: 'RFC 8252 §7.1' }
}

/**
 * Returns the fault of an address of a client; undefined for one that it may register.
 * @param isImplicit true for a client with the implicit grant
 */
export function redirectFault(
  uri: string,
  type: ApplicationType,
  isImplicit: boolean,
): RedirectFault | undefined {
  const fault = redirectUriProblem(uri) ?? (type === 'web' ? webFault(uri, isImplicit) : nativeFault(uri))
  return fault && { problem: `${quote(uri)}: ${fault.problem}`, rule: fault.rule }
}
