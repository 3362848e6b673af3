import { STATUS_CODES } from 'node:http'
import type { Outcome, Role, Step } from '../../../flows/step.js'
import type { Exchange } from '../../../protocol/http/exchange.js'
import { type HeaderList, splitUrl } from '../../../protocol/http/message.js'
import { maskExchange } from '../../../protocol/safe-output/mask.js'

function message(first: string, headers: HeaderList, body: string): string {
  const lines = [first, ...headers.map(([name, value]) => `${name}: ${value}`), '']
  return `${lines.join('\n')}\n${body}${body === '' || body.endsWith('\n') ? '' : '\n'}`
}

/** A request and its answer as messages (RFC 9112 §2.1), lines ended as files end them; bodies decoded. */
export function rawExchange(exchange: Exchange, options: { readonly showSecrets: boolean }): string {
  const { request, response } = maskExchange(exchange, options.showSecrets ? 'none' : 'all')
  const { path, query } = splitUrl(request.url)
  const target = `${path}${query && `?${query}`}`
  const asked = message(`${request.method} ${target} HTTP/1.1`, request.headers, request.body)
  if (response === undefined) return asked
  const phrase = STATUS_CODES[response.status] ?? ''
  const answered = message(`HTTP/1.1 ${response.status} ${phrase}`.trimEnd(), response.headers, response.body)
  return `${asked}\n${answered}`
}

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
