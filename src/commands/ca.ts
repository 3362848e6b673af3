import { dirname, join } from 'node:path'
import { Command } from 'commander'
import type { TrustAction } from '../lab/trust-store/change.js'
import { shellWord } from '../protocol/safe-output/shell.js'
import { caClientCommand } from './ca/ca-client.js'
import { changeTrust, withTrustOptions } from './ca/ca-trust.js'
import { narrate, print, printData, printJson } from './output/output.js'
import { readGlobals, withGlobals } from './program/globals.js'

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

const examples = `
Examples:
  curl --cacert "$(oauth-lab ca path)" https://localhost:8443/
  eval "$(oauth-lab ca env)"
  oauth-lab ca show --json
  oauth-lab ca install --dry-run
  oauth-lab ca client shop -o certificates
`

async function path(_: unknown, command: Command): Promise<void> {
  const { json, home } = readGlobals(command)
  const { ensureCertificates } = await import('../lab/certificates/certificates.js')
  const { caFile } = await ensureCertificates(home)
  if (json) printJson({ path: caFile })
  else printData(caFile)
}

async function show(_: unknown, command: Command): Promise<void> {
  const { json, home } = readGlobals(command)
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

async function env(_: unknown, command: Command): Promise<void> {
  const { json, home } = readGlobals(command)
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

async function renew(_: unknown, command: Command): Promise<void> {
  const { json, home } = readGlobals(command)
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

/** `oauth-lab ca`: the lab's certificate authority. */
export function caCommand(): Command {
  const ca = new Command('ca')
    .description('the certificate authority that clients of the lab have to trust')
    .addHelpText('after', examples)
  const add = (name: string, description: string, action: (_: unknown, command: Command) => Promise<void>) =>
    ca.addCommand(
      withGlobals(new Command(name).description(description).action(action)).addHelpText(
        'after',
        `\nExample:\n  oauth-lab ca ${name}\n`,
      ),
    )
  add('path', 'print the path of the CA file; makes the CA if it is missing', path)
  add('show', 'print subject, fingerprint, validity and names', show)
  add('env', 'print shell lines that make other programs trust the CA', env)
  add('renew', 'make a new CA and a new certificate', renew)
  ca.addCommand(caClientCommand())
  const change = (action: TrustAction, description: string) =>
    ca.addCommand(
      withTrustOptions(withGlobals(new Command(action)))
        .description(description)
        .addHelpText(
          'after',
          `\nExamples:\n  oauth-lab ca ${action} --dry-run\n  oauth-lab ca ${action} --only nss --yes\n`,
        )
        .action((flags, command: Command) => changeTrust(action, flags, command)),
    )
  change('install', 'make this computer trust the CA: its own store, and the databases of browsers')
  change('uninstall', 'remove the CAs of labs from these stores')
  return ca
}
