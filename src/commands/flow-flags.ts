import type { ExportFormat } from './export-formats.js'
import type { TargetFlags } from './flow-target.js'

/** Flags of a flow. */
export interface FlowFlags extends TargetFlags {
  readonly user?: string
  readonly scope?: string
  readonly redirectUri?: string
  readonly pkce: boolean
  readonly browser: boolean
  /** Whether to open the browser, and not only to print its address. */
  readonly open: boolean
  readonly resource?: string
  /** An access token; `-` reads it from stdin. */
  readonly token?: string
  readonly tokenType?: 'bearer' | 'mac'
  readonly saml?: true
  readonly issuerKey?: string
  readonly assertionIssuer?: string
  readonly audience?: string
  /** The name of a wrong move. */
  readonly tamper?: string
  readonly plain?: true
  readonly screenReader?: true
  readonly export?: ExportFormat
  readonly output?: string
  /** Whether `--timeout` was given, and so holds for the person in the browser too. */
  readonly patient: boolean
}
