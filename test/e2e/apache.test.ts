import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask } from '../support/https.js'
import { type Running, run, start, temporaryFolder, until } from '../support/program.js'
import { describeWith, findProgram } from '../support/requires.js'
import { type Serving, serve } from '../support/serve.js'

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

const modules = '/usr/lib/apache2/modules'
const openidc = join(modules, 'mod_auth_openidc.so')
const needed = ['apache2', ...(existsSync(openidc) ? [] : ['mod_auth_openidc'])]
// Read from a Basic header as it stands, and as a form writes it, this is not the same.
const secret = 'apache secret+with%2Bmarks'

/** Apache with one page, which only people known to the lab may see. It uses the lab's certificate, for localhost. */
function configuration(folder: string, port: number, issuer: string): string {
  const names = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'headers', 'socache_shmcb', 'ssl']
  return [
    ...names.map(name => `LoadModule ${name}_module ${modules}/mod_${name}.so`),
    `LoadModule auth_openidc_module ${openidc}`,
    ...(process.getuid?.() === 0 ? ['User www-data', 'Group www-data'] : []),
    `Listen 127.0.0.1:${port} https`,
    `ServerName localhost:${port}`,
    `PidFile ${folder}/pid`,
    `DefaultRuntimeDir ${folder}`,
    `Mutex file:${folder}`,
    `ErrorLog ${folder}/error.log`,
    `DocumentRoot ${folder}/pages`,
    'SSLEngine on',
    `SSLCertificateFile ${folder}/server.pem`,
    `OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration`,
    'OIDCClientID apache',
    `OIDCClientSecret "${secret}"`,
    `OIDCRedirectURI https://localhost:${port}/back`,
    'OIDCCryptoPassphrase a-passphrase-of-the-tests',
    'OIDCScope "openid profile email"',
    'OIDCPKCEMethod S256',
    'OIDCSessionType client-cookie',
    'OIDCSSLValidateServer On',
    `OIDCCABundlePath ${folder}/ca.pem`,
    '<Location />',
    '  AuthType openid-connect',
    '  Require valid-user',
    '  Header set X-User "%{OIDC_CLAIM_sub}e, %{OIDC_CLAIM_name}e, %{OIDC_CLAIM_email}e"',
    '</Location>',
    '',
  ].join('\n')
}

describeWith(needed, 'Apache with mod_auth_openidc', () => {
  const folder = temporaryFolder()
  let lab: Serving
  let apache: Running
  let page: string

  beforeAll(async () => {
    const port = await freePort()
    page = `https://localhost:${port}/page`
    const labFile = join(folder.path, 'lab.json')
    const client = {
      client_id: 'apache',
      client_secret: secret,
      redirect_uris: [`https://localhost:${port}/back`],
    }
    writeFileSync(labFile, JSON.stringify({ clients: [client] }))
    lab = await serve(['--config', labFile])
    // Its workers are another user, and libcurl in them reads these files.
    chmodSync(folder.path, 0o755)
    mkdirSync(join(folder.path, 'pages'))
    writeFileSync(join(folder.path, 'pages/page'), 'hello\n')
    copyFileSync(lab.ready.ca, join(folder.path, 'ca.pem'))
    copyFileSync(join(lab.env.OAUTH_LAB_HOME ?? '', 'leaf.pem'), join(folder.path, 'server.pem'))
    const file = join(folder.path, 'apache.conf')
    writeFileSync(file, configuration(folder.path, port, lab.ready.urls.authorization))
    const program = findProgram('apache2') ?? ''
    apache = start(program, ['-DFOREGROUND', '-d', folder.path, '-f', file], { env: lab.env, limit: 120_000 })
    const ca = readFileSync(lab.ready.ca, 'utf8')
    const log = () => `${apache.stderr()}${readFileSync(join(folder.path, 'error.log'), 'utf8')}`
    await until(() => ask(page, { ca }).catch(() => undefined), log)
  })
  afterAll(async () => {
    apache?.child.kill('SIGTERM')
    await apache?.ended
    await lab?.remove()
    folder.remove()
  })

  it('lets alice in by the code flow with PKCE, and refuses a forged answer', async () => {
    const file = join(import.meta.dirname, 'clients/mod-auth-openidc.js')
    const { code, stdout, stderr } = await run(process.execPath, [file, page], {
      env: { ...lab.env, NODE_EXTRA_CA_CERTS: lab.ready.ca },
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({
      ...{ asked: 'code', pkce: 'S256', home: true, status: 200 },
      user: 'alice, Alice Liddell, alice@example.com',
      forged: [400, null],
    })
  })
})
