import { Command } from 'commander'
import type { TrustAction } from '../lab/trust-store/change.js'
import { shellWord } from '../render/shell.js'
import { changeTrust, withTrustOptions } from './ca-trust.js'
import { readGlobals, withGlobals } from './globals.js'
import { narrate, print, printData, printJson } from './output.js'

/** Variables through which other programs take a CA file. */
const variables = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'CURL_CA_BUNDLE', 'REQUESTS_CA_BUNDLE'] as const

const examples = `
Examples:
  curl --cacert "$(oauth-lab ca path)" https://localhost:8443/
  eval "$(oauth-lab ca env)"
  oauth-lab ca show --json
  oauth-lab ca install --dry-run
`

async function path(_: unknown, command: Command): Promise<void> {
  const { json, home } = readGlobals(command)
  const { ensureCertificates } = await import('../lab/certificates.js')
  const { caFile } = await ensureCertificates(home)
  if (json) printJson({ path: caFile })
  else printData(caFile)
}

async function show(_: unknown, command: Command): Promise<void> {
  const { json, home } = readGlobals(command)
  const { describeCertificates, ensureCertificates } = await import('../lab/certificates.js')
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
}

async function env(_: unknown, command: Command): Promise<void> {
  const { json, home } = readGlobals(command)
  const { ensureCertificates } = await import('../lab/certificates.js')
  const { caFile } = await ensureCertificates(home)
  if (json) return printJson(Object.fromEntries(variables.map(name => [name, caFile])))
  printData(
    ...variables.map(name => `export ${name}=${shellWord(caFile)}`),
    '# All but NODE_EXTRA_CA_CERTS replace the system certificates. For one request:',
    `# curl --cacert ${shellWord(caFile)} https://localhost:8443/`,
  )
}

async function renew(_: unknown, command: Command): Promise<void> {
  const { json, home } = readGlobals(command)
  const { describeCertificates, renewCertificates } = await import('../lab/certificates.js')
  const { ca, leaf } = describeCertificates(await renewCertificates(home))
  if (json) return printJson({ ca, leaf })
  printData(ca.file)
  narrate('Made a new certificate authority. Programs that trust a copy of the old one need this one;')
  narrate('a running lab uses it after a restart.')
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
