import { isIP } from 'node:net'
import type { Resolve } from '../../client/transport/resolve.js'
import type { TransportOptions } from '../../client/transport.js'
import { UsageError } from '../../protocol/errors.js'
import { baseUrl, quotedUrl } from '../../protocol/http/address.js'
import {
  extraHeaderProblem,
  type Header,
  isFieldName,
  isLoopbackUrl,
  splitUrl,
} from '../../protocol/http/message.js'
import { defined, withoutEnds } from '../../protocol/values.js'
import type { Typed } from './option.js'
import type { network } from './table.js'

/** The options that change how requests reach a server. */
export type NetworkOptions = Typed<typeof network>

/** The options of the network, checked. */
export interface CheckedNetwork {
  readonly headers: readonly Header[]
  readonly insecure?: true
  readonly resolve?: Resolve
}

/** The settings of a transport that come from these options. */
export type NetworkSettings = Pick<TransportOptions, 'insecure' | 'resolve' | 'extraHeaders' | 'credentials'>

/** Reads a header field. No message repeats its value, which may be a secret. @throws UsageError */
function readHeader(text: string): Header {
  const colon = text.indexOf(':')
  const name = colon < 0 ? text : text.slice(0, colon)
  const value = colon < 0 ? '' : withoutEnds(text.slice(colon + 1), ' \t')
  const looks = "It looks like:  -H 'X-Api-Key: 1234'"
  if (!isFieldName(name)) {
    throw new UsageError('-H: that is no name of a header field (RFC 9110 §5.1)', [looks])
  }
  const problem = extraHeaderProblem(name, value)
  if (problem !== undefined) {
    const own = problem.startsWith('the client')
    throw new UsageError(`-H ${name}: ${problem}`, [
      own ? 'Leave it out: other fields are added, and none is replaced' : looks,
    ])
  }
  return [name, value]
}

/** Reads `HOST:PORT:ADDRESS[,ADDRESS]`; an IPv6 address may stand in brackets. @throws UsageError */
function readResolve(text: string): { readonly key: string; readonly addresses: readonly string[] } {
  const [, host = '', port = '', list = ''] = /^(\[[^\]]+\]|[^:]+):(\d{1,5}):(.+)$/s.exec(text) ?? []
  const addresses = list.split(',').map(each => each.trim().replace(/^\[(.*)\]$/, '$1'))
  const isPort = port !== '' && Number(port) > 0 && Number(port) < 65_536
  if (!isPort || /[\s/@?#]/.test(host) || !addresses.every(each => isIP(each) !== 0)) {
    throw new UsageError(`--resolve ${JSON.stringify(text)} is not HOST:PORT:ADDRESS`, [
      'It looks like:  --resolve id.example:443:127.0.0.1   (* for any host, [::1] for IPv6)',
    ])
  }
  return { key: keyOf(host, Number(port)), addresses }
}

function keyOf(host: string, port: number): string {
  const plain = host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  return `${plain.replace(/\.$/, '')}:${port}`
}

/** Checks the options of the network. @throws UsageError */
export function checkedNetwork({ header = [], insecure, resolve = [] }: NetworkOptions): CheckedNetwork {
  // The last entry for a host and port counts, as with curl.
  const known = new Map(resolve.map(readResolve).map(({ key, addresses }) => [key, addresses]))
  return defined({
    headers: header.map(readHeader),
    insecure,
    resolve:
      known.size === 0
        ? undefined
        : (host: string, port: number) => known.get(keyOf(host, port)) ?? known.get(keyOf('*', port)),
  })
}

/** The settings of a transport to a server. @param addresses URLs of the server: to their origins alone the headers go */
export function networkSettings(
  { headers, insecure, resolve }: CheckedNetwork,
  addresses: readonly (string | undefined)[],
): NetworkSettings {
  const origins = new Set(addresses.flatMap(each => (each === undefined ? [] : splitUrl(each).origin)))
  return defined({
    insecure,
    resolve,
    extraHeaders: headers.length === 0 ? undefined : { headers, origins },
  })
}

/** Warns of a run that checks no certificate. @param narrate prints a line on stderr */
export function warnInsecure(
  { insecure }: Pick<CheckedNetwork, 'insecure'>,
  { address, secretOf }: { readonly address: string; readonly secretOf?: string | undefined },
  { narrate }: { readonly narrate: (line: string) => void },
): void {
  if (!insecure) return
  const warning = `warning: --insecure: this run checks no certificate, that of ${new URL(address).host} included.`
  const secret = secretOf === undefined ? '' : `the secret of client ${secretOf}, `
  const risk = `Anyone on the way to it can read and change what is sent: ${secret}passwords, codes and tokens.`
  narrate(isLoopbackUrl(address) ? warning : `${warning}\n${risk}`)
}

/**
 * Checks the address of an issuer (RFC 8414 §2), and keeps it as it was typed: issuers are compared as strings (§3.3).
 * @param from the option before the address in messages
 * @throws UsageError
 */
export function issuerAddress(text: string, from: '' | '--issuer ' = ''): string {
  if (baseUrl(text)) return text
  throw new UsageError(`${from}${quotedUrl(text)} is not the address of an issuer`, [
    'It looks like https://id.example or http://localhost:8080',
  ])
}

/**
 * Checks the address of an issuer to which secrets, codes and tokens go.
 * @throws UsageError where they would travel in the clear (RFC 6749 §3.1, §3.2), or where it is no issuer
 */
export function trustworthyIssuer(text: string): string {
  const issuer = issuerAddress(text)
  const document = issuer.search(/\/\.well-known\/(openid-configuration|oauth-authorization-server)/)
  if (document >= 0) {
    throw new UsageError(`${issuer} is the address of a metadata document`, [
      `Name the issuer in it:  --issuer ${issuer.slice(0, document)}`,
    ])
  }
  if (/^https:/i.test(issuer) || isLoopbackUrl(issuer)) return issuer
  throw new UsageError(
    `${issuer} has no TLS: passwords, codes and tokens would travel in the clear (RFC 6749 §3.1, §3.2)`,
    ['Name its https address; http is for servers on this computer, such as http://localhost:8080'],
  )
}
