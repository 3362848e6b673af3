import { dirname, join, resolve } from 'node:path'
import type { PairOptions } from '../lab/certificates/client-pair.js'
import type { TrustAction } from '../lab/trust-store/change.js'
import type { TrustScope } from '../lab/trust-store/plan.js'
import { UserError } from '../protocol/errors.js'
import { shellWord } from '../protocol/safe-output/shell.js'
import { option, repeated, wordList } from '../session/options/option.js'
import { narrate, print, printData, printJson } from './output/output.js'
import { argument, command } from './program/command.js'
import { everywhere, type Globals } from './program/globals.js'

/** Variables through which other programs take a CA file, in the order of docs/certificates.md. */
const variables = [
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'CURL_CA_BUNDLE',
  'REQUESTS_CA_BUNDLE',
  'DENO_CERT',
  'GIT_SSL_CAINFO',
] as const

/** The password of Java's own trust stores. It keeps no secret: a trust store holds public certificates. */
const STORE_PASSWORD = 'changeit'

/** The lines about Java, which reads no PEM file: a trust store to make once, and the two properties that name it. */
function javaLines(caFile: string): string[] {
  const store = shellWord(join(dirname(caFile), 'ca-truststore.p12'))
  return [
    '# Java: make a trust store after each change of the CA, and name it by two properties.',
    `# rm -f ${store}; keytool -importcert -noprompt -alias oauth-lab -storetype PKCS12 -storepass ${STORE_PASSWORD} -keystore ${store} -file ${shellWord(caFile)}`,
    `# java -Djavax.net.ssl.trustStore=${store} -Djavax.net.ssl.trustStorePassword=${STORE_PASSWORD} ...`,
  ]
}

async function path(_: object, { json, home }: Globals): Promise<void> {
  const { ensureCertificates } = await import('../lab/certificates/certificates.js')
  const { caFile } = await ensureCertificates(home)
  if (json) printJson({ path: caFile })
  else printData(caFile)
}

async function show(_: object, { json, home }: Globals): Promise<void> {
  const { describeCertificates, ensureCertificates, limitsToGain } = await import(
    '../lab/certificates/certificates.js'
  )
  const { ca, leaf } = describeCertificates(await ensureCertificates(home))
  if (json) return printJson({ ca, leaf })
  print(
    `CA file        ${ca.file}`,
    `Subject        ${ca.subject}`,
    `SHA-256        ${ca.sha256}`,
    `Valid          ${ca.not_before} to ${ca.not_after}`,
    '',
    `Certificate    ${leaf.subject}`,
    `SHA-256        ${leaf.sha256}`,
    `Valid          ${leaf.not_before} to ${leaf.not_after}`,
    `Names          ${leaf.names.join(', ')}`,
  )
  const gains = await limitsToGain(home)
  if (gains.length === 0) return
  narrate('An earlier release made this CA. It keeps working. With a new one, from `oauth-lab ca renew`:')
  for (const gain of gains) narrate(`  ${gain}`)
}

async function env(_: object, { json, home }: Globals): Promise<void> {
  const { ensureCertificates } = await import('../lab/certificates/certificates.js')
  const { caFile } = await ensureCertificates(home)
  if (json) return printJson(Object.fromEntries(variables.map(name => [name, caFile])))
  printData(
    ...variables.map(name => `export ${name}=${shellWord(caFile)}`),
    '# Node.js and Bun read NODE_EXTRA_CA_CERTS, Deno DENO_CERT, git GIT_SSL_CAINFO. Go, and .NET on Linux, read SSL_CERT_FILE;',
    '# on macOS and Windows both read the store of the system:  oauth-lab ca install',
    ...javaLines(caFile),
    '# SSL_CERT_FILE, CURL_CA_BUNDLE, REQUESTS_CA_BUNDLE and GIT_SSL_CAINFO replace the system certificates. For one request:',
    `# curl --cacert ${shellWord(caFile)} https://localhost:8443/`,
  )
}

async function renew(_: object, { json, home }: Globals): Promise<void> {
  const { describeCertificates, renewCertificates } = await import('../lab/certificates/certificates.js')
  const renewed = await renewCertificates(home)
  const { ca, leaf } = describeCertificates(renewed)
  if (json) return printJson({ ca, leaf, gains: renewed.gains })
  printData(ca.file)
  narrate('Made a new certificate authority. Programs that trust a copy of the old one need this one;')
  narrate('a running lab uses it after a restart.')
  if (renewed.gains.length > 0) narrate('New in this one:')
  for (const gain of renewed.gains) narrate(`  ${gain}`)
}

interface PairFlags extends PairOptions {
  readonly output: string
}

/** The lines of a client in a lab file. JSON values are YAML too. */
function entryLines(client: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(client).map(
    ([name, value], i) => `  ${i === 0 ? '- ' : '  '}${name}: ${JSON.stringify(value)}`,
  )
}

async function makePair(name: string, flags: PairFlags, { home, json }: Globals): Promise<void> {
  const [{ makeClientPair }, { ensureCertificates }] = await Promise.all([
    import('../lab/certificates/client-pair.js'),
    import('../lab/certificates/certificates.js'),
  ])
  const { output, ...options } = flags
  const pair = await makeClientPair(home, { name, folder: resolve(output), options })
  const { certificate, key, subject, thumbprint, notAfter, client } = pair
  if (json) {
    const files = { certificate, key }
    return printJson({ ...files, subject, 'x5t#S256': thumbprint, not_after: notAfter, client })
  }
  print(
    `Certificate    ${certificate}`,
    `Private key    ${key}`,
    `Subject        ${subject}`,
    `x5t#S256       ${thumbprint}`,
    `Valid until    ${notAfter}`,
  )
  const { caFile } = await ensureCertificates(home)
  narrate('')
  narrate('Into the lab file (RFC 8705 §2):')
  narrate('clients:')
  for (const line of entryLines(client)) narrate(line)
  narrate('')
  narrate('While a lab with that file runs:')
  narrate(
    `  curl --cacert ${shellWord(caFile)} --cert ${shellWord(certificate)} --key ${shellWord(key)} -d grant_type=client_credentials -d client_id=${name} https://localhost:8449/token`,
  )
  narrate(
    `  oauth-lab flow client-credentials --client ${name} --cert ${shellWord(certificate)} --cert-key ${shellWord(key)}`,
  )
}

interface TrustFlags {
  readonly only?: TrustScope
  readonly dryRun?: true
  readonly yes?: true
}

/**
 * `oauth-lab ca install` and `uninstall`: shows the changes, asks, and makes them.
 * @throws UsageError without the rights for it, UserError where a tool fails or the answer is no
 */
async function changeTrust(
  action: TrustAction,
  flags: TrustFlags,
  { home, json }: Pick<Globals, 'home' | 'json'>,
): Promise<void> {
  const [{ planTrust, asAllowed }, { thisComputer }, { caToTrust, carryOut, planLines }] = await Promise.all([
    import('../lab/trust-store/plan.js'),
    import('../lab/trust-store/world.js'),
    import('../lab/trust-store/carry-out.js'),
  ])
  const ca = await caToTrust(action, home)
  const here = thisComputer()
  const plan = await planTrust(action, ca, here, flags.only)
  const mayAsk = process.stdin.isTTY === true
  const changes = plan.changes.map(change => ({
    ...change,
    commands: change.commands.map(each =>
      flags.dryRun && !here.isRoot ? each : asAllowed(each, here, mayAsk),
    ),
  }))
  const needed = changes.filter(({ commands }) => commands.length > 0)
  if (json && flags.dryRun) return printJson({ action, changes: needed, notes: plan.notes })
  const lines = planLines({ changes, notes: plan.notes })
  if (flags.dryRun) return print(...lines)
  for (const line of lines) narrate(line)
  if (needed.length > 0) {
    if (!flags.yes) await allowed(action)
    await carryOut(needed, here)
  }
  if (json) return printJson({ action, changed: needed.map(({ store }) => store), notes: plan.notes })
  print(
    needed.length === 0
      ? 'Nothing had to be changed.'
      : `${action === 'install' ? 'Installed in' : 'Removed from'} ${needed.map(({ store }) => store).join(', ')}.`,
  )
  if (action === 'install' && ca) {
    narrate('Browsers that run see it after a restart. Node reads none of these stores:')
    narrate(`  export NODE_EXTRA_CA_CERTS=${shellWord(ca.file)}`)
  }
}

async function allowed(action: TrustAction): Promise<void> {
  const { answeredYes } = await import('./output/confirm.js')
  const otherwise = 'nothing was changed'
  const yes = await answeredYes({
    text: action === 'install' ? 'Trust the CA of this lab there?' : 'Remove the CAs of labs from there?',
    otherwise,
    hints: ['Without being asked:     --yes', 'See what it would be:    --dry-run'],
  })
  if (!yes) throw new UserError(otherwise, 'refused')
}

/** Longest validity, in days: that of the CA. */
const MAX_DAYS = 3650

const days = (text: string): number | undefined => {
  const value = Number(text)
  return Number.isInteger(value) && value >= 1 && value <= MAX_DAYS ? value : undefined
}

const plain = (name: string, description: string, action: typeof path) =>
  command(name, {
    description,
    options: everywhere,
    help: `\nExample:\n  oauth-lab ca ${name}\n`,
    run: async () => action,
  })

const change = (action: TrustAction, description: string) =>
  command(action, {
    description,
    options: [
      ...everywhere,
      option('--only <stores>', 'the store of the system, or the NSS databases of browsers', {
        choices: ['system', 'nss'],
      }),
      option('--dry-run', 'print the commands, and change nothing'),
      option('--yes', 'do not ask; required without a terminal'),
    ],
    help: `\nExamples:\n  oauth-lab ca ${action} --dry-run\n  oauth-lab ca ${action} --only nss --yes\n`,
    run: async () => (flags, globals) => changeTrust(action, flags, globals),
  })

/** `oauth-lab ca`: the lab's certificate authority. */
export const caCommand = command('ca', {
  description: 'the certificate authority that clients of the lab have to trust',
  help: `
Examples:
  curl --cacert "$(oauth-lab ca path)" https://localhost:8443/
  eval "$(oauth-lab ca env)"
  oauth-lab ca show --json
  oauth-lab ca install --dry-run
  oauth-lab ca client shop -o certificates
`,
  below: [
    plain('path', 'print the path of the CA file; makes the CA if it is missing', path),
    plain('show', 'print subject, fingerprint, validity and names', show),
    plain('env', 'print shell lines that make other programs trust the CA', env),
    plain('renew', 'make a new CA and a new certificate', renew),
    command('client', {
      description: 'make a certificate and a key for a client; no file is overwritten',
      words: [argument('<name>', 'the name of the client and of its two files, NAME.pem and NAME-key.pem')],
      options: [
        option('-o, --output <dir>', 'the folder for both files', { fallback: '.' }),
        option('--subject <dn>', 'the subject as RFC 4514 writes it (default: CN=NAME)'),
        option('--san-dns <names>', 'host names in the certificate; repeat it or use commas', {
          parse: wordList,
        }),
        option('--san-uri <uris>', 'URIs in the certificate; repeat it', { parse: repeated }),
        option('--san-email <mailboxes>', 'mailboxes in the certificate; repeat it or use commas', {
          parse: wordList,
        }),
        option('--san-ip <addresses>', 'IP addresses in the certificate; repeat it or use commas', {
          parse: wordList,
        }),
        option('--days <days>', 'validity in days', {
          parse: days,
          expected: `Write a number of days from 1 to ${MAX_DAYS}.`,
          fallback: 365,
        }),
        option('--self-signed', 'sign it with its own key, and print the JWK for jwks'),
        ...everywhere,
      ],
      help: `
Examples:
  oauth-lab ca client shop
  oauth-lab ca client shop -o certificates --san-dns shop.example
  oauth-lab ca client shop -o certificates --subject 'CN=shop,O=Example'
  oauth-lab ca client phone -o certificates --self-signed
`,
      run: async () => makePair,
    }),
    change('install', 'make this computer trust the CA: its own store, and the databases of browsers'),
    change('uninstall', 'remove the CAs of labs from these stores'),
  ],
})
