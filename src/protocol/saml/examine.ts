import type { KeyObject } from 'node:crypto'
import type { Check } from '../oauth/check.js'
import { check, isBreach } from '../oauth/check.js'
import { type CarriedSaml, decodeSaml, SamlFormatError } from './encoding.js'
import { expectationChecks, type SamlReader, statusChecks, timeChecks } from './judge.js'
import { lintSaml, type SamlRemark } from './lint.js'
import { isSaml, messageIn, readMessage, type SamlMessage } from './message.js'
import { type SamlSignature, signaturesOf, verifyQuerySignature, verifySignature } from './signatures.js'
import { parseXml, type XmlElement, XmlError } from './xml.js'

/** A SAML message, taken apart and judged. */
export interface ExaminedSaml {
  /** `not_verified`: no key was given, and nothing that was expected is wrong. */
  readonly verdict: 'accepted' | 'refused' | 'not_verified'
  readonly carried: CarriedSaml
  readonly message: SamlMessage
  readonly signatures: readonly SamlSignature[]
  readonly checks: readonly Check[]
  /** The names of the checks that refuse it. */
  readonly failed: readonly string[]
  readonly lint: readonly SamlRemark[]
}

/** Verifies every signature, and that each assertion is in a signed part (SAML 2.0 Core §5.4.2). */
async function signatureChecks(
  { xml, querySignature }: CarriedSaml,
  document: XmlElement,
  { root, assertions, kind }: SamlMessage,
  signatures: readonly SamlSignature[],
  keys: readonly KeyObject[],
): Promise<Check[]> {
  const beside = querySignature && verifyQuerySignature(querySignature, keys)
  if (beside === undefined && signatures.length === 0) {
    return [check('signature', false, 'SAML 2.0 Profiles §4.1.4.5', `nothing in this ${kind} is signed`)]
  }
  const verified = await Promise.all(
    signatures.map(async each => ({
      of: each.of,
      ...(await verifySignature(xml, { document, root }, each, keys)),
    })),
  )
  const good = verified.filter(({ ok }) => ok).map(({ of }) => of)
  const whole = beside?.ok === true || good.includes(root)
  const loose = whole ? [] : assertions.filter(({ element }) => !good.includes(element))
  return [
    ...(beside === undefined ? [] : [beside]),
    ...verified.map(({ of: _, ...each }) => each),
    ...(loose.length === 0
      ? []
      : [
          check(
            'signed_assertions',
            false,
            'SAML 2.0 Core §5.4.2',
            `${loose.length} of ${assertions.length}: in no part whose signature holds`,
          ),
        ]),
  ]
}

/**
 * Takes a SAML message apart, verifies its signatures with keys, and judges it as a reader would.
 * @param keys the keys of the sender; undefined: no signature is verified
 * @throws SamlFormatError for a text that is no SAML message
 */
export async function examineSaml(
  text: string,
  reader: SamlReader,
  keys: readonly KeyObject[] | undefined,
): Promise<ExaminedSaml> {
  const carried = decodeSaml(text)
  const document = await readable(carried.xml)
  const root = messageIn(document)
  if (!isSaml(root)) throw new SamlFormatError(`its root element ${root.name} is not one of SAML 2.0`)
  const message = readMessage(root)
  const signatures = signaturesOf(root)
  const signed = keys === undefined ? [] : await signatureChecks(carried, document, message, signatures, keys)
  const checks = [
    ...signed,
    ...statusChecks(message),
    ...expectationChecks(message, reader),
    ...(keys === undefined ? [] : timeChecks(message, reader)),
  ]
  // Without keys nothing is accepted, and a login that failed is no fault of the message.
  const failed = checks
    .filter(each => isBreach(each) && (each.name !== 'status' || keys !== undefined))
    .map(({ name }) => name)
  const signedBeside = carried.querySignature !== undefined
  return {
    verdict: failed.length > 0 ? 'refused' : keys === undefined ? 'not_verified' : 'accepted',
    carried,
    message,
    signatures,
    checks,
    failed,
    lint: lintSaml(message, signatures, { now: reader.now, signedBeside }),
  }
}

async function readable(xml: string) {
  try {
    return await parseXml(xml)
  } catch (error) {
    if (error instanceof XmlError) throw new SamlFormatError(error.message)
    throw error
  }
}
