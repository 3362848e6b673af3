import { UsageError } from '../../protocol/errors.js'
import { defined } from '../../protocol/values.js'
import type { LabFile } from '../schema/lab-file-schema.js'
import type { RegistrationMode } from '../schema/registration-modes.js'

export interface RegistrationConfig {
  /** Absent: `open` on this computer, `off` for a lab that other machines reach. */
  readonly mode?: RegistrationMode
  readonly tokens: readonly string[]
  /** With absolute paths. */
  readonly statementIssuerFiles: readonly { readonly issuer: string; readonly jwksFile: string }[]
}

/** @param inFolder makes a path of the file absolute */
export function toRegistrationConfig(file: LabFile, inFolder: (path: string) => string): RegistrationConfig {
  const {
    registration: mode,
    registration_tokens: tokens = [],
    software_statement_issuers: issuers = [],
  } = file
  return defined({
    mode,
    tokens,
    statementIssuerFiles: issuers.map(({ issuer, jwks_file: file }) => ({
      issuer,
      jwksFile: inFolder(file),
    })),
  })
}

/** @throws UsageError for `token` without a token in the lab file */
export function withRegistrationMode(
  config: RegistrationConfig,
  mode: RegistrationMode | undefined,
): RegistrationConfig {
  if (mode === undefined) return config
  if (mode === 'token' && config.tokens.length === 0) {
    throw new UsageError('--registration token needs registration_tokens in the lab file (RFC 7591 §3)', [
      'Write them as  registration_tokens: [TOKEN]  with TOKEN from: openssl rand -hex 32',
    ])
  }
  return { ...config, mode }
}
