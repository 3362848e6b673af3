import { isJsonObject } from '../values.js'

/** The accounts of one participant at the lab of a room, and the addresses of its parts: the answer to GET /room/lab. */
export interface LabDocument {
  /** Base URLs without a trailing slash. */
  readonly urls: {
    readonly authorization: string
    readonly http: string
    readonly resource: string
    readonly cluster: string
    readonly dns: string
  }
  /** The certificate of the lab's authority, PEM. */
  readonly ca: string
  readonly client: { readonly client_id: string; readonly client_secret: string }
  readonly user: { readonly username: string; readonly password: string }
  /** A bearer token for one namespace of the cluster. */
  readonly cluster: { readonly namespace: string; readonly token: string }
  /** A bearer token of the DNS and security-event API. */
  readonly dns: { readonly token: string }
}

type Check = (value: unknown) => boolean

const matches =
  (pattern: RegExp): Check =>
  value =>
    typeof value === 'string' && pattern.test(value)

/** Lower case: the name is a client, a user and a namespace. */
const name = matches(/^[a-z0-9][a-z0-9-]{0,39}$/)
const secret = matches(/^[\w-]{20,100}$/)
const address = (scheme: string) =>
  matches(new RegExp(`^${scheme}://(?:\\[[\\da-f:.]{2,45}\\]|[\\w.-]{1,253})(?::\\d{1,5})?(?:/client/v4)?$`))
const pem: Check = value =>
  typeof value === 'string' &&
  value.length <= 20_000 &&
  /^(?:-----BEGIN CERTIFICATE-----\r?\n[\w+/=\r\n]+-----END CERTIFICATE-----\s*)+$/.test(value)

/** The members of a document. Further members are ignored: a later version may have more. */
const MEMBERS = {
  urls: {
    authorization: address('https'),
    http: address('http'),
    resource: address('https'),
    cluster: address('https'),
    dns: address('https'),
  },
  ca: pem,
  client: { client_id: name, client_secret: secret },
  user: { username: name, password: secret },
  cluster: { namespace: name, token: secret },
  dns: { token: secret },
} as const satisfies Readonly<Record<keyof LabDocument, Check | Readonly<Record<string, Check>>>>

/** Reads a document. Returns undefined for anything that is not one. */
export function readLabDocument(value: unknown): LabDocument | undefined {
  if (!isJsonObject(value)) return undefined
  const read: Record<string, unknown> = {}
  for (const [member, check] of Object.entries(MEMBERS)) {
    const part = value[member]
    if (typeof check === 'function') {
      if (!check(part)) return undefined
      read[member] = part
      continue
    }
    if (!isJsonObject(part)) return undefined
    const checks: Readonly<Record<string, Check>> = check
    if (!Object.entries(checks).every(([key, fits]) => fits(part[key]))) return undefined
    read[member] = Object.fromEntries(Object.keys(checks).map(key => [key, part[key]]))
  }
  return read as unknown as LabDocument
}
