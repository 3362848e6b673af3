import { type Command, Option } from 'commander'
import { parseInstant } from '../../lab/clock.js'
import { UsageError } from '../../protocol/errors.js'

/** Reads `--seed`. @throws UsageError */
export function wholeSeed(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new UsageError(`--seed ${JSON.stringify(text)} is not a whole number`, ['It looks like --seed 7'])
}

/** Adds the options that make the transcript of a lab repeat. */
export function withRepeatOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--seed <number>',
        'INSECURE: the same codes, tokens and values in every run; with --now the clock stands still',
      ).argParser(wholeSeed),
    )
    .addOption(
      new Option(
        '--now <time>',
        'time of the lab’s clock at the start: an ISO date, or seconds since 1970',
      ).argParser(parseInstant),
    )
}
