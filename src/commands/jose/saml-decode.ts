import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import { UsageError } from '../../protocol/errors.js'
import { MAX_SAML, SamlFormatError } from '../../protocol/saml/encoding.js'
import { type ExaminedSaml, examineSaml } from '../../protocol/saml/examine.js'
import { explainSaml } from '../../protocol/saml/explained.js'
import { METADATA } from '../../protocol/saml/namespaces.js'
import { elementsOf, parseXml } from '../../protocol/saml/xml.js'
import { defined } from '../../protocol/values.js'
import { readFileOrStdin, readInputFile } from '../../session/input/input.js'
import { signsFor } from '../../show/render/text/signs.js'
import { width } from '../../show/render/text/text.js'
import { samlJson, samlLines } from '../../show/render/tokens/saml-lines.js'
import { print, printData, terminalColumns } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'

/** The keys of a signer, and its name where a document says it. */
interface SignerKeys {
  readonly keys: readonly KeyObject[]
  readonly entityId?: string
}

/** The key of a certificate or a public key in PEM. @throws Error */
function keyOfPem(pem: string): KeyObject {
  return pem.includes('BEGIN CERTIFICATE') ? new X509Certificate(pem).publicKey : createPublicKey(pem)
}

/**
 * The signing keys in SAML metadata (SAML 2.0 Metadata §2.4.1.1): those that are for signing, or for any use.
 * @throws XmlError; Error for a certificate that cannot be read
 */
export async function keysOfMetadata(xml: string): Promise<SignerKeys> {
  const root = await parseXml(xml.trim())
  const all = [...elementsOf(root)]
  const certificates = all
    .filter(({ namespace, name }) => namespace === METADATA && name === 'KeyDescriptor')
    .filter(({ attributes }) => attributes.get('use') !== 'encryption')
    .flatMap(each => [...elementsOf(each)].filter(({ name }) => name === 'X509Certificate'))
  const entities = all.filter(({ namespace, name }) => namespace === METADATA && name === 'EntityDescriptor')
  const entityId = entities.length === 1 ? entities[0]?.attributes.get('entityID') : undefined
  return {
    keys: certificates.map(({ text }) => new X509Certificate(Buffer.from(text, 'base64')).publicKey),
    ...(entityId !== undefined && { entityId }),
  }
}

/** Flags of `saml decode`. */
export interface SamlFlags {
  readonly cert?: string
  readonly metadata?: string
  readonly audience?: string
  readonly recipient?: string
  readonly inResponseTo?: string
  /** Milliseconds since the epoch. */
  readonly now?: number
}

/** The keys of the sender; undefined where none are named. @throws UsageError */
async function signerKeys({ cert, metadata }: SamlFlags): Promise<SignerKeys | undefined> {
  if (cert !== undefined && metadata !== undefined) {
    throw new UsageError('--cert and --metadata both name the keys of the sender', ['Leave one out'])
  }
  if (cert !== undefined) {
    const pem = await readInputFile('the certificate', cert)
    try {
      return { keys: [keyOfPem(pem)] }
    } catch {
      throw new UsageError(`--cert ${cert} holds no certificate and no public key in PEM`)
    }
  }
  if (metadata === undefined) return undefined
  const xml = await readInputFile('the metadata', metadata)
  let found: SignerKeys
  try {
    found = await keysOfMetadata(xml)
  } catch (error) {
    throw new UsageError(`--metadata ${metadata} is no SAML metadata: ${(error as Error).message}`)
  }
  if (found.keys.length > 0) return found
  throw new UsageError(`--metadata ${metadata} holds no key for signing`, [
    'It looks like <EntityDescriptor><IDPSSODescriptor><KeyDescriptor>…, as identity providers publish it',
  ])
}

/** `oauth-lab saml decode`: a SAML message for people, and with the keys of its sender a verdict. */
export async function decodeSamlMessage(
  file: string | undefined,
  flags: SamlFlags,
  globals: Pick<Globals, 'json' | 'ascii'>,
): Promise<number> {
  if (file === undefined && process.stdin.isTTY) {
    throw new UsageError('no message was given', ['Name a file, or pipe it in:  oauth-lab saml decode -'])
  }
  const signer = await signerKeys(flags)
  const text = await readFileOrStdin('the message', file ?? '-', MAX_SAML * 2)
  const { now = Date.now(), audience, recipient, inResponseTo } = flags
  const reader = { now, ...defined({ audience, recipient, inResponseTo, issuer: signer?.entityId }) }
  let examined: ExaminedSaml
  try {
    examined = await examineSaml(text, reader, signer?.keys)
  } catch (error) {
    if (!(error instanceof SamlFormatError)) throw error
    throw new UsageError(`the text is no SAML message: ${error.message}`, [
      'Give XML, the value of SAMLResponse or SAMLRequest, the body of the form, or the URL',
    ])
  }
  if (globals.json) printData(samlJson(examined))
  else {
    const signs = signsFor(globals)
    print(
      ...samlLines(examined, explainSaml(examined.message), {
        now,
        signs,
        width,
        columns: terminalColumns(),
      }),
    )
  }
  return examined.verdict === 'refused' ? EXIT.refused : EXIT.done
}
