import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ClientPair, makeClientPair } from '../../../src/lab/certificates/client-pair.js'
import type { ClientEntry } from '../../../src/lab/schema/lab-file-schema.js'
import { decodeJwt } from '../../../src/protocol/tokens/decode.js'
import type { Lab, SiteName } from '../../../src/session/api/lab.js'
import { startLab } from '../../../src/session/api/start-lab.js'
import { cleanEnv, run, temporaryFolder } from '../../support/program.js'
import { describeWith, findProgram, rigs } from '../../support/requires.js'
import { root } from '../../support/source-files.js'
import { fetchWith } from './certificate-fetch.js'

const folder = temporaryFolder()
const env = cleanEnv(folder.path)
let shop: ClientPair
let phone: ClientPair
let other: ClientPair
let lab: Lab<SiteName>

beforeAll(async () => {
  const home = join(folder.path, 'home')
  const pair = (name: string, more: { selfSigned?: true } = {}) =>
    makeClientPair(home, { name, folder: folder.path, options: { days: 10, ...more } })
  shop = await pair('shop')
  phone = await pair('phone', { selfSigned: true })
  other = await pair('other')
  const clients = [shop.client, phone.client] as unknown as ClientEntry[]
  lab = await startLab<SiteName>({ home, config: { clients }, sites: ['resource', 'mtls'] })
}, 60_000)
afterAll(async () => {
  await lab.stop()
  folder.remove()
})

const thumbprintIn = (token: unknown) => decodeJwt(String(token)).claims.cnf

describeWith(['curl'], 'curl with a client certificate', () => {
  async function curl(pair: ClientPair | undefined, ...args: string[]) {
    const certificate = pair ? ['--cert', pair.certificate, '--key', pair.key] : []
    const all = ['-sS', '--cacert', lab.ca.path, ...certificate, ...args]
    const { stdout, stderr, code } = await run(findProgram('curl')!, all, { env })
    expect([code, stderr]).toEqual([0, ''])
    return JSON.parse(stdout) as Record<string, unknown>
  }
  const token = (pair: ClientPair | undefined, id: string, base = lab.urls.mtls) =>
    curl(pair, '-d', 'grant_type=client_credentials', '-d', `client_id=${id}`, `${base}/token`)

  it('obtains a bound token, which another certificate does not open anything with', async () => {
    const { access_token: bound } = await token(shop, 'shop')
    expect(thumbprintIn(bound)).toEqual({ 'x5t#S256': shop.thumbprint })
    const ask = (pair: ClientPair | undefined, base = lab.urls.mtls) =>
      curl(pair, '-H', `Authorization: Bearer ${bound}`, `${base}/resource`)
    expect(await ask(shop)).toMatchObject({ sub: 'shop' })
    for (const each of [other, phone, undefined]) {
      expect(await ask(each)).toMatchObject({ error: 'invalid_token' })
    }
    expect(await ask(shop, lab.urls.resource)).toMatchObject({ error: 'invalid_token' })
  })

  it('is refused without the right certificate, with a reason', async () => {
    expect(await token(undefined, 'shop')).toMatchObject({ error: 'invalid_client' })
    expect(await token(other, 'shop')).toMatchObject({ error: 'invalid_client' })
    expect(await token(phone, 'shop')).toMatchObject({ error: 'invalid_client' })
    expect(await token(shop, 'shop', lab.issuer)).toMatchObject({
      error: 'invalid_client',
      error_description: expect.stringContaining(`${lab.urls.mtls}/token`),
    })
  })
})

describeWith(['go'], 'net/http of Go with a client certificate', () => {
  it('sends a certificate of the CA, and one that signs itself', { timeout: 180_000 }, async () => {
    const program = join(root, 'test/rigs/clients/mutual-tls.go')
    for (const pair of [shop, phone]) {
      const id = String(pair.client.client_id)
      const args = ['run', program, lab.ca.path, pair.certificate, pair.key, id, lab.urls.mtls]
      const { stdout, stderr } = await run(findProgram('go')!, args, { env, limit: 170_000 })
      expect(stderr).toBe('')
      const [issued, called] = stdout.trim().split('\n')
      expect(issued).toMatch(/^200 /)
      expect(called).toMatch(/^200 /)
      expect(called).toContain(pair.thumbprint)
    }
  })
})

describeWith([rigs], 'client libraries with a client certificate', () => {
  it('oauth4webapi finds the aliases, authenticates and calls a resource', async () => {
    const oauth = await import('oauth4webapi')
    const issuer = new URL(lab.issuer)
    const options = { [oauth.customFetch]: fetchWith(shop, lab.ca.pem) } as object
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: 'oidc', ...options }),
    )
    const client = { client_id: 'shop', use_mtls_endpoint_aliases: true }
    const answer = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      oauth.TlsClientAuth(),
      {},
      options,
    )
    expect(answer.status).toBe(200)
    const tokens = await oauth.processClientCredentialsResponse(server, client, answer)
    expect(thumbprintIn(tokens.access_token)).toEqual({ 'x5t#S256': shop.thumbprint })
    const url = new URL(`${lab.urls.mtls}/resource`)
    const resource = (pair: ClientPair) =>
      oauth.protectedResourceRequest(tokens.access_token, 'GET', url, undefined, undefined, {
        [oauth.customFetch]: fetchWith(pair, lab.ca.pem),
      } as object)
    expect((await resource(shop)).status).toBe(200)
    await expect(resource(other)).rejects.toMatchObject({
      name: 'WWWAuthenticateChallengeError',
      status: 401,
    })
  })

  it('openid-client authenticates at the aliases, introspects and revokes', async () => {
    const client = await import('openid-client')
    const metadata = { use_mtls_endpoint_aliases: true }
    const config = await client.discovery(new URL(lab.issuer), 'phone', metadata, client.TlsClientAuth(), {
      [client.customFetch]: fetchWith(phone, lab.ca.pem),
    } as object)
    config[client.customFetch] = fetchWith(phone, lab.ca.pem) as never
    const tokens = await client.clientCredentialsGrant(config)
    expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({
      active: true,
      cnf: { 'x5t#S256': phone.thumbprint },
    })
    await client.tokenRevocation(config, tokens.access_token)
    expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false })
  })
})
