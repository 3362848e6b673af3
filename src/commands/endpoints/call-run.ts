import { STATUS_CODES } from 'node:http'
import { originsOf } from '../../client/bound-credentials.js'
import { presenting } from '../../flows/steps/present-token.js'
import { resourceRefusal } from '../../flows/steps/resource-step.js'
import { UsageError } from '../../protocol/errors.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { type HttpRequest, header, headerValues } from '../../protocol/http/message.js'
import { challengeFor, parseChallenges } from '../../protocol/oauth/bearer.js'
import { foreign } from '../../protocol/safe-output/safe.js'
import { defined } from '../../protocol/values.js'
import { programVersion } from '../../protocol/version.js'
import type { EndpointClient } from '../../session/client/endpoint-client.js'
import { clientNetwork } from '../../session/client/setup.js'
import { checkOptions, readInput } from '../../session/options/flow.js'
import { writeExact, writeText } from '../../session/output/writer.js'
import { withNamedServer } from '../../session/targets/named-server.js'
import {
  type LastingToken,
  lastingToken,
  type TokenOptions,
  type TokenWorld,
} from '../../session/tokens/lasting-token.js'
import { signsFor } from '../../show/render/text/signs.js'
import { codeAtTerminal } from '../flow/flow-text.js'
import { witnessAtTerminal } from '../learn/witness.js'
import { narrate, printJson } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { type ApiOptions, apiAddress, apiRequest, checkStdin, redirected } from './api-request.js'
import { atServer } from './endpoint-run.js'

/** Flags of `call`. */
interface CallFlags extends TokenOptions, ApiOptions {
  readonly include?: true
  readonly location?: true
}

/** Largest body of an answer, in bytes. */
const LARGEST = 256 * 1024 * 1024

/** Most redirects that are followed. */
const MOST_REDIRECTS = 10

/** The options of the token: `--resource` is a parameter of both requests (RFC 8707 §2). */
function tokenOptions(flags: CallFlags): CallFlags {
  const { resource, param = [], grant } = flags
  if (resource === undefined) return flags
  const token = `token:resource=${resource}`
  const isAlone = grant !== undefined && grant !== 'code'
  return { ...flags, param: [...param, ...(isAlone ? [token] : [`resource=${resource}`, token])] }
}

const FROM: Readonly<Record<LastingToken['from'], string>> = {
  kept: 'Uses the kept token',
  refreshed: 'Refreshed the token',
  new: 'Got a token',
}

function narrateToken({ token, from }: LastingToken, embedded: boolean): void {
  const { grant, clientId, user, expiresAt, id } = token
  const whose = user === '' ? '' : ` for ${user}`
  const until =
    expiresAt === undefined ? '' : `, good until ${new Date(expiresAt).toISOString().replace(/\.\d+/, '')}`
  const kept = embedded ? '; it ends with this lab' : ` (oauth-lab token show ${id})`
  narrate(
    foreign(
      `${FROM[from]} of ${clientId}${whose}, by flow ${grant}${until}${kept}`,
      signsFor({ ascii: false }),
    ),
  )
}

/** Explains an answer that is no success, on stderr. */
function explain({ exchange }: Answer): void {
  const { response, request } = exchange
  if (response === undefined || response.status < 400) return
  const signs = signsFor({ ascii: false })
  const refusal = resourceRefusal(exchange, response.status)
  const schemes = parseChallenges(headerValues(response, 'www-authenticate'))
  const wantsDpop = challengeFor('DPoP', schemes) !== undefined && header(request, 'dpop') === undefined
  const metadata = challengeFor('Bearer', schemes)?.parameters.resource_metadata
  // An API may have errors of its own, which its body explains.
  const isOwn = refusal.code === 'invalid_response'
  const reason = STATUS_CODES[response.status]
  const what = isOwn
    ? `the API answered ${response.status}${reason === undefined ? '' : ` (${reason})`}`
    : `the API answered ${response.status}: ${refusal.code}: ${refusal.description}`
  const hints = [
    ...(isOwn ? [] : [`Rule:  ${refusal.rule}`]),
    ...(refusal.hints ?? []),
    ...(wantsDpop ? ['The API wants proofs of possession:  --dpop'] : []),
    ...(metadata === undefined ? [] : [`The API describes itself at  ${metadata}`]),
  ]
  const lines = [`oauth-lab: ${what}`, ...hints.map(hint => `  ${hint}`)]
  narrate(lines.map(line => foreign(line, signs)).join('\n'))
}

/** The last answer of a request. */
interface Asked extends Answer {
  /** True for a redirect that was to be followed, and could not be. */
  readonly isStuck: boolean
}

/** Sends the request with the token, through its redirects within the origin. */
async function ask(
  client: EndpointClient,
  { held }: LastingToken,
  first: HttpRequest,
  flags: CallFlags,
  globals: Globals,
): Promise<Asked> {
  const { target, checked, signal } = client
  const { now, caPem, reach } = target
  const requestOn = target.lab?.embedded?.requestOn
  const token = { what: 'the access token', value: held.accessToken, origins: originsOf([first.url]) }
  const credentials = [...(reach?.credentials ?? []), token]
  const wires = {
    timeoutMs: globals.timeoutMs,
    now,
    caPem,
    requestOn,
    ...reach,
    credentials,
    maxBody: LARGEST,
  }
  const transport = clientNetwork(wires, checked.certificate)
  const send = presenting(held, target)(transport.send)
  try {
    let request = first
    for (let redirects = 0; ; redirects++) {
      let body: Uint8Array = new Uint8Array()
      const exchange = await send(request, { signal, received: wire => (body = wire) })
      const way = exchange.response && redirected(request, exchange.response)
      if (way === undefined) return { exchange, body, isStuck: false }
      const why =
        'problem' in way
          ? way.problem
          : !flags.location
            ? '-L follows it within the same origin'
            : redirects === MOST_REDIRECTS
              ? `${MOST_REDIRECTS} were followed already`
              : undefined
      if (why !== undefined || 'problem' in way) {
        narrate(
          `The redirect (${exchange.response?.status}) is not followed: ${foreign(why ?? '', signsFor({ ascii: false }))}`,
        )
        return { exchange, body, isStuck: flags.location === true }
      }
      request = way.next
    }
  } finally {
    transport.close()
  }
}

/**
 * True for an answer that says that the token is no longer good (RFC 6750 §3.1). Many APIs answer 401 without an error, or
 * without a challenge.
 */
function refusesToken({ exchange: { response } }: Answer): boolean {
  if (response?.status !== 401) return false
  const challenges = parseChallenges(headerValues(response, 'www-authenticate'))
  const errors = challenges.flatMap(({ parameters: { error } }) => error ?? [])
  return errors.length === 0 || errors.includes('invalid_token')
}

function checkFlags(flags: CallFlags, address: string): void {
  checkOptions(flags)
  const other = flags.clientSecretStdin
    ? '--client-secret-stdin'
    : flags.passwordStdin
      ? '--password-stdin'
      : undefined
  checkStdin(flags.data, other)
  if (!address.startsWith('/')) apiAddress(address)
  if (flags.grant === 'client-credentials' && flags.user !== undefined) {
    throw new UsageError('--grant client-credentials has no user: the client asks in its own name', [
      'Leave --user out',
    ])
  }
}

/** The base of a path: the resource server of the lab, or the one that the lab file names for a server. @throws UsageError */
function baseOf({ target, checked }: EndpointClient, named: string | undefined): string {
  const { resource, mtls } = target.lab?.urls ?? {}
  // A token that is bound to a certificate is good only where the server asks for one.
  const own = checked.certificate === undefined ? resource : (mtls ?? resource)
  const base = own ?? (named === undefined ? undefined : new URL(named).origin)
  if (base !== undefined) return base
  throw new UsageError('a path alone needs the resource server of a lab, which is not here', [
    'Name the whole address:  oauth-lab call https://api.example/records',
  ])
}

/**
 * `oauth-lab call`: a request to an API, with a token that is got, kept and renewed as it has to be.
 * @returns the exit code: refused for a status from 400 on
 */
export async function call(address: string, flags: CallFlags, globals: Globals): Promise<number> {
  checkFlags(flags, address)
  // The fields of the person are for the API, and not for the authorization server.
  const { header: _, resource, ...typed } = flags
  const named: CallFlags = await withNamedServer(typed, { ...globals, narrate })
  const browser = flags.browser || !flags.open
  const { resource: api, ...rest } = named
  const options = tokenOptions({ ...rest, browser, ...(resource !== undefined && { resource }) })
  const input = await readInput(defined({ ...options, resource: undefined }))
  const agent = `oauth-lab/${programVersion()}`
  const isPath = address.startsWith('/')
  // Wrong options are an error before anything is sent.
  const url = isPath ? apiAddress(address, 'https://localhost') : apiAddress(address)
  const made = await apiRequest(url, flags, agent)
  return atServer(
    options,
    globals,
    async client => {
      const request = {
        ...made,
        url: isPath ? apiAddress(address, baseOf(client, api)) : made.url,
      }
      const world: TokenWorld = {
        home: globals.home,
        say: narrate,
        ask: codeAtTerminal(client.signal),
        patience: globals.patience,
        witness: witnessAtTerminal(),
        input,
      }
      const embedded = client.target.lab?.embedded !== undefined
      let token = await lastingToken(client, options, world)
      narrateToken(token, embedded)
      let answer = await ask(client, token, request, flags, globals)
      if (token.from === 'kept' && refusesToken(answer)) {
        token = await lastingToken(client, options, world, token.token)
        narrate('The API no longer takes the kept token.')
        narrateToken(token, embedded)
        answer = await ask(client, token, request, flags, globals)
      }
      await printAnswer(answer, flags.include === true, globals)
      explain(answer)
      const isRefused = answer.isStuck || (answer.exchange.response?.status ?? 0) >= 400
      return isRefused ? EXIT.refused : EXIT.done
    },
    options.grant === undefined || options.grant === 'code',
  )
}

/** An answer of an API, with its body as it came. */
interface Answer {
  readonly exchange: Exchange
  readonly body: Uint8Array
}

/** The text of a body; undefined where it is no UTF-8. */
function textOf(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    return undefined
  }
}

/** Prints a body for a person at a terminal: text alone, because other bytes can be commands to the terminal. */
function show(body: Uint8Array, ascii: boolean): void {
  if (body.length === 0) return
  const text = textOf(body)
  if (text === undefined || text.includes('\0')) {
    narrate(`The body of ${body.length.toLocaleString('en-US')} bytes is no text. To keep it:  … > FILE`)
    return
  }
  const lines = text.replaceAll('\r\n', '\n').replaceAll('\t', '    ')
  writeText(lines.endsWith('\n') ? lines : `${lines}\n`, 'stdout', ascii)
}

function headOf({ exchange: { response } }: Answer): string {
  const { status, headers } = response ?? { status: 0, headers: [] }
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** Prints an answer: byte by byte into a pipe or a file, and made safe on a terminal. */
export async function printAnswer(
  answer: Answer,
  include: boolean,
  { json, ascii }: Pick<Globals, 'json' | 'ascii'>,
): Promise<void> {
  const { exchange, body } = answer
  const { request, response, ms } = exchange
  if (json) {
    const { status, headers } = response ?? { status: 0, headers: [] }
    const text = textOf(body)
    const members =
      text === undefined ? { body_base64: Buffer.from(body).toString('base64') } : { body: text }
    printJson({ method: request.method, url: request.url, status, headers, ...members, ms })
    return
  }
  const head = include ? headOf(answer) : ''
  if (process.stdout.isTTY) {
    writeText(head.replaceAll('\r\n', '\n'), 'stdout', ascii)
    return show(body, ascii)
  }
  await writeExact(Buffer.concat([Buffer.from(head, 'latin1'), body]))
}
