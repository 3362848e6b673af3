import type { Certificates } from '../../lab/certificates/certificates.js'
import { isLocal } from '../../lab/lab-file/names.js'
import { openMounts } from '../../lab/listening/mounts.js'
import { UsageError } from '../../protocol/errors.js'
import type { EventBus } from '../../protocol/events.js'
import { publishedJson } from '../../protocol/http/message.js'
import { createRouter } from '../../protocol/http/site.js'
import { clientDocument } from '../../protocol/oauth/client-metadata.js'
import { redirectUriProblem } from '../../protocol/oauth/redirect-uri.js'
import { shellWord } from '../../protocol/safe-output/shell.js'
import { defined, isJsonObject } from '../../protocol/values.js'
import {
  clientUrlProblem,
  judgeDocument,
} from '../../servers/authorization-server/client-documents/document-rules.js'
import { readInputFile } from '../../session/input/input.js'
import { printUntilEnd } from '../output/event-output.js'
import type { DocumentReady } from '../output/json-lines.js'
import { narrate, printJson } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'

interface DocumentServerOptions {
  /** The state folder, for certificates. */
  readonly home: string
  /** Absent: this machine only. */
  readonly host?: string | undefined
  /** 0 picks a free one. */
  readonly port: number
  readonly path: string
  /** Returns the document for its address. */
  readonly document: (url: string) => object
}

interface RunningDocumentServer {
  readonly url: string
  readonly certificates: Certificates
  readonly events: EventBus
  /** Finishes the requests in flight, 5 s at most. */
  stop(): Promise<void>
}

/** Serves a document with a certificate of the lab. @throws UsageError, or TransportError for a busy port */
async function startDocumentServer(options: DocumentServerOptions): Promise<RunningDocumentServer> {
  const { home, host, port, path, document } = options
  const mounts = await openMounts(defined({ home, command: 'client-document', host }))
  const site = (baseUrl: string) => {
    const route = { path, methods: { GET: publishedJson(document(baseUrl + path)) } }
    return { name: 'document', handle: createRouter([route]) }
  }
  try {
    const { baseUrl } = await mounts.mount({ port, portOption: '--port', bodyLimit: 0, site })
    const { certificates, events, stop } = mounts
    return { url: baseUrl + path, certificates, events, stop }
  } catch (error) {
    await mounts.stop()
    throw error
  }
}

type Keys = { readonly keys: readonly Record<string, unknown>[] }

/** @throws UsageError for a file that is no JWK and no JWK Set */
async function readKeys(file: string): Promise<Keys> {
  const refuse = (why: string) =>
    new UsageError(`--jwks ${file}: ${why}`, [
      'It looks like:  {"keys":[{"kty":"EC","crv":"P-256","x":"…","y":"…"}]}',
    ])
  let value: unknown
  try {
    value = JSON.parse(await readInputFile('the keys', file))
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw refuse('it is no JSON')
  }
  const keys: unknown =
    isJsonObject(value) && 'kty' in value ? [value] : isJsonObject(value) ? value.keys : undefined
  if (!Array.isArray(keys) || keys.length === 0 || !keys.every(isJsonObject))
    throw refuse('it is no JWK and no JWK Set')
  return { keys }
}

/** @throws UsageError for an address that a client cannot have */
function checkRedirectUris(uris: readonly string[]): void {
  for (const uri of uris) {
    const wrong = redirectUriProblem(uri)
    if (wrong === undefined) continue
    throw new UsageError(
      `--redirect-uri ${JSON.stringify(uri)} is refused: ${wrong.problem} (${wrong.rule})`,
      ['Such as:  --redirect-uri http://127.0.0.1:3000/callback'],
    )
  }
}

/** Returns the document for its address. @throws UsageError for a document that servers refuse */
function checkedDocument(
  clientId: string,
  { name, redirectUri }: ClientDocumentFlags,
  jwks: Keys | undefined,
) {
  const wrong = clientUrlProblem(clientId)
  if (wrong !== undefined) {
    throw new UsageError(
      `the client_id ${JSON.stringify(clientId)} is refused: ${wrong.problem} (${wrong.rule})`,
      ['Such as:  --client-id https://app.example/client.json'],
    )
  }
  const document = clientDocument({ clientId, name, redirectUris: redirectUri, jwks })
  const judged = judgeDocument(clientId, { body: JSON.stringify(document) })
  if ('problem' in judged)
    throw new UsageError(`servers refuse this document: ${judged.problem} (${judged.rule})`)
  return document
}

/** @throws UsageError for a path that no address can have */
function checkPath(path: string): void {
  if (
    path.startsWith('/') &&
    !path.includes('?') &&
    clientUrlProblem(`https://localhost${path}`) === undefined
  )
    return
  throw new UsageError(`--path ${JSON.stringify(path)} is no path of a document`, [
    'Such as:  --path /client.json',
  ])
}

async function serveDocument(
  flags: ClientDocumentFlags,
  jwks: Keys | undefined,
  globals: Globals,
): Promise<number> {
  const { host, port, path, clientId } = flags
  if (clientId !== undefined) {
    throw new UsageError(
      '--client-id is for a document that is published elsewhere; --serve names its own address',
      ['Leave out one of them'],
    )
  }
  checkPath(path)
  const server = await startDocumentServer({
    home: globals.home,
    host,
    port,
    path,
    document: url => checkedDocument(url, flags, jwks),
  })
  if (!isLocal(host)) {
    narrate(`warning: with --host ${host} everyone who reaches this machine can read the document`)
  }
  const { url, certificates, events } = server
  const ca = certificates.caFile
  const ready: DocumentReady = { type: 'client_document.ready', pid: process.pid, ca, client_id: url }
  const greeting = [
    `client_id  ${url}`,
    `CA file    ${ca}`,
    '',
    'To paste into another terminal:',
    `  curl --cacert ${shellWord(ca)} ${shellWord(url)}`,
    '',
    'Ctrl-C stops it.',
  ]
  const exitCode = await printUntilEnd({ ready, greeting, events }, globals)
  await server.stop()
  return exitCode
}

/** Prints the document of a client, or serves it until a signal comes. @throws UsageError, TransportError */
export async function runClientDocument(flags: ClientDocumentFlags, globals: Globals): Promise<number> {
  checkRedirectUris(flags.redirectUri)
  const jwks = flags.jwks === undefined ? undefined : await readKeys(flags.jwks)
  if (flags.serve) return serveDocument(flags, jwks, globals)
  checkPath(flags.path)
  const { clientId = `https://localhost:${flags.port}${flags.path}` } = flags
  const document = checkedDocument(clientId, flags, jwks)
  if (globals.json) printJson(document)
  else printJson(document, 2)
  narrate(`Publish it at ${clientId}, as application/json, without a redirect.`)
  return EXIT.done
}

/** Flags of `client-document`. */
interface ClientDocumentFlags {
  readonly redirectUri: readonly string[]
  readonly name: string
  readonly clientId?: string
  readonly jwks?: string
  readonly serve?: true
  readonly port: number
  readonly path: string
  readonly host?: string
}
