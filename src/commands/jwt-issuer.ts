import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { discover } from '../client/discovery.js'
import { createTransport } from '../client/transport.js'
import { UsageError } from '../errors.js'
import { readKeys } from '../flows/verify-tokens.js'
import { readRecords } from '../lab/running.js'
import { OAuthError } from '../oauth/oauth-error.js'
import type { Globals } from './globals.js'
import { readInputFile } from './input-file.js'
import type { FoundKeys } from './jwt-keys.js'

/** What to trust beside the well-known roots: `--cacert`, and the CA of the lab at that address or of the state folder. */
async function trustedPem({ cacert, home }: Globals, issuer: string): Promise<string | undefined> {
  const pems: string[] = []
  if (cacert !== undefined) {
    const pem = await readInputFile('the CA file', cacert)
    if (!pem.includes('-----BEGIN CERTIFICATE-----')) {
      throw new UsageError(`the CA file ${cacert} holds no PEM certificate`)
    }
    pems.push(pem)
  }
  const running = (await readRecords(home)).find(({ urls }) => urls.authorization === issuer)
  const labCa = await readFile(running?.ca ?? join(home, 'ca.pem'), 'utf8').catch(() => undefined)
  if (labCa !== undefined) pems.push(labCa)
  return pems.length === 0 ? undefined : pems.join('\n')
}

/**
 * The published keys of an issuer, found by its discovery document.
 * @throws UsageError, OAuthError, TransportError, TimeoutError
 */
export async function fetchIssuerKeys(issuer: string, globals: Globals): Promise<FoundKeys> {
  if (!/^https?:\/\//i.test(issuer) || !URL.canParse(issuer)) {
    throw new UsageError(`--issuer ${JSON.stringify(issuer)} is not the address of an issuer`, [
      'It looks like https://localhost:8443',
    ])
  }
  const caPem = await trustedPem(globals, issuer)
  const { timeoutMs } = globals
  const transport = createTransport({ timeoutMs, ...(caPem !== undefined && { caPem }) })
  try {
    const metadata = await discover(issuer, transport.send)
    const url = metadata.jwks_uri
    const exchange =
      url === undefined
        ? undefined
        : await transport.send({
            method: 'GET',
            url,
            headers: [['accept', 'application/json']],
            body: new Uint8Array(),
          })
    const jwks = readKeys(exchange)
    if (jwks === undefined) {
      throw new OAuthError('invalid_metadata', {
        description: `${issuer} publishes no keys`,
        rule: 'OpenID Connect Discovery §3',
      })
    }
    return { keys: { kind: 'jwks', jwks }, issuer: metadata.issuer }
  } finally {
    await transport.close()
  }
}
