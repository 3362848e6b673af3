/** Values of Accept-Encoding that show what a server reads of the field; null: no such field. */
export const OFFERS: readonly (string | null)[] = [
  null,
  '',
  'identity',
  'deflate',
  'gzip',
  'br',
  'gzip, br',
  'br;q=1, gzip;q=0.5',
  'br;q=0.5, gzip',
  '*',
  'gzip;q=0',
  'gzip;q=0, *',
  '*;q=0',
  'identity;q=0',
  'x-gzip',
  'gzip;q=abc',
]

/** A program that asks, and what it offers where nobody tells it otherwise. */
export interface AskingProgram {
  readonly name: string
  /** Accept-Encoding as it is sent; null: none. */
  readonly offer: string | null
  /** Whether it undoes the coding before its user sees the body. */
  readonly decodes: boolean
}

/**
 * What a federated graph gateway sends to the services behind it: seen of @apollo/gateway 2.14.4 (RemoteGraphQLDataSource), over http
 * and https alike.
 */
export const GATEWAY: AskingProgram = { name: 'graph gateway', offer: 'gzip,deflate', decodes: true }

/** Others, as they were seen without settings of their own. */
export const PROGRAMS: readonly AskingProgram[] = [
  { name: 'curl', offer: null, decodes: false },
  { name: 'curl --compressed', offer: 'deflate, gzip, br, zstd', decodes: true },
  { name: 'wget', offer: 'identity', decodes: false },
  { name: 'Python urllib', offer: 'identity', decodes: false },
  { name: 'node:https, undici.request', offer: null, decodes: false },
  { name: 'fetch of Node, https', offer: 'br, gzip, deflate', decodes: true },
  { name: 'fetch of Node, http', offer: 'gzip, deflate', decodes: true },
  { name: 'node-fetch 3, got 14', offer: 'gzip, deflate, br', decodes: true },
  { name: 'axios', offer: 'gzip, compress, deflate, br', decodes: true },
]
