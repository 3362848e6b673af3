import { resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import type { PairOptions } from '../../lab/certificates/client-pair.js'
import { shellWord } from '../../protocol/safe-output/shell.js'
import { narrate, print, printJson } from '../output/output.js'
import { readGlobals, withGlobals } from '../program/globals.js'
import { repeated, wordList } from '../program/list-options.js'

const examples = `
Examples:
  oauth-lab ca client shop
  oauth-lab ca client shop -o certificates --san-dns shop.example
  oauth-lab ca client shop -o certificates --subject 'CN=shop,O=Example'
  oauth-lab ca client phone -o certificates --self-signed
`

/** Longest validity, in days: that of the CA. */
const MAX_DAYS = 3650

function days(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= MAX_DAYS) return value
  throw new InvalidArgumentError(`Write a number of days from 1 to ${MAX_DAYS}.`)
}

interface Flags extends PairOptions {
  readonly output: string
}

/** The lines of a client in a lab file. JSON values are YAML too. */
function entryLines(client: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(client).map(
    ([name, value], i) => `  ${i === 0 ? '- ' : '  '}${name}: ${JSON.stringify(value)}`,
  )
}

async function makePair(name: string, flags: Flags, command: Command): Promise<void> {
  const { home, json } = readGlobals(command)
  const [{ makeClientPair }, { ensureCertificates }] = await Promise.all([
    import('../../lab/certificates/client-pair.js'),
    import('../../lab/certificates/certificates.js'),
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

/** `oauth-lab ca client`: a certificate for a client, with its key. */
export function caClientCommand(): Command {
  const command = new Command('client')
    .argument('<name>', 'the name of the client and of its two files, NAME.pem and NAME-key.pem')
    .description('make a certificate and a key for a client; no file is overwritten')
    .option('-o, --output <dir>', 'the folder for both files', '.')
    .option('--subject <dn>', 'the subject as RFC 4514 writes it (default: CN=NAME)')
    .option('--san-dns <names>', 'host names in the certificate; repeat it or use commas', wordList)
    .option('--san-uri <uris>', 'URIs in the certificate; repeat it', repeated)
    .option('--san-email <mailboxes>', 'mailboxes in the certificate; repeat it or use commas', wordList)
    .option('--san-ip <addresses>', 'IP addresses in the certificate; repeat it or use commas', wordList)
    .option('--days <days>', 'validity in days', days, 365)
    .option('--self-signed', 'sign it with its own key, and print the JWK for jwks')
  return withGlobals(command).addHelpText('after', examples).action(makePair)
}
