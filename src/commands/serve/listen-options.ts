import { UsageError } from '../../protocol/errors.js'
import { option } from '../../session/options/option.js'

/** @throws UsageError */
function port(text: string): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (value <= 65535) return value
  throw new UsageError(`${JSON.stringify(text)} is not a port`, ['A port is 1 to 65535; 0 picks a free one'])
}

/** An option whose value is a port, 0 included. */
export const portOption = <const Flags extends string>(flags: Flags, meaning: string, fallback: number) =>
  option(flags, meaning, { parse: port, fallback })

/** An option for a port that has no value without it. */
export const freePortOption = <const Flags extends string>(flags: Flags, meaning: string) =>
  option(flags, meaning, { parse: port })

/** The option that says on which addresses to listen. */
export const host = option(
  '--host <address>',
  'address to listen on (default: this machine only, 127.0.0.1 and ::1)',
)
