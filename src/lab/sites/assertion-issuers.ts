import { readFile } from 'node:fs/promises'
import { fileProblem, UsageError } from '../../protocol/errors.js'
import { insteadOfCertificate, insteadOfKeySet } from '../../protocol/second-reading-keys.js'
import type { JwkSet } from '../../protocol/tokens/keys.js'
import { defined, parsedJson } from '../../protocol/values.js'
import type { AssertionIssuer } from '../../servers/authorization-server/model.js'

/** As the lab file names it. */
export interface AssertionIssuerFiles {
  readonly issuer: string
  /** Absolute paths. */
  readonly jwksFile?: string
  readonly certificateFile?: string
  /** Its JWTs need no client authentication. */
  readonly clientless?: boolean
}

/** Reads keys and certificates. @throws UsageError that names the file and the problem */
export function loadAssertionIssuers(entries: readonly AssertionIssuerFiles[]): Promise<AssertionIssuer[]> {
  return Promise.all(
    entries.map(async ({ issuer, jwksFile, certificateFile, clientless }) => {
      const jwks = jwksFile === undefined ? undefined : await loadJwks(jwksFile)
      const certificatePem =
        certificateFile === undefined ? undefined : await loadCertificate(certificateFile)
      return defined({ issuer, jwks, certificatePem, clientless })
    }),
  )
}

/** @throws UsageError for a file that is no JWK Set of public keys */
export async function loadJwks(file: string): Promise<JwkSet> {
  const refuse = (why: string) =>
    new UsageError(`jwks_file ${file}: ${why}`, [
      'It looks like:  {"keys":[{"kty":"RSA","n":"…","e":"AQAB"}]}',
    ])
  const content = await readText(file, refuse)
  const set = parsedJson(content)
  if (set === undefined) throw refuse(insteadOfKeySet(content) ?? 'it is not JSON')
  const keys: unknown = typeof set === 'object' && set !== null && 'keys' in set ? set.keys : undefined
  if (!Array.isArray(keys) || keys.length === 0)
    throw refuse(insteadOfKeySet(content) ?? 'it is not a JWK Set with keys (RFC 7517 §5)')
  for (const [i, key] of (keys as unknown[]).entries()) {
    if (typeof key !== 'object' || key === null || !('kty' in key)) {
      throw refuse(`key ${i + 1} is no JWK (RFC 7517 §4)`)
    }
    if (key.kty === 'oct' || 'd' in key) throw refuse(`key ${i + 1} is a secret; name the public keys alone`)
  }
  return { keys: keys as JwkSet['keys'] }
}

async function loadCertificate(file: string): Promise<string> {
  const refuse = (why: string) =>
    new UsageError(`certificate_file ${file}: ${why}`, ['It begins with:  -----BEGIN CERTIFICATE-----'])
  const pem = await readText(file, refuse)
  const { certificateKey } = await import('../../servers/authorization-server/assertions/saml.js')
  try {
    certificateKey(pem)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw refuse(code === undefined ? message : (insteadOfCertificate(pem) ?? 'it is no PEM certificate'))
  }
  return pem
}

async function readText(file: string, refuse: (why: string) => UsageError): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw refuse(fileProblem(error))
  }
}
