import type { Outcome, Role, Step } from '../../../flows/step.js'

/** The facts that an export needs beside the records. */
export interface ExportOptions {
  /** The name for people: `authorization code`, `attack stolen-code`. */
  readonly flow: string
  /** The client of a flow. An attack has several. */
  readonly clientId?: string
  /** Of this program. */
  readonly version: string
  readonly showSecrets: boolean
  /** CA certificates that the servers need, PEM. */
  readonly caPem?: string
  /** Absolute paths of the client's certificate for mutual TLS and of its key. Scripts name the files. */
  readonly certificate?: CertificateFiles
}

/** The files of a client's certificate, PEM. */
export interface CertificateFiles {
  readonly cert: string
  readonly key: string
}

/** The end of a flow or of an attack. The `error` of an attack names the check that refused, or that was missing. */
export type ExportedOutcome = Omit<Outcome, 'outcome'> & {
  readonly outcome: Outcome['outcome'] | 'stolen' | 'defended'
}

/** The records of a run, as exports take them. */
export type ExportedRecord = Step | ExportedOutcome

/** The title of an export. */
export function exportTitle({ flow, clientId }: ExportOptions): string {
  return clientId === undefined ? flow : `${flow}, client ${clientId}`
}

/** True for the run of an attack: the user agent is the victim's there. */
export function hasAttacker(records: readonly ExportedRecord[]): boolean {
  return records.some(
    record => record.type === 'step' && (record.from === 'attacker' || record.to === 'attacker'),
  )
}

/** The role that notes stand beside. */
export function notedRole(records: readonly ExportedRecord[]): Role {
  return hasAttacker(records) ? 'attacker' : 'client'
}
