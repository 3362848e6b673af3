import { type Command, Option } from 'commander'
import { UsageError } from '../../protocol/errors.js'

/** @throws UsageError */
function port(text: string): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(value <= 65535)) {
    throw new UsageError(`${JSON.stringify(text)} is not a port`, [
      'A port is 1 to 65535; 0 picks a free one',
    ])
  }
  return value
}

/** An option whose value is a port, 0 included. */
export function portOption(flags: string, meaning: string): Option {
  return new Option(flags, meaning).argParser(port)
}

/** Adds the option that says on which addresses to listen. */
export function withHost(command: Command): Command {
  return command.option(
    '--host <address>',
    'address to listen on (default: this machine only, 127.0.0.1 and ::1)',
  )
}
