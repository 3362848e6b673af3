import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type OtherIssuer, startIssuer } from '../../support/issuer.js'
import { cleanEnv, runProgram, temporaryFolder } from '../../support/program.js'
import { type Relay, startRelay } from './relay.js'

/** An authorization server of another project behind a relay, with a page that is registered as its client. */
export interface RecordedServer {
  /** The settings that page.js logs in with. */
  readonly login: Readonly<Record<string, unknown>>
  /** The element of its page for errors. */
  readonly shown: string
  readonly relay: Relay
  /** The file of the certificate authority that its address needs. */
  readonly ca: string
  stop(): Promise<void>
}

/** The certificates of a state folder of oauth-lab: its authority, and the file of a certificate for localhost with its key. */
interface Certificates {
  readonly ca: string
  readonly pem: string
  readonly env: Readonly<Record<string, string>>
}

/** Starts a server behind a relay. */
async function started(
  start: (relay: Relay, certificates: Certificates) => Promise<OtherIssuer>,
  login: (url: string) => RecordedServer['login'],
  shown: string,
): Promise<RecordedServer> {
  const home = temporaryFolder()
  const env = cleanEnv(home.path)
  const ca = (await runProgram(['ca', 'path'], { env })).stdout.trim()
  const certificates = { ca, pem: join(dirname(ca), 'leaf.pem'), env }
  const relay = await startRelay(certificates.pem)
  const server = await start(relay, certificates)
  return {
    login: { client: 'page', ...login(relay.url) },
    shown,
    relay,
    ca,
    async stop() {
      relay.close()
      await server.stop()
      home.remove()
    },
  }
}

/** oidc-provider, with discovery. */
export const oidcProvider = (): Promise<RecordedServer> =>
  started(
    async (relay, { env }) => {
      const server = await startIssuer('../explain/oidc-provider.js', [relay.url], env)
      relay.forwardTo(server.issuer)
      return server
    },
    issuer => ({ issuer, scope: 'openid profile' }),
    'pre',
  )

/** @node-oauth/oauth2-server, without discovery. */
export const oauth2Server = (): Promise<RecordedServer> =>
  started(
    async (relay, { env }) => {
      const server = await startIssuer('../explain/oauth2-server.js', [], env)
      relay.forwardTo(server.issuer)
      return server
    },
    url => ({
      scope: 'notes',
      endpoints: {
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        userinfo_endpoint: `${url}/me`,
      },
    }),
    'p',
  )

/** Keycloak, with discovery. */
export const keycloak = (): Promise<RecordedServer> =>
  started(
    async (relay, { env, pem, ca }) => {
      const server = await startIssuer('keycloak.js', [pem, relay.url], env)
      relay.forwardTo(server.issuer, readFileSync(ca, 'utf8'))
      return server
    },
    url => ({ issuer: `${url}/realms/lab`, scope: 'openid profile' }),
    '#kc-error-message',
  )
