import { createTransport } from '../../../client/transport.js'
import { startLab } from '../../../lab/lab.js'
import { type LabConfig, loadLabConfig } from '../../../lab/lab-file/config.js'
import type { ClientEntry } from '../../../lab/schema/lab-file-schema.js'
import { memoryState } from '../../../lab/state/memory-state.js'
import { toClient } from '../../../servers/authorization-server/client-rules/defaults.js'
import { movableClock } from '../../../session/targets/lab.js'
import { trusting } from '../../engine/learner-env.js'
import { type ClientProcess, startClient } from '../../probe/client-process.js'
import { createLiar, type Liar } from './liar.js'
import { createVisitor, type Places, type Visitor } from './visitor.js'

/** Milliseconds. Go builds its own library first. */
const START = 120_000

/** The client under test, and another client whose tokens are not for it. */
const ID = 'notes'
const SECRET = 'notes-secret-0123456789abcdef0123456789'
const OTHER = 'other-application'

const USER = { username: 'alice', password: 'wonderland' } as const

export interface Program {
  readonly command: readonly string[]
  readonly folder: string
}

export class ClientFailure extends Error {}

/** A client under test at a lab of its own. */
export interface ClientLab {
  readonly liar: Liar
  readonly secret: string
  readonly places: Places
  visitor(): Visitor
  /** Sets the clock of the servers forward, in seconds. */
  wait(seconds: number): void
  /** The ID token of a login at another client. */
  foreignIdToken(nonce: string): Promise<string>
  lastLine(): string
  stop(): Promise<void>
}

async function config(): Promise<LabConfig> {
  const loaded = await loadLabConfig(null)
  const entry: Omit<ClientEntry, 'client_id'> = {
    client_secret: SECRET,
    application_type: 'native',
    consent: 'granted',
    redirect_uris: ['http://127.0.0.1/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    require_pkce: false,
    code_challenge_methods: ['S256', 'plain'],
  }
  const clients = [ID, OTHER].map(id => toClient({ ...entry, client_id: id, client_name: id }))
  return { ...loaded, weak: [], stage: 'published-keys', clients: [...loaded.clients, ...clients] }
}

/** Starts a program at its own lab, and waits until it listens. @throws ClientFailure */
export async function openClientLab({ command, folder }: Program, signal: AbortSignal): Promise<ClientLab> {
  const home = memoryState()
  const clock = movableClock()
  const liar = createLiar()
  const { now } = clock
  const ports = { authorization: 0, resource: 0 }
  const lab = await startLab({ config: await config(), home, now, ports, around: liar.layer })
  const transport = createTransport({ caPem: lab.caPem, now, env: {} })
  const { authorization: issuer, resource = '' } = lab.urls
  const { caFile } = lab
  const env = {
    ...process.env,
    ISSUER: issuer,
    RESOURCE: resource,
    CLIENT_ID: ID,
    CLIENT_SECRET: SECRET,
    PORT: '0',
    ...trusting(caFile),
  }
  let program: ClientProcess | undefined
  const stop = async () => {
    await program?.stop()
    transport.close()
    await lab.stop()
    home.remove()
  }
  try {
    program = startClient(command, { env, cwd: folder })
    signal.addEventListener('abort', () => void program?.stop(), { once: true })
    const client = await program.printed(/http:\/\/127\.0\.0\.1:\d+(?=\s)/, START)
    signal.throwIfAborted()
    if (client === undefined) {
      const said = program.lastLine()
      throw new ClientFailure(
        `Your client printed no address at which it listens. It wrote: ${said.slice(0, 200) || 'nothing'}`,
      )
    }
    const { lastLine } = program
    const places = { send: transport.send, client, issuer, user: USER }
    return {
      liar,
      secret: SECRET,
      places,
      visitor: () => createVisitor(places),
      wait: seconds => clock.advance(seconds * 1000),
      async foreignIdToken(nonce) {
        const redirect = 'http://127.0.0.1/callback'
        const request = new URL(`${issuer}/authorization`)
        request.search = new URLSearchParams({
          response_type: 'code',
          client_id: OTHER,
          redirect_uri: redirect,
          scope: 'openid',
          nonce,
        }).toString()
        const answer = await createVisitor(places).logIn(request)
        const basic = Buffer.from(`${OTHER}:${SECRET}`).toString('base64')
        const fields = { grant_type: 'authorization_code', redirect_uri: redirect }
        const { response } = await transport.send({
          method: 'POST',
          url: `${issuer}/token`,
          headers: [
            ['authorization', `Basic ${basic}`],
            ['content-type', 'application/x-www-form-urlencoded'],
          ],
          body: Buffer.from(
            new URLSearchParams({ ...fields, code: answer?.searchParams.get('code') ?? '' }).toString(),
          ),
        })
        return String((JSON.parse(response?.body ?? '{}') as { id_token?: string }).id_token)
      },
      lastLine,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
