import {
  type matchRedirectUri as Match,
  matchRedirectUri,
  parseLoopback,
  type RedirectUriRules,
  redirectUriProblem,
  type VerifiedRedirectUri,
} from '../../../protocol/oauth/redirect-uri.js'

/** True for an address that a browser may be sent to at all: an address of a script is refused in every mode. */
const isAddress = (uri: string): uri is VerifiedRedirectUri => redirectUriProblem(uri) === undefined

/** Accepts any address. Only a request without one is looked up among the registered ones. */
export const matchAny: typeof Match = (requested, registered, rules) =>
  requested !== undefined && isAddress(requested) ? requested : matchRedirectUri(requested, registered, rules)

/** True for an address that begins like a registered one. The port of a loopback address counts as little as ever. */
function begins(requested: string, registered: string, rules: RedirectUriRules | undefined): boolean {
  if (requested.startsWith(registered)) return true
  const [sent, known] = [parseLoopback(requested, rules), parseLoopback(registered, rules)]
  return sent !== undefined && sent.base === known?.base && sent.rest.startsWith(known.rest)
}

/** Accepts an address that begins like a registered one. */
export const matchPrefix: typeof Match = (requested, registered, rules) =>
  requested !== undefined && isAddress(requested) && registered.some(each => begins(requested, each, rules))
    ? requested
    : matchRedirectUri(requested, registered, rules)
