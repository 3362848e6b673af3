import { createTransport } from '../../client/transport.js'
import { namedFailures } from '../../flows/advice/named-failures.js'
import {
  metadataIn,
  type RegistrationAnswer,
  readDeletion,
  readRegistration,
} from '../../flows/answers/registration-answer.js'
import { tokenPlace } from '../../flows/metadata/endpoint.js'
import { UsageError } from '../../protocol/errors.js'
import type { Send } from '../../protocol/http/exchange.js'
import { bytes, type HttpRequest } from '../../protocol/http/message.js'
import { makeSafe } from '../../protocol/safe-output/safe.js'
import { shellWord } from '../../protocol/safe-output/shell.js'
import { defined, isJsonObject, type JsonObject } from '../../protocol/values.js'
import type { EndpointOptions } from '../../session/client/endpoint-client.js'
import { readFileOrStdin, readInputFile } from '../../session/input/input.js'
import {
  checkedNetwork,
  type NetworkOptions,
  networkSettings,
  warnInsecure,
} from '../../session/options/network.js'
import { trustedPem } from '../../session/targets/target.js'
import {
  forgetRegistration,
  type KeptRegistration,
  keepRegistration,
  keptRegistration,
} from '../../session/tokens/registrations.js'
import { signsFor } from '../../show/render/text/signs.js'
import { narrate, print, printJson } from '../output/output.js'
import { EXIT, untilSignal } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { atServer, memberLines, noteEmbedded, withRefusals } from './endpoint-run.js'

/** The metadata that options name. */
interface MetadataFlags {
  readonly redirectUri?: readonly string[]
  readonly name?: string
}

/** Flags of `register`. */
export interface RegisterFlags extends Omit<EndpointOptions, 'redirectUri'>, MetadataFlags {
  readonly initialTokenFile?: string
}

/** Flags of `register read|update|delete`. */
export interface ManageFlags extends MetadataFlags, NetworkOptions {
  readonly issuer?: string
}

async function metadataOf(
  file: string | undefined,
  { redirectUri, name }: MetadataFlags,
): Promise<JsonObject> {
  const named = defined({ redirect_uris: redirectUri, client_name: name })
  if (file === undefined) return named
  let value: unknown
  try {
    if (/^https?:\/\//.test(file))
      throw new UsageError(`${file} is an address, and no file with metadata`, [
        'Name the server:  --issuer URL',
      ])
    value = JSON.parse(await readFileOrStdin('the metadata of the client', file))
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${file === '-' ? 'stdin' : file} holds no JSON`, [
      'It looks like {"redirect_uris":["https://app.example/cb"]}',
    ])
  }
  if (isJsonObject(value)) return { ...value, ...named }
  throw new UsageError('the metadata of a client are a JSON object (RFC 7591 §3.1)')
}

function jsonRequest(method: string, url: string, token: string | undefined, body?: JsonObject): HttpRequest {
  return {
    method,
    url,
    headers: [
      ['accept', 'application/json'],
      ...(body === undefined ? [] : [['content-type', 'application/json'] as const]),
      ...(token === undefined ? [] : [['authorization', `Bearer ${token}`] as const]),
    ],
    body: body === undefined ? new Uint8Array() : bytes(JSON.stringify(body)),
  }
}

async function initialToken(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  const token = (await readInputFile('the initial access token', file)).trim()
  if (/^[A-Za-z0-9\-._~+/]+=*$/.test(token)) return token
  throw new UsageError(`--initial-token-file ${file} holds no token (RFC 6750 §2.1)`)
}

/** The members to show: the registration access token is in its file alone, and a secret is masked where people read. */
function shownMembers({ members }: RegistrationAnswer, { json, showSecrets }: Globals): JsonObject {
  const { registration_access_token: _token, ...rest } = members
  const { client_secret: secret, ...open } = rest
  return secret === undefined || json || showSecrets ? rest : { ...open, client_secret: '•••••••••' }
}

function show(title: string, answer: RegistrationAnswer, file: string | undefined, globals: Globals): void {
  const { checks } = answer
  const members = shownMembers(answer, globals)
  if (globals.json) {
    printJson(defined({ client: members, checks, file }))
    return
  }
  print(
    `${signsFor(globals).done} ${title}  ${makeSafe(answer.clientId)}`,
    '',
    ...memberLines('Client', { members, checks }, globals, Date.now(), false),
  )
}

/** Keeps what an answer changed. Returns the path of the file; undefined where there is nothing to manage. */
async function kept(
  { clientId, members, management }: RegistrationAnswer,
  issuer: string,
  home: string,
  before?: KeptRegistration,
): Promise<string | undefined> {
  if (management === undefined) return undefined
  const { client_secret: secret } = members
  const clientSecret = typeof secret === 'string' ? secret : before?.clientSecret
  return keepRegistration(home, defined({ issuer, clientId, clientSecret, ...management }))
}

/** `oauth-lab register`: registers a client at a server. */
export async function register(
  file: string | undefined,
  flags: RegisterFlags,
  globals: Globals,
): Promise<number> {
  const metadata = await metadataOf(file, flags)
  if (Object.keys(metadata).length === 0) {
    throw new UsageError('nothing is known of the client to register', [
      'Name its address:  oauth-lab register --redirect-uri https://app.example/cb',
      'Or its metadata as JSON:  oauth-lab register client.json',
    ])
  }
  const token = await initialToken(flags.initialTokenFile)
  const { redirectUri: _, ...options } = flags
  // Nobody authenticates: the client is not there yet.
  return atServer({ ...options, nobody: true }, globals, async client => {
    const { server, network, signal, target } = client
    const url = tokenPlace(server.metadata, 'registration_endpoint')
    const exchange = await network(jsonRequest('POST', url, token, metadata), { signal })
    const answer = readRegistration(exchange, metadata, { expected: 201 })
    const issuer = server.metadata.issuer ?? target.address
    const place = target.lab?.embedded ? undefined : await kept(answer, issuer, globals.home)
    show('registered', answer, place, globals)
    if (place !== undefined) {
      narrate(`The secret and the registration access token are in ${makeSafe(place)}, for you alone.`)
      const { clientId } = answer
      const named = `${clientId.startsWith('-') ? '-- ' : ''}${shellWord(clientId)}`
      narrate(`To manage the client:  oauth-lab register read ${named}   (update, delete)`)
    }
    noteEmbedded(client)
    return EXIT.done
  })
}

/** Sends requests of a registration that is kept. A refusal is a result, in JSON too. */
function manage(
  clientId: string,
  flags: ManageFlags,
  globals: Globals,
  work: (kept: KeptRegistration, send: Send, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  return untilSignal(signal =>
    withRefusals(globals, async () => {
      const network = checkedNetwork(flags)
      const found = await keptRegistration(globals.home, clientId, flags.issuer)
      const { origin: address } = new URL(found.url)
      warnInsecure(network, { address, secretOf: clientId }, { narrate })
      const caPem = await trustedPem(globals, address)
      const reach = networkSettings(network, [address])
      const transport = createTransport({ timeoutMs: globals.timeoutMs, caPem, ...reach })
      try {
        return await work(found, namedFailures(transport.send), signal)
      } finally {
        transport.close()
      }
    }),
  )
}

/** `oauth-lab register read`: the registration of a client as its server has it (RFC 7592 §2.1). */
export function readClient(clientId: string, flags: ManageFlags, globals: Globals): Promise<number> {
  return manage(clientId, flags, globals, async (found, send, signal) => {
    const exchange = await send(jsonRequest('GET', found.url, found.token), { signal })
    const answer = readRegistration(exchange, {}, { before: found, expected: 200 })
    show('registered', answer, await kept(answer, found.issuer, globals.home, found), globals)
    return EXIT.done
  })
}

/** `oauth-lab register update`: replaces the metadata of a client, or changes the ones that options name (RFC 7592 §2.2). */
export async function updateClient(
  clientId: string,
  file: string | undefined,
  flags: ManageFlags,
  globals: Globals,
): Promise<number> {
  const changes = await metadataOf(file, flags)
  if (Object.keys(changes).length === 0) {
    throw new UsageError('nothing is to change', [
      'Name it:  --redirect-uri, --name, or a file with all metadata',
    ])
  }
  return manage(clientId, flags, globals, async (found, send, signal) => {
    const { url, token, clientSecret } = found
    // An update replaces all metadata, so that single changes need the others.
    const current =
      file !== undefined
        ? {}
        : metadataIn(
            readRegistration(
              await send(jsonRequest('GET', url, token), { signal }),
              {},
              { before: found, expected: 200 },
            ).members,
          )
    const body = defined({
      client_secret: clientSecret,
      ...current,
      ...metadataIn(changes),
      client_id: clientId,
    })
    const exchange = await send(jsonRequest('PUT', url, token, body), { signal })
    const answer = readRegistration(exchange, changes, { before: found, expected: 200 })
    show('updated', answer, await kept(answer, found.issuer, globals.home, found), globals)
    return EXIT.done
  })
}

/** `oauth-lab register delete`: ends a client (RFC 7592 §2.3). */
export function deleteClient(clientId: string, flags: ManageFlags, globals: Globals): Promise<number> {
  return manage(clientId, flags, globals, async (found, send, signal) => {
    const checks = readDeletion(await send(jsonRequest('DELETE', found.url, found.token), { signal }))
    await forgetRegistration(globals.home, found)
    if (globals.json) printJson({ deleted: clientId, checks })
    else print(`${signsFor(globals).done} deleted  ${makeSafe(clientId)}`)
    return EXIT.done
  })
}
