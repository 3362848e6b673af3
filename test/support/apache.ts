import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ask } from './https.js'
import { type Running, start, until } from './program.js'
import { findProgram } from './requires.js'
import type { Serving } from './serve.js'

const modules = '/usr/lib/apache2/modules'
const openidc = join(modules, 'mod_auth_openidc.so')

/** The programs that Apache with mod_auth_openidc needs. */
export const apacheNames = ['apache2', ...(existsSync(openidc) ? [] : ['mod_auth_openidc'])]

/** Apache with mod_auth_openidc, a client of a lab. */
export interface ApacheOptions {
  readonly lab: Serving
  readonly port: number
  readonly clientId: string
  readonly secret: string
  /** A folder that is removed later. */
  readonly folder: string
  /** `client-cookie`: the browser keeps the session. `server-cache`: Apache keeps it, and can end it without the browser. */
  readonly session: 'client-cookie' | 'server-cache'
  /** Files of the server by name, with their content. They need no login below `open/`. */
  readonly pages: Readonly<Record<string, string>>
  /** More lines of the configuration. */
  readonly more?: readonly string[]
}

/** It uses the lab's certificate, for localhost. */
function configuration({ lab, port, clientId, secret, folder, session, more = [] }: ApacheOptions): string {
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
    // A browser may show a page again from its cache, without asking if the session still exists.
    'Header always set Cache-Control no-store',
    'SSLEngine on',
    `SSLCertificateFile ${folder}/server.pem`,
    `OIDCProviderMetadataURL ${lab.ready.urls.authorization}/.well-known/openid-configuration`,
    `OIDCClientID ${clientId}`,
    `OIDCClientSecret "${secret}"`,
    `OIDCRedirectURI https://localhost:${port}/back`,
    'OIDCCryptoPassphrase a-passphrase-of-the-tests',
    'OIDCScope "openid profile email"',
    'OIDCPKCEMethod S256',
    `OIDCSessionType ${session}`,
    'OIDCSSLValidateServer On',
    `OIDCCABundlePath ${folder}/ca.pem`,
    ...more,
    '<Location />',
    '  AuthType openid-connect',
    '  Require valid-user',
    '  ForceType text/html',
    '  Header set X-User "%{OIDC_CLAIM_sub}e, %{OIDC_CLAIM_name}e, %{OIDC_CLAIM_email}e"',
    '</Location>',
    '<Location /open>',
    '  AuthType None',
    '  Require all granted',
    '</Location>',
    '',
  ].join('\n')
}

/** Starts Apache, and waits until it answers. */
export async function startApache(options: ApacheOptions): Promise<Running> {
  const { lab, port, folder, pages } = options
  // Its workers are another user, and libcurl in them reads these files.
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, 'pages/open'), { recursive: true })
  for (const [name, content] of Object.entries(pages)) writeFileSync(join(folder, 'pages', name), content)
  copyFileSync(lab.ready.ca, join(folder, 'ca.pem'))
  copyFileSync(join(lab.env.OAUTH_LAB_HOME ?? '', 'leaf.pem'), join(folder, 'server.pem'))
  const file = join(folder, 'apache.conf')
  writeFileSync(file, configuration(options))
  const program = findProgram('apache2') ?? ''
  const apache = start(program, ['-DFOREGROUND', '-d', folder, '-f', file], { env: lab.env, limit: 120_000 })
  const ca = readFileSync(lab.ready.ca, 'utf8')
  const log = () => `${apache.stderr()}${readFileSync(join(folder, 'error.log'), 'utf8')}`
  await until(() => ask(`https://localhost:${port}/page`, { ca }).catch(() => undefined), log)
  return apache
}
