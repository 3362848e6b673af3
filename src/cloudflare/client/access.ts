/** How a client shows who it is. */
export type ApiCredentials =
  | { readonly kind: 'key'; readonly key: string; readonly email: string; readonly from: string }
  | { readonly kind: 'token'; readonly token: string; readonly from: string }

/** How to reach the DNS and security-event API, and as whom. */
export interface ApiAccess {
  /** Base URL with its prefix, no trailing slash: `https://localhost:8446/client/v4`. */
  readonly base: string
  /** Where this was read, for people: `the lab of this command`, `CLOUDFLARE_BASE_URL`. */
  readonly via: string
  readonly credentials: ApiCredentials
}

/** Base URL of the service that the API is known from. */
export const REAL_SERVICE = 'https://api.cloudflare.com/client/v4'

/** Whether a base URL is that of the real service. */
export const isRealService = (base: string): boolean => new URL(base).hostname === 'api.cloudflare.com'

/** Whether a base URL leads to this machine: a lab, or another emulator. */
export const isThisMachine = (base: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(base).hostname)

/** Whether a key, token or e-mail address can be sent in a header as it is. */
export const fitsHeader = (text: string): boolean => /^[\x21-\x7e]{1,1024}$/.test(text)
