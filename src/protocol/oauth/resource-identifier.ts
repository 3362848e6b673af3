/** An http or https URL whose path is a single slash. */
const BARE_ORIGIN = /^(https?:\/\/[^/?#]+)\/$/i

/**
 * Returns a resource identifier without the slash of an empty path, for comparisons. `new URL(x).href` adds this slash,
 * so clients send `https://localhost:8444/` for `https://localhost:8444`, which are equivalent (RFC 3986 §6.2.3).
 */
function withoutBareSlash(identifier: string): string {
  return BARE_ORIGIN.exec(identifier)?.[1] ?? identifier
}

/** True when two resource identifiers (RFC 8707 §2, RFC 9728 §1.2) name the same resource. */
export function sameResource(a: string, b: string): boolean {
  return a === b || withoutBareSlash(a) === withoutBareSlash(b)
}
