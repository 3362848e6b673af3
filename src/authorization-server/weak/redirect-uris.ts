import {
  type matchRedirectUri as Match,
  matchRedirectUri,
  redirectUriProblem,
  type VerifiedRedirectUri,
} from '../../oauth/redirect-uri.js'

/** True for an address that a browser may be sent to at all: an address of a script is refused in every mode. */
const isAddress = (uri: string): uri is VerifiedRedirectUri => redirectUriProblem(uri) === undefined

/** Accepts any address. Only a request without one is looked up among the registered ones. */
export const matchAny: typeof Match = (requested, registered, rules) =>
  requested !== undefined && isAddress(requested) ? requested : matchRedirectUri(requested, registered, rules)

/** Accepts an address that begins like a registered one. */
export const matchPrefix: typeof Match = (requested, registered, rules) =>
  requested !== undefined && isAddress(requested) && registered.some(each => requested.startsWith(each))
    ? requested
    : matchRedirectUri(requested, registered, rules)
