import type { Exchange } from '../../../protocol/http/exchange.js'
import { readPairs } from '../../../protocol/http/form.js'
import { header, splitUrl } from '../../../protocol/http/message.js'
import { joined, type Piece, shellComment, shellWord } from '../../../protocol/safe-output/shell.js'
import { decodeIfJwt } from '../../../protocol/tokens/decode.js'
import { addressPieces, type ServerVariable, type Source } from './curl.js'
import { type Proof, proofFunctions } from './curl-proof-functions.js'

/** The sources of values that a script knows. */
export interface ProofContext {
  readonly source: (name: string, value: string) => Source | undefined
  /** A name for a variable that is not taken yet. */
  readonly variable: (name: string) => string
  /** Variables for the beginnings of addresses. */
  readonly servers: readonly ServerVariable[]
  /** The JWT inside an encrypted request object, as its step shows it. */
  readonly requestObject?: string | undefined
}

/** Everything in a run that is good for one request, and so is signed again for a replay. */
export interface Proofs {
  /** The lines before a request that make its proofs. */
  before(exchange: Exchange): string[]
  /** The variable that holds a proof that was recorded. */
  source(value: string): Source | undefined
  /** The lines that the script needs once, for all requested proofs. */
  beginning(): string[]
  /** Environment variables that name keys. */
  secrets(): string[]
}

function parameter(body: string, wanted: string): string | undefined {
  return readPairs(body).find(([name]) => name === wanted)?.[1]
}

/** The signers of the script, by `alg`. */
const signers: Readonly<Record<string, string>> = {
  ES256: 'es256',
  RS256: 'rs256',
  PS256: 'ps256',
  EdDSA: 'eddsa',
  Ed25519: 'eddsa',
  HS256: 'hs256',
  none: 'unsigned',
}

/** The signers that need the private key of the client. */
const WITH_KEY: readonly string[] = ['es256', 'rs256', 'ps256', 'eddsa']

/** Claims of a request object that are made again for each one. */
const FRESH = ['jti', 'iat', 'nbf', 'exp']

/** Finds the parts that have to be signed again, and writes how. */
export function createProofs({ source, variable, servers, requestObject }: ProofContext): Proofs {
  const used = new Set<Proof>()
  const made = new Map<string, string>()
  const needed = new Set<string>()

  const address = (url: string): Piece[] => addressPieces(url, servers)

  /** A variable for a recorded value; undefined where it has one: the very same proof is sent again. */
  const making = (value: string, name: string): string | undefined => {
    if (made.has(value)) return undefined
    const free = variable(name)
    made.set(value, free)
    return free
  }

  const word = (found: Source | undefined, otherwise: string): string =>
    found ? shellWord({ variable: found.variable }) : shellWord(otherwise)

  const dpop = ({ request }: Exchange): string[] => {
    const proof = header(request, 'dpop')
    const { claims } = (proof !== undefined && decodeIfJwt(proof)) || {}
    const name = proof !== undefined && claims && making(proof, 'dpop_proof')
    if (!name || !claims) return []
    used.add('dpop')
    const token = header(request, 'authorization')?.replace(/^\S+\s+/, '') ?? ''
    const { nonce } = claims
    const words = [
      shellWord(request.method),
      shellWord(...address(request.url.split(/[?#]/, 1)[0] ?? '')),
      ...(claims.ath === undefined ? ["''"] : [word(source('access_token', token), token)]),
      ...(typeof nonce === 'string' ? [word(source('dpop_nonce', nonce), nonce)] : []),
    ]
    return [`${name}=$(dpop_proof ${words.join(' ')})`]
  }

  const clientAssertion = ({ request }: Exchange): string[] => {
    const value = parameter(request.body, 'client_assertion')
    const jwt = value === undefined ? undefined : decodeIfJwt(value)
    const signer = typeof jwt?.header.alg === 'string' ? signers[jwt.header.alg] : undefined
    if (value === undefined || !jwt || signer === undefined) return []
    const name = making(value, 'client_assertion')
    if (name === undefined) return []
    used.add('client_assertion')
    needed.add('OAUTH_CLIENT_KEY')
    const { iss, sub, aud } = jwt.claims
    const known = JSON.stringify({ iss, sub }).slice(0, -1)
    const audience = typeof aud === 'string' ? aud : ''
    const claims = shellWord(`${known},"aud":"`, ...address(audience), '"')
    return [`${name}=$(client_assertion ${signer} ${shellWord(JSON.stringify(jwt.header))} ${claims})`]
  }

  /** Signs a request object with the values of this replay: its PKCE challenge and its DPoP key. */
  const requestObjectOf = ({ request }: Exchange): string[] => {
    const value = parameter(request.body, 'request') ?? parameter(splitUrl(request.url).query, 'request')
    const direct = value === undefined ? undefined : decodeIfJwt(value)
    const jwt = direct ?? (value !== undefined && requestObject ? decodeIfJwt(requestObject) : undefined)
    const signer = typeof jwt?.header.alg === 'string' ? signers[jwt.header.alg] : undefined
    if (value === undefined || !jwt || signer === undefined) return []
    const name = making(value, 'request_object')
    if (name === undefined) return []
    used.add('request_object')
    if (WITH_KEY.includes(signer)) needed.add('OAUTH_CLIENT_KEY')
    if (signer === 'hs256') needed.add('OAUTH_CLIENT_SECRET')
    const claims = Object.entries(jwt.claims).filter(([claim]) => !FRESH.includes(claim))
    const pieces = claims.flatMap(([claim, content], i): Piece[] => {
      const before = `${i === 0 ? '{' : ','}${JSON.stringify(claim)}:`
      const text = typeof content === 'string' ? content : undefined
      const found = text === undefined ? undefined : source(claim, text)
      if (found !== undefined) return [`${before}"`, { variable: found.variable }, '"']
      if (claim === 'aud' && text !== undefined) return [`${before}"`, ...address(text), '"']
      return [`${before}${JSON.stringify(content)}`]
    })
    const note = 'The recorded request object was encrypted too; this one is signed alone.'
    return [
      ...(direct === undefined ? [shellComment(note)] : []),
      `${name}=$(request_object ${signer} ${shellWord(JSON.stringify(jwt.header))} ${shellWord(...joined(pieces))})`,
    ]
  }

  const mac = ({ request }: Exchange): string[] => {
    const value = header(request, 'authorization')
    if (value === undefined || !/^MAC /i.test(value)) return []
    const id = /\bid="([^"]*)"/.exec(value)?.[1] ?? ''
    const [token, key] = [source('access_token', id), source('mac_key', id)]
    const name = making(value, 'mac_authorization')
    if (name === undefined) return []
    if (!token || !key || request.body !== '') {
      return [
        shellComment('A MAC is good for one request, and cannot be made again from this recording.'),
        `fail 'no key for the MAC'`,
        `${name}=`,
      ]
    }
    used.add('mac')
    const { origin } = splitUrl(request.url)
    const { hostname, port, protocol } = new URL(origin)
    const words = [
      shellWord({ variable: token.variable }),
      shellWord({ variable: key.variable }),
      shellWord(request.method),
      shellWord(request.url.slice(origin.length).split('#', 1)[0] || '/'),
      shellWord(hostname),
      port || (protocol === 'http:' ? '80' : '443'),
    ]
    return [`${name}=$(mac_authorization ${words.join(' ')})`]
  }

  return {
    before: exchange => [
      ...requestObjectOf(exchange),
      ...dpop(exchange),
      ...clientAssertion(exchange),
      ...mac(exchange),
    ],
    source: value => {
      const name = made.get(value)
      return name === undefined ? undefined : { variable: name, encoded: false }
    },
    beginning: () => (used.size === 0 ? [] : proofFunctions(used)),
    secrets: () => [...needed],
  }
}
