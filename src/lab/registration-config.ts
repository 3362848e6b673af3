import { defined } from '../defined.js'
import type { LabFile } from './lab-file-schema.js'

/** Clients that register themselves, as the lab file has them. */
export interface RegistrationConfig {
  /** Absent: `open` on this computer, `off` for a lab that other machines reach. */
  readonly mode?: 'off' | 'token' | 'open'
  readonly tokens: readonly string[]
  /** Issuers of software statements, with the absolute paths of their keys. */
  readonly statementIssuerFiles: readonly { readonly issuer: string; readonly jwksFile: string }[]
}

/**
 * Returns the part of a lab file about registration.
 * @param inFolder makes a path of the file absolute
 */
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
